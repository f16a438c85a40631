import LocalDataFoundation
import LocalDataStores

extension StorageRouter {
  /// Returns a sequence of the keys of a catalog whose values are changed by this process or by others.
  ///
  /// ```swift
  /// for try await key in router.changes(in: AccountCatalog.self) {
  ///   print(key)   // 'theme' in userDefaults
  ///   if key == .key(.theme) { reloadTheme() }
  /// }
  /// ```
  ///
  /// The members of families are included. If a value changes several times before the next call of `next()`, its key is
  /// returned once. Changes before the first call of `next()` are not returned. The sequence ends when its task is cancelled.
  /// It throws an error if a key cannot be used, for example because the catalog is not registered.
  ///
  /// No value is decrypted, and the user is never asked. ``values(of:)`` documents which changes by other processes are
  /// reported. On Apple's platforms, changes of family members by other processes are not reported.
  ///
  /// - Parameter catalog: The catalog.
  /// - Returns: The sequence. Each iterator returns every changed key.
  public nonisolated func changes(in catalog: (some StorageKeyCatalog).Type) -> StorageChanges {
    StorageChanges(router: self, catalog: catalog)
  }
}

/// The keys of a catalog whose values change.
public struct StorageChanges: AsyncSequence, Sendable {
  /// A key whose value has changed.
  public typealias Element = AnyStorageKey

  fileprivate let router: StorageRouter
  fileprivate let catalog: any StorageKeyCatalog.Type

  /// Returns an iterator. It observes changes from its first call on.
  public func makeAsyncIterator() -> Iterator { Iterator(router: router, catalog: catalog) }

  /// An iterator that returns one changed key after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let router: StorageRouter
    private let catalog: any StorageKeyCatalog.Type
    private var observation: (catalog: CatalogObservation, signals: AsyncStream<Void>.Iterator)?
    private var found: [AnyStorageKey] = []

    fileprivate init(router: StorageRouter, catalog: any StorageKeyCatalog.Type) {
      self.router = router
      self.catalog = catalog
    }

    /// Waits for the next change.
    ///
    /// - Returns: The key; `nil` if the task is cancelled.
    /// - Throws: A ``StorageError`` if a key or a family of the catalog cannot be used.
    @concurrent public mutating func next() async throws -> AnyStorageKey? {
      if observation == nil {
        let begun = try await CatalogObservation(catalog, of: router)
        observation = (begun, begun.signals.makeAsyncIterator())
      }
      while found.isEmpty {
        guard await observation?.signals.next() != nil else { return nil }
        found = await observation?.catalog.changedKeys() ?? []
      }
      return found.removeFirst()
    }
  }
}

/// The hashes of a catalog's stored values. A change is recognized by a different hash.
private struct CatalogObservation: Sendable {
  private enum Source: Sendable {
    case key(AnyStorageKey)
    case family(StorageKeyFamily)
  }

  /// The names of the values that may have changed since the last check, by container. The name `nil` stands for every value
  /// of the container.
  private final class Pending: Sendable {
    let signal = ChangeSignal()
    private let names = Lock<[StorageContainer: Set<String?>]>([:])
    private let isWaiting = Lock(false)

    func add(_ name: String?, in container: StorageContainer) {
      names.withLock { _ = $0[container, default: []].insert(name) }
      signal.send()
    }

    /// Checks a value that cannot be read now again, after a second or with the next change.
    func lookAgain(at name: String?, in container: StorageContainer) {
      names.withLock { _ = $0[container, default: []].insert(name) }
      let isWaiting = isWaiting.withLock { isWaiting in
        defer { isWaiting = true }
        return isWaiting
      }
      guard !isWaiting else { return }
      Task { [weak self] in
        // If the task is cancelled, the values are checked at once.
        do { try await Task.sleep(for: .seconds(1)) } catch {}
        guard let self else { return }
        self.isWaiting.withLock { $0 = false }
        signal.send()
      }
    }

