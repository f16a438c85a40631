import Foundation
public import LocalData

/// The storage of an app in memory, for tests that launch the app several times, move its clock, or make a domain fail.
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
/// Values are serialized, encrypted, migrated and removed as in the app. Nothing is written to the disk, and the keychain
/// needs no entitlement.
public final class TestStorage: Sendable {
  /// The clock of the app. It stands still until a test moves it.
  public let clock: ControllableClock
  private let configuration: StorageConfiguration
  private let groups: TestAppGroups
  private let memory = MemoryStore()
  private let foundation = MemoryStore()
  private let log = MemoryMigrationLog()
  private let records = MemorySyncRecords()
  private let quarantine: Quarantine
  private let failures: DomainFailures

  /// Creates an empty storage.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of each launch. By default calls wait for up to ten minutes, because tests that run
  ///     side by side may start more tasks than the machine has threads.
  ///   - clock: The clock of the app.
  ///   - groups: The app groups. Storages that are given the same groups share what is stored in them, as an app and its
  ///     extensions do.
  ///   - failing: The domains that fail from the beginning, each with its failure.
  public init(
    configuration: StorageConfiguration = StorageConfiguration(timeout: .seconds(600)),
    clock: ControllableClock = ControllableClock(),
    groups: TestAppGroups = TestAppGroups(), failing: [StorageDomain.Kind: TestFailure] = [:]
  ) {
    self.configuration = configuration
    self.clock = clock
    self.groups = groups
    quarantine = Quarantine(sharing: groups.quarantine)
    failures = DomainFailures(failing)
  }

  /// Launches the app, and returns its router. No catalog is registered yet.
  ///
  /// Every launch is a second after what happened before, so that values `until: relaunch` are removed.
  ///
  /// - Parameter isExtension: True for the launch of an extension, which is no launch of the app.
  /// - Returns: A router over what is stored.
  public func launch(isExtension: Bool = false) -> StorageRouter {
    clock.advance(by: 1)
    let launch = ProcessLaunch(isExtension: isExtension, startedAt: clock.now)
    return router(foundation: foundation, launch: launch)
  }

  // MARK: Failures

  /// Makes every call on a domain fail until ``succeed()``.
  ///
  /// If the keychain fails, so do encrypted values in other domains, whose master key is in the keychain.
  ///
  /// - Parameters:
  ///   - domain: The kind of domain.
  ///   - failure: The failure.
  public func fail(_ domain: StorageDomain.Kind, with failure: TestFailure) { failures.set(failure, of: domain) }

  /// Ends all failures.
  public func succeed() { failures.removeAll() }

  // MARK: Old values

  /// Stores a value as the release stored it that had this key, for tests of migrations. Legacy keys can be stored too, and
  /// keys that Foundation's UserDefaults wrote.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key as the earlier release declared it, usually a legacy key.
  /// - Throws: What ``StorageRouter/set(_:for:)`` throws.
  public func seed<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    let launch = ProcessLaunch(startedAt: clock.now)
    let router =
      key.isWrittenByFoundation
      ? StorageRouter(configuration: configuration, clock: clock) { [foundation] in .init(over: foundation, $0) }
      : router(foundation: foundation, launch: launch)
    try await router.set(value, for: key.seedable)
  }

  // MARK: Services

  private func router(foundation: MemoryStore, launch: ProcessLaunch) -> StorageRouter {
    let own = DomainStore(memory: memory, groups: groups.memory, failures: failures)
    let shared = DomainStore(memory: groups.memory, groups: groups.memory, failures: failures)
    let (groups, log, records, quarantine) = (groups, log, records, quarantine)
    return StorageRouter(configuration: configuration, clock: clock) { setup in
      let vault = KeysetVault(configuration: setup.encryption) { keyset in keyset == .app ? own : shared }
      let encryption = EncryptionHelper(
        configuration: setup.encryption, vault: vault, providers: setup.providers, holdsSealedValues: { _ in false })
      var services = StorageServices(
        preferences: own, keychain: own, files: own, encryption: encryption, foundation: foundation,
        migrationLog: { keyset in keyset == .app ? log : groups.log(keyset) }, syncRecords: records,
        lock: { encryption.lock() })
      services.launch = launch
      services.quarantine = quarantine
      return services
    }
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
  private let logs = Lock<[KeysetID: MemoryMigrationLog]>([:])

  /// Creates groups that contain nothing.
  public init() {}

  func log(_ keyset: KeysetID) -> MemoryMigrationLog {
    logs.withLock { logs in
      let log = logs[keyset] ?? MemoryMigrationLog()
      logs[keyset] = log
      return log
    }
  }
}

/// A failure of a domain in a test.
public enum TestFailure: Sendable, Hashable, CaseIterable {
  /// The device is locked: ``StorageError/locked(_:)``.
  case locked
  /// The system refuses access: ``StorageError/accessDenied(_:)``.
  case accessDenied
  /// Another process holds the store: ``StorageError/busy(_:)``.
  case busy
  /// The disk is full: ``StorageError/outOfSpace(_:)``.
  case outOfSpace
  /// The user declined: ``StorageError/userCancelled(_:)``.
  case userCancelled
  /// The process has no keychain entitlement: ``StorageError/missingEntitlement(_:)``.
  case missingEntitlement
  /// The stored bytes are damaged: ``StorageError/corrupted(_:)``.
  case damaged

  var fault: StorageFault {
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
  /// Creates a router in memory some of whose domains fail, for tests and previews.
  ///
  /// ```swift
  /// let router = StorageRouter.inMemory(failing: [.keychain: .locked])
  /// await #expect(throws: StorageError.locked(.init(key: "token", domain: .keychain))) {
  ///   try await router.get(.token)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The configuration. By default calls wait for up to ten minutes.
  ///   - failing: The kinds of domain that fail, each with its failure.
  /// - Returns: The router. A ``TestStorage`` can also end a failure, move the clock, and launch the app again.
  public static func inMemory(
    configuration: StorageConfiguration = StorageConfiguration(timeout: .seconds(600)),
    failing: [StorageDomain.Kind: TestFailure]
  ) -> StorageRouter {
    TestStorage(configuration: configuration, failing: failing).launch()
  }
}
