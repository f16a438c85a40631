import Foundation
import LocalData
import LocalDataTesting
import StorageVocabulary

func temporaryFolder() -> URL {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("apple-standin-" + UUID().uuidString)
  do { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) } catch {
    fatalError("no temporary folder: \(error)")
  }
  return url
}

private func locations(_ folder: URL = temporaryFolder()) -> StorageLocations {
  StorageLocations(StorageConfiguration(roots: StorageRoots(below: folder)), FileStorageConfiguration())
}

private func emptyStandard() {
  for key in UserDefaults.standard.dictionaryRepresentation().keys { UserDefaults.standard.removeObject(forKey: key) }
}

func preferencesChecks(_ checks: Checks) async {
  var serial = 0
  for kind in ["standard", "suite", "group"] {
    // Linux's UserDefaults takes names that are canonically equivalent for one; Apple's compares them literally.
    for clause in ValueStoreContract.clauses where !clause.description.hasPrefix("no two names share a value") {
      checks.check("preferences contract, \(kind): \(clause)") {
        serial += 1
        emptyStandard()
        let container: StorageContainer =
          switch kind {
          case "standard": .preferences(suite: nil)
          case "suite": .preferences(suite: "suite\(serial)")
          default: .groupPreferences(identifier: "group.test\(serial)")
          }
        try clause.check(UserDefaultsHelper(locations()), container)
      }
    }
  }

  let attributes = StorageAttributes()
  func place(_ name: String) -> StoragePlace { StoragePlace(container: .preferences(suite: "probe"), name: name) }

  checks.check("preferences: a property list value is seen by @AppStorage, and what @AppStorage writes is read") {
    let store = UserDefaultsHelper(locations())
    let list = StorageAttributes(isPropertyListValue: true, mayBePropertyListValue: true)
    let place = StoragePlace(container: .preferences(suite: nil), name: "theme")
    try store.write(try PropertyListObject.bytes(of: "dark"), to: place, list)
    try expect(UserDefaults.standard.string(forKey: "theme"), "dark", "what others see")
    UserDefaults.standard.set("light", forKey: "theme")
    let bytes = try store.read(place, list) ?? Data()
    try expect(try PropertyListObject.object(of: bytes) as? String, "light", "what is read")
  }
  checks.check("preferences: absence is believed only while the probe can be read") {
    let locations = locations()
    let store = UserDefaultsHelper(locations)
    try store.write(Data([1]), to: place("a"), attributes)
    // Before the first unlock: the probe is there and is not given out, the values are not seen.
    chmod(locations.unlockProbe.path, 0)
    defer { chmod(locations.unlockProbe.path, 0o600) }
    guard geteuid() != 0 else { return }
    for (what, body) in [
      ("read", { () throws(StorageFault) in _ = try store.read(place("b"), attributes) }),
      ("exists", { () throws(StorageFault) in _ = try store.exists(place("b"), attributes) }),
      ("remove", { () throws(StorageFault) in try store.remove(place("b"), attributes) }),
      ("write", { () throws(StorageFault) in try store.write(Data(), to: place("b"), attributes) }),
      ("update", { () throws(StorageFault) in try store.update(place("b"), attributes) { _ in .remove } }),
      ("scan", { () throws(StorageFault) in try store.scan(place("b").container, upTo: .max) { _ in true } }),
    ] as [(String, () throws(StorageFault) -> Void)] {
      do {
        try body()
        throw Broken("\(what) believed absence")
      } catch let error as StorageFault { try expect(error, .locked, what) }
    }
  }
  checks.check("preferences: absence is not believed before there ever was a probe to read") {
    // What an earlier version of the app, or @AppStorage, has stored: the library has written nothing yet.
    let locations = locations()
    let store = UserDefaultsHelper(locations)
    guard geteuid() != 0 else { return }
    let folder = URL(fileURLWithPath: locations.unlockProbe.path).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Before the first unlock no file of that protection can be made, which is how it would show.
    chmod(folder, 0o500)
    defer { chmod(folder, 0o700) }
    do {
      _ = try store.read(place("never"), attributes)
      throw Broken("absence was believed though no probe could be made")
    } catch let error as StorageFault { try expect(error, .locked, "fault") }
  }
  checks.check("preferences: a store that must not wait touches no disk on a write") {
    let locations = locations()
    let store = UserDefaultsHelper(locations)
    guard let prompt = store.withoutWaiting else { return }
    let before = FakeDarwinCounter.value
    do { try prompt.write(Data([1]), to: place("c"), attributes) } catch let fault as StorageFault where fault == .busy
    { return }
    try expect(FakeDarwinCounter.value - before, 0, "full syncs on the caller's thread")
  }
  await checkThreads(checks)
}

private func checkThreads(_ checks: Checks) async {
  checks.check("preferences: four threads update one value through two stores of one suite") {
    let folder = locations()
    let stores = [UserDefaultsHelper(folder), UserDefaultsHelper(folder)]
    let place = StoragePlace(container: .preferences(suite: "threads"), name: "count")
    let faults = Faults()
    onThreads(4) { thread in
      for _ in 0..<100 {
        do {
          try stores[thread % 2].update(place, StorageAttributes()) { old in
            .write(Data("\(number(in: old) + 1)".utf8))
          }
        } catch { faults.note(error) }
      }
    }
    try require(faults.all.isEmpty, "\(faults.all)")
    try expect(try stores[0].read(place, StorageAttributes()), Data("400".utf8), "count")
  }
}
