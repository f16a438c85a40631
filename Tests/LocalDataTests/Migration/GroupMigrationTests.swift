import Foundation
import LocalDataMaintenance
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData

/// A key of the app that moves to an app group, and back: the app and the group have a log each.
@Suite struct GroupMigrationTests {
  private let storage = TestStorage()

  /// The key that a release stores in the app's own storage, or in the group.
  private static let group = StorageDomain.appGroupUserDefaults(identifier: "group.tests")
  private let own = key("note", String.self)
  private let shared = key("note", String.self, group)

  private func own(onConflict: ConflictPolicy = .keepSource) -> StorageKey<String?> {
    key("note", String.self) { [shared] key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(shared), onConflict: onConflict))
    }
  }

  private func shared(onConflict: ConflictPolicy = .keepSource) -> StorageKey<String?> {
    key("note", String.self, Self.group) { [own] key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(own), onConflict: onConflict))
    }
  }

  @Test(arguments: [true, false]) func aKeyThatMovesBackAndForthKeepsItsValue(_ isSet: Bool) async throws {
    try await storage.launch().set("0", for: own)
    var value = "0"
    for number in 1..<4 {
      for key in [shared(), own()] {
        #expect(try await storage.launch().get(key) == value, "round \(number)")
        guard isSet else { continue }
        value += "\(number)"
        try await storage.launch().set(value, for: key)
      }
      #expect(try await storage.launch().exists(shared) == false)
    }
  }

  @Test func whatIsSetAfterARemovalIsFoundByTheNextMove() async throws {
    try await storage.launch().set("one", for: own)
    #expect(try await storage.launch().get(shared()) == "one")
    try await storage.launch().remove(shared())
    try await storage.launch().set("two", for: own())
    #expect(try await storage.launch().get(shared()) == "two")
    try await storage.launch().remove(shared())
    try storage.launch().setNowOrLater("three", for: own())
    try await storage.launch().set("three", for: own())
    #expect(try await storage.launch().get(shared()) == "three")
  }

  /// The value that stayed in the app is older than the group's, also for the release that moves the key back.
  @Test func aValueKeptAsideDoesNotReplaceANewerOneWhenTheKeyComesBack() async throws {
    try await storage.launch().set("old", for: own)
    try await storage.launch().set("new", for: shared())
    // The update is undone, and the next one moves the key back.
    #expect(try await storage.launch().get(own) == "old")
    let router = storage.launch()
    let error = StorageError(.needsWaiting(.migrationPending), .init(key: "note", domain: .userDefaults))
    #expect(throws: error) { try router.value(own()) }
    #expect(try await router.get(own()) == "new")
    #expect(try await storage.launch().exists(shared) == false)
    #expect(try await storage.launch().get(shared()) == "new")
  }

  @Test(arguments: [ConflictPolicy.keepSource, .removeSource])
  func aRemovedValueDoesNotComeBack(_ onConflict: ConflictPolicy) async throws {
    try await storage.launch().set("old", for: own)
    try await storage.launch().set("new", for: shared(onConflict: onConflict))
    try await storage.launch().remove(shared(onConflict: onConflict))
    #expect(try await storage.launch().get(own(onConflict: onConflict)) == nil)
    #expect(try await storage.launch().get(shared(onConflict: onConflict)) == nil)
    #expect(try await storage.launch().get(own) == nil)
  }

  /// A release that is rolled back sets a value, and the next one reads it.
  @Test func whatARolledBackReleaseSetsIsRead() async throws {
    try await storage.launch().set("one", for: own)
    #expect(try await storage.launch().get(shared()) == "one")
    try await storage.launch().set("rolled back", for: own)
    #expect(try await storage.launch().get(shared()) == "rolled back")
    #expect(try await storage.launch().get(own()) == "rolled back")
    try await storage.launch().remove(own())
    #expect(try await storage.launch().get(shared()) == nil)
    #expect(try await storage.launch().get(own) == nil)
  }

  @Test func aMoveIsOneLineOfTheHistory() async throws {
    try await storage.launch().set("one", for: own)
    let router = storage.launch()
    try router.register([.key(shared()), .key(key("other", Int.self))])
    #expect(try await router.get(shared()) == "one")
    #expect(try await router.migrations.history().map(\.outcome) == [.moved])
    let next = storage.launch()
    try next.register([.key(own()), .key(key("other", String.self, Self.group))])
    #expect(try await next.get(own()) == "one")
    #expect(try await next.migrations.history().map(\.outcome) == [.moved, .moved])
  }

  /// A step that one of two logs does not know is finished by the next launch.
  @Test(arguments: [true, false]) func aMoveThatOneLogCouldNotRecordIsFinishedLater(_ isGroup: Bool) async throws {
    let (memory, app, group) = (MemoryStore(), MigrationLog(), MigrationLog())
    func launch(isFailing: Bool = false) -> StorageRouter {
      StorageRouter(configuration: StorageConfiguration()) { setup in
        var services = StorageServices(over: memory, setup)
        services.migrationLog = { keyset in
          let (isOfGroup, log) = (keyset != .app, keyset == .app ? app : group)
          return isFailing && isGroup == isOfGroup ? log.failing(with: .outOfSpace) : log
        }
        return services
      }
    }
    try await launch().set("one", for: own)
    #expect(try await launch(isFailing: true).get(shared()) == "one")
    #expect(try await launch().exists(own))
    #expect(try await launch().get(shared()) == "one")
    #expect(try await launch().exists(own) == false)
    #expect(try group.lastEntries().values.map(\.phase) == [.completed])
    #expect(try app.lastEntries() == group.lastEntries())
    #expect(try await launch().get(own()) == "one")
    #expect(try await launch().get(shared()) == "one")
  }
}

