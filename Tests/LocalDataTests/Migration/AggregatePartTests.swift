import Foundation
import LocalDataMaintenance
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData

/// Parts of an aggregate that an earlier release stores after the whole was made of them.
@Suite struct AggregatePartTests {
  private let fixture = MigrationFixture()
  private static let (first, last) = (key("first", String.self), key("last", String.self))

  private static func name(_ onConflict: ConflictPolicy) -> StorageKey<String?> {
    key("name", String.self, .keychain(), .keychain()) { key in
      AnyStorageMigration(
        AggregatingMigration(destinationKey: key, sourceKeys: (first, last), onConflict: onConflict) {
          [$0, $1].compactMap(\.self).joined(separator: " ")
        })
    }
  }

  /// Stores a part as an earlier release does, or as a program that does not use the library.
  private func store(_ value: String, _ part: StorageKey<String?>, _ isOther: Bool) async throws {
    if isOther {
      try fixture.memory.write(Data("\"\(value)\"".utf8), to: .preference(part.name), StorageAttributes())
    } else {
      try await fixture.router().set(value, for: part)
    }
  }

  private func launch(_ key: StorageKey<String?>) throws -> StorageRouter {
    let router = fixture.router()
    try ProbeCatalog.register([.key(key)], [], on: router)
    return router
  }

