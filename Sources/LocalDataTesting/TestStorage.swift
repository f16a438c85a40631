import Foundation
public import LocalData
import LocalDataSync
import LocalDataFoundation

/// The storage of an app in memory, for tests that launch the app several times, change its clock, or make a domain fail.
///
/// ```swift
/// let storage = TestStorage()
/// try await storage.seed("abc", for: .legacyToken)          // what an earlier release has stored
/// let router = storage.launch()
/// #expect(try await router.get(.userToken) == "abc")        // today's release has migrated it
/// storage.fail(.keychain, with: .locked)
/// await #expect(throws: StorageError.self) { try await router.get(.userToken) }
/// ```
///
/// Values are serialized, encrypted, migrated and removed as in the app. No file is written, and the keychain needs no
/// entitlement.
public final class TestStorage: Sendable {
  /// The clock of the app. Its time changes only if a test changes it, and by one second with each launch.
  public let clock: ControllableClock
  private let configuration: StorageConfiguration
  private let groups: TestAppGroups
  private let memory: MemoryStore
  private let log = MigrationLog()
  private let features = FeatureStorage()
  private let quarantine: Quarantine
  private let failures: DomainFailures
  private let refusesScans = Lock(false)

  /// Creates an empty storage.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of each launch. By default calls wait for up to ten minutes, because tests that run
  ///     side by side may start more tasks than the machine has threads.
  ///   - clock: The clock of the app.
  ///   - groups: The app groups. Storages with the same groups share the values in them, like an app and its extensions.
  ///   - failing: The domains that fail from the beginning, each with its failure.
  public init(
    configuration: StorageConfiguration = StorageConfiguration(timeout: .seconds(600)),
    clock: ControllableClock = ControllableClock(),
    groups: TestAppGroups = TestAppGroups(), failing: [StorageDomain.Kind: TestFailure] = [:]
  ) {
    self.configuration = configuration
    self.clock = clock
    memory = MemoryStore(clock: clock)
    self.groups = groups
    quarantine = Quarantine(sharing: groups.quarantine)
    failures = DomainFailures(failing)
  }

  /// Launches the app, and returns its router. No catalog is registered yet.
  ///
  /// The launch advances the clock by one second, so that values with `until: relaunch` are removed.
  ///
  /// - Parameter isExtension: True for the launch of an extension, which does not count as a launch of the app.
  /// - Returns: A router with the stored values.
  public func launch(isExtension: Bool = false) -> StorageRouter {
    clock.advance(by: 1)
    let launch = ProcessLaunch(isExtension: isExtension, startedAt: clock.now)
    return router(launch)
  }

  // MARK: Failures

  /// Makes every call on a domain fail until ``succeed()`` is called.
  ///
  /// If the keychain fails, calls on encrypted values in other domains fail too, because their master key is in the keychain.
  ///
  /// - Parameters:
  ///   - domain: The kind of domain.
  ///   - failure: The failure.
  public func fail(_ domain: StorageDomain.Kind, with failure: TestFailure) { failures.set(failure, of: domain) }

  /// Ends all failures.
  public func succeed() { failures.removeAll() }

  /// A Boolean value that indicates whether a query of records fails if it reads every row, because no index serves its
  /// condition, or its order if it has a limit. The default is false.
  ///
  /// The query throws ``StorageProblem/Code/accessDenied``, whose subject names the record and the fields without an index.
  ///
  /// ```swift
  /// storage.failsOnScans = true
  /// let visits = router.visits.where { $0.note == "late" }   // declare `index: true` for the field 'note'
  /// await #expect(throws: StorageError(.accessDenied, .init(key: "Visit.note", domain: .fileSystem))) {
  ///   try await visits.fetchAll()
  /// }
  /// ```
  public var failsOnScans: Bool {
    get { refusesScans.withLock { $0 } }
    set { refusesScans.withLock { $0 = newValue } }
  }

  // MARK: Old values