extension GroupMigrationTests {
  /// An earlier release used another group, of which the app is no member any more, or whose log a newer app has written.
  @Test(arguments: [StorageProblem.appGroupNotEntitled, .unknownFormatVersion, .accessDenied, .io(errno: EIO)])
  func aSourceInAGroupThatMayNotBeUsedKeepsNoOtherFromBeingMoved(_ fault: StorageProblem) async throws {
    let (memory, app, group) = (MemoryStore(), MigrationLog(), MigrationLog())
    let lost = key("note", String.self, .appGroupUserDefaults(identifier: "group.lost"))
    let chained = key("note", String.self, .appGroupUserDefaults(identifier: "group.tests")) {
      [own = key("note", String.self)] key in
      AnyStorageMigration(
        chain: [own, lost].map {
          AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0)))
        })
    }
    func launch() -> StorageRouter {
      let store = FaultInjectingStore(memory)
      store.fail(with: .appGroupNotEntitled) { $0.address?.container == .groupPreferences(identifier: "group.lost") }
      return StorageRouter(configuration: StorageConfiguration()) { setup in
        var services = StorageServices(over: store, setup)
        services.migrationLog = { (keyset) throws(StorageProblem) in
          switch keyset {
          case .app: return app
          case .group("group.lost"): throw fault
          case .group: return group
          }
        }
        return services
      }
    }
    let own = key("note", String.self)
    try await launch().set("one", for: own)
    #expect(try await launch().get(chained) == "one")
    #expect(try await launch().exists(own) == false)
    try await launch().set("two", for: chained)
    #expect(try await launch().get(chained) == "two")
  }
}

extension GroupMigrationTests {
  /// The log of a group is shared by apps. What one of them moves from the group is in its own history alone, once.
  @Test func theHistoryHasTheMovesOfTheAppAlone() async throws {
    let (memory, group) = (MemoryStore(), MigrationLog())
    func launch(_ app: MigrationLog) throws -> StorageRouter {
      let router = StorageRouter(configuration: StorageConfiguration()) { setup in
        var services = StorageServices(over: memory, setup)
        services.migrationLog = { (keyset) throws(StorageProblem) in keyset == .app ? app : group }
        return services
      }
      try router.register([.key(own()), .key(key("other", String.self, Self.group))])
      return router
    }
    let (mine, others) = (MigrationLog(), MigrationLog())
    let writer = StorageRouter(configuration: StorageConfiguration()) { StorageServices(over: memory, $0) }
    try await writer.set("one", for: shared)
    let router = try launch(mine)
    #expect(try await router.get(own()) == "one")
    #expect(try await router.migrations.history().map(\.outcome) == [.moved])
    #expect(try await launch(others).migrations.history() == [])
  }
}

extension GroupMigrationTests {
  /// Releases of an app, each of which stores a key elsewhere than the one before: in the app, or in one of two groups. The
  /// sources of a release are the other addresses that were used before, the latest first, because a user skips releases.
  private static func releases(
    _ count: Int, _ onConflict: ConflictPolicy, using random: inout SeededRandom
  ) -> [StorageKey<String?>] {
    let domains: [StorageDomain] =
      [.userDefaults()] + ["group.one", "group.two"].map { .appGroupUserDefaults(identifier: $0) }
    var (releases, latest): ([StorageKey<String?>], [StorageDomain]) = ([], [])
    for _ in 0..<count {
      let domain = domains.filter { $0 != latest.first }.randomElement(using: &random) ?? .userDefaults()
      latest.removeAll { $0 == domain }
      releases.append(
        key("note", String.self, domain) { [latest] destination in
          AnyStorageMigration(
            chain: latest.map { source in
              AnyStorageMigration(
                SimpleLegacyMigration(
                  destinationKey: destination, sourceKey: .key(key("note", String.self, source)),
                  onConflict: onConflict))
            })
        })
      latest.insert(domain, at: 0)
    }
    return releases
  }

  @Test(arguments: [ConflictPolicy.keepSource, .removeSource])
  func aKeyThatMovesBetweenTheAppAndTwoGroupsKeepsItsValue(_ onConflict: ConflictPolicy) async throws {
    var random = SeededRandom(seed: 5)
    for round in 0..<Sweep.count(quick: 60, full: 300) {
      let storage = TestStorage()
      var (value, history): (String?, [String]) = (nil, [])
      for (number, key) in Self.releases(12, onConflict, using: &random).enumerated() {
        guard number == 0 || Bool.random(using: &random) else { continue }
        let (router, domain) = (storage.launch(), key.domain)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          value = "\(number)"
          try await router.set("\(number)", for: key)
          history.append("\(domain): set \(number)")
        case 1:
          value = nil
          try await router.remove(key)
          history.append("\(domain): remove")
        default: history.append("\(domain): get")
        }
        #expect(try await router.get(key) == value, "round \(round): \(history.joined(separator: "; "))")
      }
    }
  }
}

extension StorageRouter {
  /// Stores a value without `await`, unless the change has to be recorded.
  fileprivate nonisolated func setNowOrLater(_ value: String, for key: StorageKey<String?>) throws(StorageError) {
    do throws(StorageError) { try setValue(value, for: key) } catch {
      guard error.code == .needsWaiting else { throw error }
    }
  }
}