  @Test(arguments: [ConflictPolicy.keepSource, .removeSource], [true, false])
  func aPartReplacesNoWhole(_ onConflict: ConflictPolicy, _ isOther: Bool) async throws {
    let name = Self.name(onConflict)
    try await store("Ada", Self.first, false)
    try await store("Lovelace", Self.last, false)
    #expect(try await launch(name).get(name) == "Ada Lovelace")
    for part in ["Grace", "Barbara"] {
      try await store(part, Self.first, isOther)
      let router = try launch(name)
      #expect(
        try await router.migrations.plan().moves.map(\.description) == [
          "'name' in keychain: keep aside what differs from 'first' in userDefaults"
        ])
      for _ in 0..<2 { #expect(try await launch(name).get(name) == "Ada Lovelace") }
      #expect(await router.migrations.migrateAll().failures.isEmpty)
      #expect(try await router.migrations.plan().moves.isEmpty)
      let kept = try await router.migrations.history().filter { $0.outcome == .conflictKept }
      #expect(kept.map { $0.sources.map(\.key) } == [["first"]])
      #expect(try await fixture.router().get(Self.first) == part)
    }
    try await store("Liskov", Self.last, isOther)
    for _ in 0..<2 { #expect(try await launch(name).get(name) == "Barbara Liskov") }
    for part in [Self.first, Self.last] { #expect(try await fixture.router().exists(part) == false) }
  }

  /// The part that was kept aside is removed in the earlier release, and the other one is stored.
  @Test(arguments: [true, false]) func theOtherPartAloneReplacesNoWhole(_ isOther: Bool) async throws {
    let name = Self.name(.keepSource)
    try await store("Ada", Self.first, false)
    try await store("Lovelace", Self.last, false)
    #expect(try await launch(name).get(name) == "Ada Lovelace")
    try await store("Grace", Self.first, isOther)
    #expect(try await launch(name).get(name) == "Ada Lovelace")
    try await fixture.router().remove(Self.first)
    try await store("Hopper", Self.last, isOther)
    for _ in 0..<2 { #expect(try await launch(name).get(name) == "Ada Lovelace") }
  }

  @Test(arguments: [true, false]) func aPartIsNoWholeAfterARemoval(_ isOther: Bool) async throws {
    let name = Self.name(.keepSource)
    try await store("Ada", Self.first, false)
    try await store("Lovelace", Self.last, false)
    #expect(try await launch(name).get(name) == "Ada Lovelace")
    try await launch(name).remove(name)
    try await store("Grace", Self.first, isOther)
    let router = try launch(name)
    #expect(try await router.get(name) == nil)
    #expect(
      try await router.migrations.plan().moves.map(\.description) == [
        "'name' in keychain: keep aside what differs from 'first' in userDefaults"
      ])
    try await store("Hopper", Self.last, isOther)
    #expect(try await launch(name).get(name) == "Grace Hopper")
  }

  /// The old whole is that of the user who has signed out.
  @Test(arguments: [true, false], ["Grace", "Ada"])
  func aNewUsersPartIsUsed(_ isEarlier: Bool, _ text: String) async throws {
    let name = Self.name(.keepSource)
    try await store("Ada", Self.first, false)
    try await store("Lovelace", Self.last, false)
    #expect(try await launch(name).get(name) == "Ada Lovelace")
    let keys = isEarlier ? [Self.first, Self.last] : [name]
    try await ProbeCatalog.removeAll(keys.map { .key($0) }, [], on: fixture.router())
    try await store(text, Self.first, false)
    #expect(try await launch(name).migrations.plan().moves.map(\.kind) == [.move])
    for _ in 0..<2 { #expect(try await launch(name).get(name) == text) }
    // The next part alone replaces the value, which was made of it alone.
    try await store("Barbara", Self.first, false)
    for _ in 0..<2 { #expect(try await launch(name).get(name) == "Barbara") }
  }

  /// Random histories of an aggregate, in which an earlier release stores parts again.
  @Test func histories() async throws {
    for number in 0..<Sweep.count(quick: 25, full: 1_000) {
      var history = PartHistory(seed: Sweep.seed &+ UInt64(number))
      do { try await history.run() } catch {
        Issue.record("seed \(Sweep.seed &+ UInt64(number)): \(error)\n\(history.text)")
      }
    }
  }

  /// A history, with what the app must read.
  private struct PartHistory {
    private var random: SeededRandom
    private let fixture = MigrationFixture()
    private let parts = [AggregatePartTests.first, AggregatePartTests.last]
    private let onConflict: ConflictPolicy
    private var whole: String?
    /// The values of the parts at their addresses.
    private var stored: [String?] = [nil, nil]
    /// The parts that had a value when the log recorded them.
    private var needed: Set<Int> = []
    /// A Boolean value that indicates whether a part was stored that the later release has not looked at.
    private var isNew = false
    /// A Boolean value that indicates whether the log records that no part had a value.
    private var isKnown = false
    /// A Boolean value that indicates whether a killed run may have left parts at their addresses.
    private var isLeft = false
    private(set) var text = ""

    init(seed: UInt64) {
      random = SeededRandom(seed: seed)
      onConflict = Bool.random(using: &random) ? .keepSource : .removeSource
    }

    private struct Violation: Error, CustomStringConvertible { let description: String }

    private var name: StorageKey<String?> { AggregatePartTests.name(onConflict) }

    mutating func run() async throws {
      for number in 0..<12 {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1, 2:
          let part = Int.random(in: 0..<2, using: &random)
          text += "part \(part): \(number)\n"
          stored[part] = "\(number)"
          isNew = true
          try await fixture.router().set("\(number)", for: parts[part])
        case 3:
          if isLeft { try await read() }
          text += "set\n"
          look(isWrite: true)
          whole = "whole \(number)"
          try await fixture.router().set("whole \(number)", for: name)
          try await lookForLeftParts()
        case 4:
          text += "remove\n"
          try await fixture.router().remove(name)
          for part in 0..<2 where stored[part] != nil { needed.insert(part) }
          whole = nil
          stored = [nil, nil]
          isNew = false
        case 5 where whole == nil || !needed.isEmpty: try await killed()
        case 6: try await signOut(isEarlier: Bool.random(using: &random))
        default: break
        }
        if Bool.random(using: &random) { try await read() }
      }
      try await read()
    }

    private mutating func signOut(isEarlier: Bool) async throws {
      // The earlier release notes its removal only if the log knows the later one.
      if isEarlier { try await read() }
      if isEarlier, !isKnown, needed.isEmpty { return }
      text += isEarlier ? "sign out earlier\n" : "sign out\n"
      let keys = isEarlier ? parts : [name]
      try await ProbeCatalog.removeAll(keys.map { .key($0) }, [], on: fixture.router())
      // A log without an entry has no later release to tell.
      if try fixture.log.entries().contains(where: \.isRemovalNote) {
        needed = []
        isKnown = true
      } else {
        for part in 0..<2 where stored[part] != nil { needed.insert(part) }
      }
      whole = nil
      stored = [nil, nil]
      isNew = false
      isLeft = false
      // A run that is killed may not have removed the whole yet.
      if isEarlier { try await read() }
    }

    private mutating func killed() async throws {
      let gate = CallGate(after: Int.random(in: 0..<25, using: &random))
      _ = await fixture.router(until: gate).migrations.run([.key(name)]) { _ in }
      let made = try await fixture.router().get(key("name", String.self, .keychain(), .keychain()))
      text += "killed: \(made ?? "nil")\n"
      if made != whole { look() }
      guard made == whole else { throw Violation(description: "made \(made ?? "nil") instead of \(whole ?? "nil")") }
      isLeft = true
      try await lookForLeftParts()
      isLeft = true
    }

    private mutating func lookForLeftParts() async throws {
      guard isLeft else { return }
      isLeft = false
      for part in 0..<2 { stored[part] = try await fixture.router().get(parts[part]) }
    }

    private mutating func read() async throws {
      look()
      let value = try await fixture.router().get(name)
      text += "get: \(value ?? "nil")\n"
      guard value == whole else { throw Violation(description: "read \(value ?? "nil") instead of \(whole ?? "nil")") }
      try await lookForLeftParts()
      for part in 0..<2 where try await fixture.router().get(parts[part]) != stored[part] {
        throw Violation(description: "part \(part) is not \(stored[part] ?? "nil")")
      }
    }

    /// The later release looks at the parts.
    private mutating func look(isWrite: Bool = false) {
      let present = Set((0..<2).filter { stored[$0] != nil })
      defer { isNew = false }
      guard isNew, !present.isEmpty else {
        isKnown = isKnown || whole != nil || isWrite
        return
      }
      let isFirst = needed.isEmpty && !isKnown
      let isMade =
        if needed.isEmpty { whole == nil ? isKnown || !isWrite : isKnown && present.count == 2 } else {
          needed.isSubset(of: present)
        }
      needed.formUnion(present)
      if isMade {
        whole = stored.compactMap(\.self).joined(separator: " ")
        stored = [nil, nil]
      } else if isFirst, onConflict == .removeSource {
        stored = [nil, nil]
      }
    }
  }
}