  /// Stores a value in the same way as an earlier release with this key, for tests of migrations. The key may be a legacy key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key as the earlier release declared it, usually a legacy key.
  /// - Throws: Every error that ``StorageRouter/set(_:for:)`` throws.
  @concurrent public func seed<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    try await router(ProcessLaunch(startedAt: clock.now)).set(value, for: key.seedable)
  }

  // MARK: Services

  private func router(_ launch: ProcessLaunch) -> StorageRouter {
    let inGroups = MemoryStore(sharing: groups.memory, clock: clock)
    let own = DomainStore(memory: memory, groups: inGroups, failures: failures)
    let shared = DomainStore(memory: inGroups, groups: inGroups, failures: failures)
    let groups = groups
    let log = log
    let features = features
    let quarantine = quarantine
    let refusesScans = { @Sendable [self] in failsOnScans }
    let router = StorageRouter(configuration: configuration, clock: clock) { setup in
      let vault = KeysetVault(configuration: setup.encryption) { keyset in keyset == .app ? own : shared }
      let encryption = EncryptionHelper(
        configuration: setup.encryption, vault: vault, providers: setup.providers, holdsSealedValues: { _ in false })
      var services = StorageServices(
        preferences: own, keychain: own, files: own, encryption: encryption,
        migrationLog: { keyset in keyset == .app ? log : groups.log(keyset) }, lock: { encryption.lock() })
      services.launch = launch
      services.quarantine = quarantine
      services.features = features
      services.refusesScans = refusesScans
      return services
    }
    // A test may use a synced key without its catalog.
    router.setup.withLock { [clock] in $0.use(.sync, clock) }
    return router
  }
}

/// The containers of app groups in memory, shared by the storages of an app and its extensions.
///
/// ```swift
/// let groups = TestAppGroups()
/// let (app, widget) = (TestStorage(groups: groups), TestStorage(groups: groups))
/// try await app.launch().set("Hello", for: .sharedNote)
/// #expect(try await widget.launch(isExtension: true).get(.sharedNote) == "Hello")
/// ```
public final class TestAppGroups: Sendable {
  let memory = MemoryStore()
  let quarantine = QuarantineMemory()
  private let logs = Lock<[KeysetID: MigrationLog]>([:])

  /// Creates empty groups.
  public init() {}

  func log(_ keyset: KeysetID) -> MigrationLog {
    logs.withLock { logs in
      let log = logs[keyset] ?? MigrationLog()
      logs[keyset] = log
      return log
    }
  }
}

/// A failure of a domain in a test.
public enum TestFailure: Sendable, Hashable, CaseIterable {
  /// The device is locked: ``StorageProblem/Code/locked``.
  case locked
  /// The system refuses access: ``StorageProblem/Code/accessDenied``.
  case accessDenied
  /// Another process holds the store: ``StorageProblem/Code/busy``.
  case busy
  /// The disk is full: ``StorageProblem/Code/outOfSpace``.
  case outOfSpace
  /// The user cancels the authentication: ``StorageProblem/Code/userCancelled``.
  case userCancelled
  /// The process has no keychain entitlement: ``StorageProblem/Code/missingEntitlement``.
  case missingEntitlement
  /// The stored bytes are damaged: ``StorageProblem/Code/corrupted``.
  case damaged

  var fault: StorageProblem {
    switch self {
    case .locked: .locked
    case .accessDenied: .accessDenied
    case .busy: .busy
    case .outOfSpace: .outOfSpace
    case .userCancelled: .userCancelled
    case .missingEntitlement: .missingEntitlement
    case .damaged: .corrupted
    }
  }
}

extension StorageRouter {
  /// Creates a router in memory in which some domains fail, for tests and previews.
  ///
  /// ```swift
  /// let router = StorageRouter.inMemory(failing: [.keychain: .locked])
  /// await #expect(throws: StorageError(.locked, .init(key: "token", domain: .keychain))) {
  ///   try await router.get(.token)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The configuration. By default calls wait for up to ten minutes.
  ///   - failing: The kinds of domain that fail, each with its failure.
  /// - Returns: The router. To end a failure, change the clock or launch the app again, use a ``TestStorage``.
  public static func inMemory(
    configuration: StorageConfiguration = StorageConfiguration(timeout: .seconds(600)),
    failing: [StorageDomain.Kind: TestFailure]
  ) -> StorageRouter {
    TestStorage(configuration: configuration, failing: failing).launch()
  }
}
