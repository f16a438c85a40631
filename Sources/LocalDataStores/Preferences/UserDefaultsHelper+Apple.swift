import LocalDataSystem

#if canImport(Darwin)
  package import LocalDataFoundation

  /// Preferences and the preferences of app groups in Apple's own UserDefaults, so that the app and `@AppStorage` read them
  /// too.
  ///
  /// An update is atomic within the process. UserDefaults reads as empty before the first unlock, without an error:
  /// ``SuiteLoadCheck`` decides when that is believed.
  package final class UserDefaultsHelper: TransactingStore {
    private let locations: StorageLocations
    private let sealedSuites: SealedSuites
    private let suites = Lock<[StorageContainer: AppleSuite]>([:])
    private let patience: Duration
    /// Held by all writers, so that no value is lost between the two halves of an update. One for all stores, because
    /// several may share a suite. Recursive, because an update writes.
    private static let turn = NSRecursiveLock()

    package init(_ locations: StorageLocations, patience: Duration = .seconds(10)) {
      self.locations = locations
      sealedSuites = SealedSuites(recordedIn: locations.sealedSuites)
      self.patience = patience
    }

    package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      let suite = try suite(of: address)
      _ = try suite.require(.one(name: address.name))
      guard let object = suite.object(address.name) else { return nil }
      return try PropertyListObject.storedBytes(of: object, attributes)
    }

    package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
      let suite = try suite(of: address)
      _ = try suite.require(.one(name: address.name))
      return suite.object(address.name) != nil
    }

    package func write(
      _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
    ) throws(StorageProblem) {
      let suite = try suite(of: address)
      let object = try object(of: bytes, attributes)
      let finding = try suite.require(.write)
      try recordIfSealed(bytes, address.container)
      try inTurn { () throws(StorageProblem) in
        try suite.takeSpace(for: [address.name: object])
        set([address.name: object], in: suite, finding)
      }
    }

    package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      let suite = try suite(of: address)
      _ = try suite.require(.one(name: address.name))
      try inTurn { () throws(StorageProblem) in suite.defaults.removeObject(forKey: address.name) }
    }

    package func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      try inTurn { () throws(StorageProblem) in
        switch try change(try read(address, attributes)) {
        case .keep: break
        case .write(let bytes): try write(bytes, to: address, attributes)
        case .remove: try remove(address, attributes)
        }
      }
    }

    package func updateAll(
      _ items: [StorageItem], in container: StorageContainer,
      _ change: ([Data?]) throws(StorageProblem) -> [StorageChange]?
    ) throws(StorageProblem) {
      try inTurn { () throws(StorageProblem) in
        var stored: [Data?] = []
        for item in items { stored.append(try read(item.address, item.attributes)) }
        guard let changes = try change(stored) else { return }
        // All checks that can fail run before the first change.
        let suite = try suite(container)
        let finding = try suite.require(.write)
        var objects: [String: Any] = [:]
        for case (let item, .write(let bytes)) in zip(items, changes) {
          objects[item.address.name] = try object(of: bytes, item.attributes)
          try recordIfSealed(bytes, container)
        }
        try suite.takeSpace(for: objects)
        for case (let item, .remove) in zip(items, changes) { try remove(item.address, item.attributes) }
        set(objects, in: suite, finding)
      }
    }

    /// Calls `visit` with every value of a suite that is data until it returns false. Nothing else is sealed.
    ///
    /// - Parameter limit: The most bytes of a value that are passed.
    package func scan(
      _ container: StorageContainer, upTo limit: Int, _ visit: (ScannedValue) throws(StorageProblem) -> Bool
    ) throws(StorageProblem) {
      let suite = try suite(container)
      let unseen = try suite.require(.all).unseen
      let shown = suite.defaults.persistentDomain(forName: suite.name) ?? [:]
      for (name, object) in shown.merging(unseen, uniquingKeysWith: { shown, _ in shown })
      where name != SuiteLoadCheck.sentinel {
        guard let bytes = object as? Data else { continue }
        if try !visit(ScannedValue(name, .success(Data(bytes.prefix(limit))))) { return }
      }
    }

    package func names(
      in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
    ) throws(StorageProblem) {
      let suite = try suite(container)
      let unseen = try suite.require(.all).unseen
      let shown = suite.defaults.persistentDomain(forName: suite.name) ?? [:]
      for name in Set(shown.keys).union(unseen.keys) where name != SuiteLoadCheck.sentinel {
        if try !visit(name) { return }
      }
    }

    package func makeDurable(_ container: StorageContainer) throws(StorageProblem) {
      try CallDeadline.requireWaiting()
      let suite = try suite(container)
      // A write to a suite that is not loaded could replace stored values.
      _ = try suite.require(.write)
      guard suite.defaults.synchronize() else { throw .io(errno: EIO) }
    }

    /// The system rewrites the whole file.
    package func purge(_ container: StorageContainer) throws(StorageProblem) {}

    package var removesAtNextLaunch: Bool { true }

    /// Returns the object that UserDefaults keeps for the bytes of a value.
    private func object(of bytes: Data, _ attributes: StorageAttributes) throws(StorageProblem) -> Any {
      attributes.isPropertyListValue ? try PropertyListObject.object(of: bytes) : bytes
    }

    private func set(_ objects: [String: Any], in suite: AppleSuite, _ finding: SuiteLoadCheck.Finding) {
      if finding.isLoaded, !objects.isEmpty { suite.setSentinel() }
      for (name, object) in objects { suite.defaults.set(object, forKey: name) }
    }

    private func inTurn(_ body: () throws(StorageProblem) -> Void) throws(StorageProblem) {
      guard takeTurn() else { throw .busy }
      defer { Self.turn.unlock() }
      try body()
    }

    /// Returns false if the turn is not free in time. UserDefaults calls observers on the thread of the writer, and one of
    /// them may wait for the main thread, which must therefore not wait here without an end.
    private func takeTurn() -> Bool {
      if Self.turn.try() { return true }
      guard let end = CallDeadline.endOfWait(of: patience) else { return false }
      let start = ContinuousClock.now
      defer { CallDeadline.noteWait(since: start) }
      return Self.turn.lock(before: Date(timeIntervalSinceNow: (end - start) / .seconds(1)))
    }

    /// Records the suite of a sealed value before the value is written.
    private func recordIfSealed(_ bytes: Data, _ container: StorageContainer) throws(StorageProblem) {
      guard let name = container.domain.fields.suite, PlainEnvelope.needsMasterKey(bytes),
        !sealedSuites.remembers(name)
      else { return }
      try sealedSuites.record(name)
    }

    /// Returns Apple's object for a suite.
    func defaults(of container: StorageContainer) throws(StorageProblem) -> UserDefaults {
      try suite(container).defaults
    }

    private func suite(of address: StorageAddress) throws(StorageProblem) -> AppleSuite {
      guard address.name != SuiteLoadCheck.sentinel else { throw .invalidName }
      return try suite(address.container)
    }

    private func suite(_ container: StorageContainer) throws(StorageProblem) -> AppleSuite {
      if let known = suites.withLock({ $0[container] }) { return known }
      // The system returns the path of a group's container.
      if container.domain.kind.isAppGroup { try CallDeadline.requireWaiting() }
      let suite = try AppleSuite(container, locations)
      suites.withLock { $0[container] = suite }
      return suite
    }
  }

  /// A suite of UserDefaults, and the state from which the library finds out whether the suite is loaded.
  ///
  /// `@unchecked Sendable`: Apple documents UserDefaults as thread-safe, and all else is constant and Sendable.
  private struct AppleSuite: @unchecked Sendable {
    let defaults: UserDefaults
    let name: String
    /// A suite without stored values. It contains only the values that UserDefaults returns for every suite: the arguments
    /// that the app was launched with, the user's global domain, and the defaults that the app has registered.
    private let unstored = UserDefaults(suiteName: "LocalData.unstored")
    private let propertyList: FileLocation
    private let firstUnlock: FirstUnlock
    private let space = Lock(SuiteSizeLimit())

    init(_ container: StorageContainer, _ locations: StorageLocations) throws(StorageProblem) {
      guard container.store == .preferences else { throw .invalidName }
      let fields = container.domain.fields
      if let identifier = fields.identifier {
        propertyList = try locations.propertyList(group: identifier)
        guard let found = UserDefaults(suiteName: identifier) else { throw .appGroupNotEntitled }
        defaults = found
        name = identifier
      } else if let suite = fields.suite {
        // The rules of the other platforms hold here too.
        _ = try locations.preferences(suite: suite)
        guard let found = UserDefaults(suiteName: suite) else { throw .invalidName }
        defaults = found
        name = suite
        propertyList = locations.propertyList(suite: suite)
      } else {
        defaults = .standard
        name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        propertyList = locations.propertyList(suite: name)
      }
      firstUnlock = FirstUnlock(probe: locations.unlockProbe)
    }

    func require(_ use: SuiteLoadCheck.Use) throws(StorageProblem) -> SuiteLoadCheck.Finding {
      guard FirstUnlock.isNeeded else { return SuiteLoadCheck.Finding(isLoaded: true) }
      return try SuiteLoadCheck(
        propertyList: propertyList, firstUnlock: firstUnlock, values: PropertyListObject.values, shows: shows
      ).require(for: use)
    }

    /// Returns the stored object under a name.
    ///
    /// Objects that UserDefaults shows in every suite are not stored. They could not be removed, and would keep a migration
    /// from moving the value of another suite. An argument hides a stored value. Both are rare, so that the
    /// domain is copied only for them.
    func object(_ name: String) -> Any? {
      guard let object = defaults.object(forKey: name) else { return nil }
      guard isSame(object, unstored?.object(forKey: name)) else { return object }
      return defaults.persistentDomain(forName: self.name)?[name]
    }

    /// Returns if objects can be set. The caller is the only writer of the process.
    ///
    /// - Throws: ``StorageProblem/preferencesFull`` if the system would not store them.
    func takeSpace(for objects: [String: Any]) throws(StorageProblem) {
      let added = SuiteSizeLimit.size(of: objects)
      if space.withLock({ $0.take(added) }) { return }
      let stored = defaults.persistentDomain(forName: name) ?? [:]
      let size = try SuiteSizeLimit.size(of: stored, setting: objects)
      space.withLock { $0.measure(size) }
    }

    func setSentinel() {
      guard FirstUnlock.isNeeded, defaults.object(forKey: SuiteLoadCheck.sentinel) == nil else { return }
      defaults.set(true, forKey: SuiteLoadCheck.sentinel)
    }

    /// A default that the app registered hides that a value is not loaded. It counts only if the disk has the same.
    private func shows(_ name: String, _ stored: Any?) -> Bool {
      if object(name) != nil { return true }
      guard let object = defaults.object(forKey: name) else { return false }
      return isSame(object, stored)
    }

    private func isSame(_ one: Any, _ other: Any?) -> Bool {
      guard let other else { return false }
      return NSDictionary(dictionary: ["": one]).isEqual(to: ["": other])
    }
  }
#endif