    func take() -> [StorageContainer: Set<String?>] {
      names.withLock { names in
        defer { names = [:] }
        return names
      }
    }
  }

  private let router: StorageRouter
  private let pending = Pending()
  private var sources: [StorageContainer: [Source]] = [:]
  private var listeners: [any Sendable] = []
  private var marks: [StorageAddress: StoredMark] = [:]
  /// The declared names of the families that these values are members of.
  private var families: [StorageAddress: String] = [:]

  init(_ catalog: any StorageKeyCatalog.Type, of router: StorageRouter) async throws(StorageError) {
    self.router = router
    for key in catalog.allKeys where !key.options.isLegacy {
      do throws(StorageError) {
        let plan = try await router.plan(for: key)
        try observe(.key(key), plan)
      } catch {
        if error.code == .notAvailableOnPlatform { continue }
        throw error
      }
    }
    for family in catalog.allFamilies {
      try observe(.family(family), try await router.plan(for: AnyStorageKey(member: family.name, of: family)))
    }
    for container in sources.keys { _ = await changedKeys(in: container, [nil]) }
  }

  /// The signals that something may have changed, for one listener.
  var signals: AsyncStream<Void> { pending.signal.signals }

  private mutating func observe(_ source: Source, _ plan: KeyPlan) throws(StorageError) {
    let container = plan.address.container
    sources[container, default: []].append(source)
    let pending = pending
    let values = router.values(for: plan)
    if sources[container]?.count == 1 {
      listeners += try values.observe(plan, nil) { pending.add($0, in: container) }
    }
    #if canImport(Darwin)
      // UserDefaults can only be observed by name.
      if case .key = source { listeners += try values.watch(plan, plan.address.name) }
    #endif
  }

  /// Returns the keys whose values have changed since the last check.
  mutating func changedKeys() async -> [AnyStorageKey] {
    var changed: [AnyStorageKey] = []
    for (container, names) in pending.take() { changed += await changedKeys(in: container, names) }
    return changed.sortedByName
  }

  private mutating func changedKeys(in container: StorageContainer, _ names: Set<String?>) async -> [AnyStorageKey] {
    var changed: [AnyStorageKey] = []
    for source in sources[container] ?? [] {
      for key in await keys(of: source, in: container, names) where await hasChanged(key, container, names) {
        changed.append(key)
      }
    }
    return changed
  }

  private func keys(of source: Source, in container: StorageContainer, _ names: Set<String?>) async -> [AnyStorageKey] {
    switch source {
    case .key(let key): return names.contains(nil) || names.contains(key.name) ? [key] : []
    case .family(let family):
      var keys: [AnyStorageKey] = []
      do throws(StorageError) {
        keys = try await FamilyMembers(family, of: router, CallWaits(router.timeout, of: .call)).keys
      } catch {
        pending.lookAgain(at: nil, in: container)
      }
      // Only the marks contain a removed member.
      let present = Set(keys.map(\.name))
      keys += families.filter { $0.key.container == container && $0.value == family.name }.map(\.key.name)
        .filter { !present.contains($0) }.map { AnyStorageKey(member: $0, of: family) }
      return keys.filter { names.contains(nil) || names.contains($0.name) }
    }
  }

  private mutating func hasChanged(
    _ key: AnyStorageKey, _ container: StorageContainer, _ names: Set<String?>
  ) async -> Bool {
    do throws(StorageError) {
      let plan = try await router.plan(for: key)
      // Reading the value would ask the user. Only changes by this process are reported for such a value.
      if plan.mayPrompt { return names.contains(key.name) }
      let stored = try await router.inTurn(at: plan.address, plan.subject) { router throws(StorageError) in
        try await router.values(for: plan).stored(plan)
      }
      let mark = StoredMark(stored)
      families[plan.address] = key.options.declaredName
      return marks.updateValue(mark, forKey: plan.address) != mark
    } catch {
      pending.lookAgain(at: key.name, in: container)
      return false
    }
  }
}
