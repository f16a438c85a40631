import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Tests with two values, with sources that cannot be read, and with values that must not reappear.
@Suite struct MigrationConflictTests {
  private let fixture = MigrationFixture()

  @Test(arguments: [ConflictPolicy.keepSource, .removeSource])
  func aStoredValueStaysAndTheSourceIsKeptAsideOrRemoved(_ onConflict: ConflictPolicy) async throws {
    let (router, token) = (fixture.router(), movedToken(onConflict: onConflict))
    try await router.set("old", for: token.old)
    try await router.set("new", for: token.new)
    #expect(try await router.get(token.new) == "new")
    #expect(try await router.get(token.old) == (onConflict == .keepSource ? "old" : nil))
    let expected: MigrationEvent.Outcome = onConflict == .keepSource ? .conflictKept : .conflictRemoved
    #expect(try fixture.log.events().map(\.outcome) == [expected])
    // Removing the key also removes the value that was kept aside, and no value reappears.
    try await router.remove(token.new)
    #expect(try await router.exists(token.old) == false)
    #expect(try await fixture.router().get(token.new) == nil)
  }

  @Test func aSourceThatIsEqualIsWhatAKilledProcessHasLeft() async throws {
    let (router, token) = (fixture.router(), movedToken())
    try await router.set("same", for: token.old)
    try fixture.memory.write(
      Data("\"same\"".utf8),
      to: StorageAddress(
        container: .keychain(service: "service", accessGroup: nil, synchronizable: false), name: "token"),
      StorageAttributes())
    #expect(try await router.get(token.new) == "same")
    #expect(try await router.exists(token.old) == false)
  }

  @Test func nothingComesBackFromTheDead() async throws {
    let token = movedToken()
    let router = fixture.router()
    try await router.set("abc", for: token.old)
    #expect(try await router.get(token.new) == "abc")
    try await router.remove(token.new)
    // A backup of the old value is restored.
    try fixture.memory.write(Data("\"abc\"".utf8), to: .preference("old_token"), StorageAttributes())
    #expect(try await fixture.router().exists(token.new) == false)
    #expect(try await fixture.router().get(token.new) == nil)
    #expect(try await fixture.router().exists(token.old) == false)
  }

  @Test func removingBeforeTheFirstReadRemovesTheSource() async throws {
    let (router, token) = (fixture.router(), movedToken())
    try await router.set("abc", for: token.old)
    try await router.set(nil, for: token.new)
    #expect(try await router.exists(token.old) == false)
    #expect(try await fixture.router().get(token.new) == nil)
    #expect(try fixture.log.events().map(\.outcome) == [.removed])
  }

  @Test(arguments: [StorageProblem.locked, .accessDenied, .busy, .io(errno: 5), .keyMaterialMissing, .corrupted])
  func aSourceThatCannotBeReadIsItsOwnErrorAndIsTriedAgain(_ fault: StorageProblem) async throws {
    let token = movedToken()
    try await fixture.router().set("abc", for: token.old)
    let store = FaultInjectingStore(fixture.memory)
    let router = fixture.router(store)
    store.fail(with: fault) { $0.address?.name == "old_token" && $0.operation == .read }
    let subject = StorageError.Subject(key: "old_token", domain: .userDefaults, sourceOf: token.new.name)
    let expected = StorageError(fault, subject)
    await #expect(throws: expected) { try await router.get(token.new) }
    #expect(try await fixture.router().exists(token.old))
    store.succeed()
    #expect(try await router.get(token.new) == "abc")
  }

  @Test func aSourceThatCannotBeReadDoesNotHideAStoredValue() async throws {
    let token = movedToken()
    try await fixture.router().set("abc", for: token.old)
    let store = FaultInjectingStore(fixture.memory)
    let router = fixture.router(store)
    store.fail(with: .locked) { $0.address?.name == "old_token" }
    try await router.set("new", for: token.new)
    #expect(try await router.get(token.new) == "new")
    store.succeed()
    #expect(try await router.get(token.new) == "new")
    #expect(try fixture.log.events().map(\.outcome) == [.conflictKept])
  }

  @Test func aDestinationThatIsLockedIsNotAbsent() async throws {
    let token = movedToken()
    try await fixture.router().set("abc", for: token.old)
    let store = FaultInjectingStore(fixture.memory)
    store.fail(with: .locked) { $0.address?.name == "token" }
    let router = fixture.router(store)
    await #expect(throws: StorageError(.locked, .init(key: "token", domain: .keychain))) {
      try await router.get(token.new)
    }
    #expect(try await fixture.router().get(token.old) == "abc")
  }

  @Test func whoReadsAtOnceGetsOneValueFromOneMigration() async throws {
    let token = movedToken()
    try await fixture.router().set("abc", for: token.old)
    let routers = [fixture.router(), fixture.router(), fixture.router()]
    await withThrowingTaskGroup(of: String?.self) { group in
      for index in 0..<60 { group.addTask { try await routers[index % 3].get(token.new) } }
      while let result = await group.nextResult() { #expect((try? result.get()) == "abc") }
    }
    #expect(try await fixture.router().exists(token.old) == false)
    // Every entry, not the history, which leaves repetitions out.
    let entries = try fixture.log.entries()
    #expect(entries.filter { $0.phase == .completed }.compactMap(\.event?.outcome) == [.moved])
    #expect(entries.filter { $0.phase == .committed }.count == 1)
    // Each router may note the end of the move once.
    #expect(entries.count <= 2 + routers.count)
  }
}
