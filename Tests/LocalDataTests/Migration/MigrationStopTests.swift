import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing
import TestSupport

@testable import LocalData

/// A process that is stopped between any two calls on a store or on the log, for every pair of domains.
///
/// What happens within a call is the stores' own to survive; other tests stop real processes there.
@Suite struct MigrationStopTests {
  /// Lets calls through until it closes.
  private final class Gate: Sendable {
    private let left: Lock<Int>

    init(after calls: Int) { left = Lock(calls) }

    func isClosed() -> Bool {
      left.withLock { left in
        left -= 1
        return left < 0
      }
    }

    var hasClosed: Bool { left.withLock { $0 < 0 } }
  }

  private func gated(_ log: MigrationLog, _ gate: Gate, _ fault: StorageProblem = .io(errno: 5)) -> MigrationLog {
    var log = log
    log.willAppend = { () throws(StorageProblem) in if gate.isClosed() { throw fault } }
    return log
  }

  private static let value = "the one value"

  /// Runs `operation` and stops it after 0, 1, 2… calls, each time on new storage, until it finishes.
  private func sweep(
    _ prepare: (StorageRouter) async throws -> Void, _ operation: (StorageRouter) async throws -> Void,
    check: (MigrationFixture) async throws -> Void
  ) async throws -> Int {
    for calls in 0..<200 {
      let fixture = MigrationFixture()
      try await prepare(fixture.router())
      let gate = Gate(after: calls)
      let store = FaultInjectingStore(fixture.memory)
      store.fail(with: .io(errno: 5)) { _ in gate.isClosed() }
      let router = fixture.router(store, log: gated(fixture.log, gate))
      do { try await operation(router) } catch { #expect(gate.hasClosed) }
      try await check(fixture)
      if !gate.hasClosed { return calls }
    }
    Issue.record("it never ends")
    return 0
  }

  private func keys(
    _ from: (StorageDomain, SecurityPolicy), _ to: (StorageDomain, SecurityPolicy)
  ) -> (old: StorageKey<String?>, new: StorageKey<String?>, plain: StorageKey<String?>) {
    let old = key("old", String.self, from.0, from.1)
    let new = key("new", String.self, to.0, to.1) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    return (old, new, key("new", String.self, to.0, to.1))
  }

  @Test func theValueIsInOnePlaceAtLeastAndMigratingAgainConverges() async throws {
    var points = 0
    for (index, from) in addresses.enumerated() {
      for (place, to) in addresses.enumerated() where Sweep.isFull || (index + place) % 12 == 0 {
        let (old, new, plain) = keys(from, to)
        points += try await sweep {
          try await $0.set(Self.value, for: old)
        } _: {
          _ = try await $0.get(new)
          // A read serves the value even where the sources could not be removed.
          _ = try await $0.forceMigration(for: new)
        } check: { fixture in
          let (before, after) = try await (fixture.router().get(old), fixture.router().get(plain))
          #expect([before, after].contains(Self.value))
          #expect([before, after].allSatisfy { $0 == nil || $0 == Self.value })
          #expect(try await fixture.router().get(new) == Self.value)
          #expect(try await fixture.router().exists(old) == false)
          #expect(try fixture.log.lastEntries().values.map(\.phase) == [.completed])
        }
      }
    }
    Sweep.report("migrations that are stopped", "\(points) points")
    #expect(points >= Sweep.count(quick: 35, full: 600))
  }

  @Test func aRemovalThatIsStoppedBringsNothingBack() async throws {
    var points = 0
    for from in addresses {
      let (old, new, plain) = keys(from, (.keychain(), .keychain()))
      points += try await sweep {
        try await $0.set("older", for: old)
        try await $0.set(Self.value, for: plain)
      } _: {
        try await $0.remove(new)
      } check: { fixture in
        let left = try await fixture.router().get(new)
        #expect(left == nil || left == Self.value)
        // Where the removal took effect, the next use of the key removes what it has left.
        if left == nil { #expect(try await fixture.router().exists(old) == false) }
        try await fixture.router().remove(new)
        #expect(try await fixture.router().get(new) == nil)
        #expect(try await fixture.router().exists(old) == false)
      }
    }
    Sweep.report("removals that are stopped", "\(points) points")
  }

  /// The disk is full from one step of the executor on, and later has space again. Nothing is lost, no value reappears
  /// after a removal, and the next call works.
  @Test(arguments: [false, true]) func aFullDiskAtEachStepLosesNothing(_ isRemoval: Bool) async throws {
    var points = 0
    for (from, to) in zip(addresses, addresses.dropFirst() + addresses.prefix(1)) {
      let (old, new, plain) = keys(from, to)
      for steps in 0..<20 {
        let fixture = MigrationFixture()
        try await fixture.router().set(Self.value, for: old)
        let gate = Gate(after: steps)
        let store = FaultInjectingStore(fixture.memory)
        // A removal needs no space.
        store.fail(with: .outOfSpace) { call in
          [.write, .update].contains(call.operation) && call.address?.name != "old" && gate.isClosed()
        }
        let router = fixture.router(store, log: gated(fixture.log, gate, .outOfSpace))
        var isDone = false
        do throws(StorageError) {
          if isRemoval { try await router.remove(new) } else { _ = try await router.forceMigration(for: new) }
          isDone = true
        } catch {
          guard error.code == .outOfSpace else {
            Issue.record(error)
            return
          }
        }
        let found = try await [fixture.router().get(old), fixture.router().get(plain)]
        #expect(isRemoval || found.contains(Self.value), "\(steps) steps from \(from) to \(to)")
        store.succeed()
        let next = fixture.router()
        if isRemoval {
          try await next.remove(new)
          #expect(try await next.get(new) == nil)
        } else {
          #expect(try await next.get(new) == Self.value)
        }
        #expect(try await next.exists(old) == false)
        #expect(try fixture.log.lastEntries().values.map(\.phase) == [.completed])
        points += 1
        if isDone, !gate.hasClosed { break }
      }
    }
    Sweep.report("\(isRemoval ? "removals" : "migrations") on a disk that becomes full", "\(points) points")
    #expect(points > 2 * addresses.count)
  }

  @Test func partsThatWereJoinedAreAllRemoved() async throws {
    let (first, last) = (key("first", String.self), key("last", String.self, .fileSystem(directory: .documents)))
    let new = key("name", String.self, .keychain(), .keychain()) { key in
      AnyStorageMigration(
        AggregatingMigration(destinationKey: key, sourceKeys: (first, last)) { ($0 ?? "-") + ($1 ?? "-") })
    }
    let points = try await sweep {
      try await $0.set("Ada", for: first)
      try await $0.set("Lovelace", for: last)
    } _: {
      _ = try await $0.forceMigration(for: new)
    } check: { fixture in
      let name = try await fixture.router().get(new)
      #expect(name == "AdaLovelace")
      for part in [first, last] {
        let isLeft = try await fixture.router().exists(part)
        #expect(!isLeft)
      }
    }
    Sweep.report("an aggregation that is stopped", "\(points) points")
  }

  @Test func aSweepThatIsStoppedConverges() async throws {
    let tokens = (0..<5).map { index in
      let old = key("old\(index)", String.self)
      return (
        old,
        key("new\(index)", String.self, .fileSystem(directory: .documents), .recommended) { key in
          AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
        }
      )
    }
    let points = try await sweep { router in
      for (old, _) in tokens { try await router.set(old.name, for: old) }
    } _: { router in
      let result = await router.migrations.run(tokens.map { AnyStorageKey($0.1) }) { _ in }
      if let failure = result.failures.first { throw failure }
    } check: { fixture in
      for (old, new) in tokens {
        let (value, isLeft) = try await (fixture.router().get(new), fixture.router().exists(old))
        #expect(value == old.name)
        #expect(!isLeft)
      }
    }
    Sweep.report("a sweep that is stopped", "\(points) points")
  }
}
