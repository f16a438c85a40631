import LocalData

/// An app: what it stores, and two releases of its catalog.
struct RealApp: Sendable {
  let name: String
  let first: any StorageKeyCatalog.Type
  let second: any StorageKeyCatalog.Type
  let things: @Sendable (inout StoredThings) -> Void
  let laterKeys: @Sendable (inout LaterKeys) -> Void
}

/// The life of an app's stored things: the earlier app, the first release, the second one, a rollback, and the second again.
struct RealAppLife {
  let app: RealApp
  let earlier: EarlierApp
  /// A Boolean value that indicates whether only files and databases are used, which are the same on Linux.
  let isNative: Bool
  let launch: (any StorageKeyCatalog.Type) throws -> StorageRouter

  /// Returns what does not hold, and the number of things.
  func run() async throws -> (complaints: [String], count: Int) {
    var stored = StoredThings(of: earlier)
    app.things(&stored)
    var later = LaterKeys()
    app.laterKeys(&later)
    guard stored.all.count == later.all.count else {
      return (["\(stored.all.count) things, and \(later.all.count) keys of the second release"], 0)
    }
    var complaints: [String] = []
    var things = Array(zip(stored.all, later.all))
    for (thing, key) in things where thing.name != key.name { complaints.append("\(thing.name) is not \(key.name)") }
    if isNative { things.removeAll { !$0.0.isNative } }

    let unmanaged = stored.unmanaged.filter { $0.isNative || !isNative }
    for thing in unmanaged { try thing.store() }
    for (thing, _) in things { try thing.store(0) }
    var router = try launch(app.first)
    for (thing, _) in things { await check("first release", thing, &complaints) { try await thing.isRead(router, 0) } }
    for (thing, _) in things { await write(thing, &complaints) { try await thing.write(router, 1) } }
    for (thing, _) in things { await check("earlier app", thing, &complaints) { try thing.isStored(1) } }

    router = try launch(app.second)
    for (thing, key) in things {
      await check("second release", thing, &complaints) { try await key.isRead(router, thing.value(1)) }
    }
    for (thing, key) in things { await write(thing, &complaints) { try await key.write(router, thing.value(0)) } }
    for (thing, _) in things {
      await check("earlier app, of the second release", thing, &complaints) { try thing.isStored(0) }
    }

    router = try launch(app.first)
    for (thing, _) in things { await check("rollback", thing, &complaints) { try await thing.isRead(router, 0) } }
    for (thing, _) in things { await write(thing, &complaints) { try await thing.write(router, 1) } }

    router = try launch(app.second)
    for (thing, key) in things {
      await check("second release again", thing, &complaints) { try await key.isRead(router, thing.value(1)) }
    }
    for (thing, _) in things { await check("earlier app, at the end", thing, &complaints) { try thing.isStored(1) } }
    for thing in unmanaged where try !thing.isStored() { complaints.append("\(app.name): \(thing.name) has changed") }
    return (complaints, things.count + unmanaged.count)
  }

  private func check(
    _ step: String, _ thing: StoredThing, _ complaints: inout [String], _ holds: () async throws -> Bool
  ) async {
    do {
      if try await !holds() { complaints.append("\(app.name), \(step): another value of \(thing.name)") }
    } catch { complaints.append("\(app.name), \(step): \(thing.name): \(error)") }
  }

  private func write(_ thing: StoredThing, _ complaints: inout [String], _ body: () async throws -> Void) async {
    do { try await body() } catch { complaints.append("\(app.name), a write: \(thing.name): \(error)") }
  }
}
