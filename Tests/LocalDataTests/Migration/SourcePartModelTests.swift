import Foundation
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@_spi(Generated) @testable import LocalData

/// Parts of one source in processes that are killed, and in random histories of two releases against a model.
@Suite(.findsHangs) struct SourcePartModelTests {
  /// Kills the process after each call, in each order of the keys. The next launch reads all parts.
  @Test(arguments: [false, true]) func aProcessThatIsKilledLosesNoPart(_ isRun: Bool) async throws {
    var points = 0
    for order in Sweep.isFull ? [0, 1, 2] : [isRun ? 1 : 2] {
      for calls in 0..<400 {
        var history = PartHistory(seed: UInt64(calls))
        let gate = try await history.killed(after: calls, order: order, isRun: isRun)
        points += 1
        if !gate.isClosed { break }
      }
    }
    Sweep.report("parts of a source that are stopped", "\(points) points")
    #expect(points > (Sweep.isFull ? 60 : 20))
  }

  /// The next call of the earlier release.
  enum EarlierCall: CaseIterable { case set, setWithoutLog, signOut, signOutAndSet }

  /// A run is killed after each call. What the earlier release does next counts.
  @Test(arguments: EarlierCall.allCases) func aCallOfAnEarlierReleaseAfterAKilledRunCounts(
    _ call: EarlierCall
  ) async throws {
    for calls in 0..<400 {
      let (fixture, release, gate) = (MigrationFixture(), SettingsRelease(), CallGate(after: calls))
      try await fixture.router().set(["theme": "dark", "list": ["order": 3]], for: release.writer)
      let keys: [AnyStorageKey] = [.key(release.theme), .key(release.order)]
      _ = await fixture.router(until: gate).migrations.run(keys) { _ in }
      if [.signOut, .signOutAndSet].contains(call) {
        try await ProbeCatalog.removeAll([.key(release.writer)], [], on: fixture.router())
      }
      if call != .signOut {
        let router = call == .setWithoutLog ? fixture.router(log: MigrationLog()) : fixture.router()
        try await router.set(["theme": "light", "list": ["order": 5]], for: release.writer)
      }
      let isSet = call != .signOut
      for _ in 0..<2 {
        #expect(try await fixture.router().get(release.theme) == (isSet ? "light" : nil), "\(calls) calls")
        #expect(try await fixture.router().get(release.order) == (isSet ? 5 : nil), "\(calls) calls")
      }
      #expect(try await fixture.router().exists(release.writer) == false)
      if !gate.isClosed { return }
    }
    Issue.record("it never ends")
  }

  @Test func histories() async throws {
    let count = Sweep.count(quick: 30, full: 3_000)
    var failures: [String] = []
    for index in 0..<count {
      var history = PartHistory(seed: Sweep.seed &+ UInt64(index))
      do { try await history.run() } catch {
        failures.append("seed \(Sweep.seed &+ UInt64(index)): \(error)\n\(history.text)")
      }
    }
    Sweep.report("histories of parts", "\(count) histories")
    for failure in failures.sorted(by: { $0.count < $1.count }).prefix(2) {
      Issue.record("\(failures.count) histories fail, such as \(failure)")
    }
  }
}

/// The history of a user of two releases: one with all settings in one value, and one with a key for each of them.
private struct PartHistory {
  private static let users = (0..<2).compactMap { UUID(uuidString: "3F2504E0-4F89-41D3-9A0C-0305E82C330\($0)") }

  private let fixture = MigrationFixture()
  private let release: SettingsRelease
  private var random: SeededRandom
  /// The values that each key may read: 0 to 1 are keys, the others members.
  private var allowed: [Set<String?>] = Array(repeating: [nil], count: 4)
  /// The settings as the earlier release has stored them last, by the keys whose values may still be there alone.
  private var untaken: Set<Int> = []
  /// The values that may be at each key's own address.
  private var own: [Set<String?>] = Array(repeating: [nil], count: 4)
  /// The keys of which the log knows that they had a part. Of the others it does not know whether a part is newer than their
  /// value, if the earlier release is built without LocalData.
  private var known: Set<Int> = []
  /// A Boolean value that indicates whether the settings that were stored last have no part. Nothing removes them.
  private var isWithoutParts = false
  /// The keys that had another value when their part was looked at. They keep the source.
  private var conflicts: Set<Int> = []
  private var written = 0
  private(set) var text = ""

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    release = SettingsRelease(
      SettingsRelease.forms[Int(seed % UInt64(SettingsRelease.forms.count))],
      parts: [
        .init("theme", .userDefaults(), [.name("theme")]),
        .init("order", .keychain(), [.name("list"), .name("order")]),
        .init(
          "draft_{userID}", .fileSystem(directory: .documents),
          [.name("users"), .parameter("userID", isUUID: true), .name("draft")]),
      ])
  }

  private func key(_ index: Int) -> StorageKey<String?> {
    switch index {
    case 0: release.theme
    case 1: release.key("order", String.self, [.name("list"), .name("order")], .keychain())
    default: release.draft(Self.users[index - 2])
    }
  }

  private mutating func newValue() -> String {
    written += 1
    return "value\(written)"
  }

  /// Stores the settings with new values for some keys, as the earlier release does.
  private mutating func storeSettings(of keys: [Int], isLogged: Bool) async throws {
    let values = keys.map { _ in newValue() }
    var (top, users): ([String: AnyCodable], [String: AnyCodable]) = (["id": .string(newValue())], [:])
    for (index, value) in zip(keys, values) {
      switch index {
      case 0: top["theme"] = .string(value)
      case 1: top["list"] = ["order": .string(value)]
      default: users[Self.users[index - 2].uuidString] = ["draft": .string(value)]
      }
      let mayBeOlder = !isLogged && !known.contains(index)
      allowed[index] = mayBeOlder ? own[index].subtracting([nil]).union([value]) : [value]
    }
    top["users"] = .object(users)
    text += "  the earlier release stores \(zip(keys, values).map { "\($0): \($1)" })\n"
    let router = isLogged ? fixture.router() : fixture.router(log: MigrationLog())
    try await router.set(.object(top), for: release.writer)
    // What was in the value before and has not been taken is overwritten.
    for index in untaken.subtracting(keys) { allowed[index].formUnion(own[index]) }
    untaken = Set(keys)
    isWithoutParts = keys.isEmpty
    conflicts = Set(keys.filter { allowed[$0].count > 1 })
  }

  // MARK: Kills

  mutating func killed(after calls: Int, order: Int, isRun: Bool) async throws -> CallGate {
    try await storeSettings(of: [0, 1, 2, 3], isLogged: false)
    let gate = CallGate(after: calls)
    let router = fixture.router(until: gate)
    do {
      if isRun {
        _ = await router.migrations.run((0..<4).map { .key(key(($0 + order) % 4)) }) { _ in }
      } else {
        for index in 0..<4 { _ = try await router.get(key((index + order) % 4)) }
      }
    } catch { #expect(gate.isClosed) }
    let next = fixture.router()
    for index in 0..<4 { #expect(try await next.get(key(index)) == allowed[index].first) }
    #expect(try await fixture.router().exists(release.writer) == false)
    return gate
  }

  // MARK: Histories

  mutating func run() async throws {
    try await storeSettings(of: [0, 1, 2, 3].filter { _ in happens(70) }, isLogged: happens(50))
    for _ in 0..<14 {
      let index = number(4)
      switch number(9) {
      case 0, 1, 2: try await read(index, fixture.router())
      case 3: try await set(index, fixture.router())
      case 4: try await remove(index, fixture.router())
      case 5:
        text += "  migrate all\n"
        let result = await fixture.router().migrations.run((0..<4).map { .key(key($0)) }) { _ in }
        if let failure = result.failures.first { throw failure }
        for index in 0..<4 { take(allowed[index], index) }
      case 6: try await killed(index)
      case 7 where happens(60):
        try await storeSettings(of: [0, 1, 2, 3].filter { _ in happens(60) }, isLogged: happens(50))
      default:
        let exists = try await fixture.router().exists(key(index))
        try require(exists ? allowed[index] != [nil] : allowed[index].contains(nil), "\(index) exists: \(exists)")
      }
    }
    for index in 0..<4 { try await read(index, fixture.router()) }
    let isLeft = try await fixture.router().exists(release.writer)
    try require(!isLeft || isWithoutParts || !conflicts.isEmpty, "the source is left")
    for index in 0..<4 { try await read(index, fixture.router()) }
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func happens(_ percent: Int) -> Bool { number(100) < percent }

  private struct Violation: Error, CustomStringConvertible { let description: String }

  private func require(_ condition: Bool, _ description: String) throws {
    if !condition { throw Violation(description: description) }
  }

  private mutating func read(_ index: Int, _ router: StorageRouter) async throws {
    let value = try await router.get(key(index))
    text += "  get \(index): \(value ?? "nil")\n"
    try require(allowed[index].contains(value), "read \(value ?? "nil") of \(index) instead of \(allowed[index])")
    take([value], index)
  }

  private mutating func take(_ values: Set<String?>, _ index: Int) {
    allowed[index] = values
    own[index] = values
    if untaken.remove(index) != nil { known.insert(index) }
  }

  private mutating func set(_ index: Int, _ router: StorageRouter) async throws {
    let value = newValue()
    text += "  set \(index): \(value)\n"
    try await router.set(value, for: key(index))
    if untaken.contains(index) { conflicts.insert(index) }
    take([value], index)
  }

  private mutating func remove(_ index: Int, _ router: StorageRouter) async throws {
    text += "  remove \(index)\n"
    try await router.remove(key(index))
    conflicts.remove(index)
    take([nil], index)
  }

  private mutating func killed(_ index: Int) async throws {
    let gate = CallGate(after: number(30))
    let router = fixture.router(until: gate)
    let (kind, value) = (number(3), newValue())
    text += "  killed in \(["get", "set \(value)", "remove"][kind]) \(index)\n"
    do {
      switch kind {
      case 0: _ = try await router.get(key(index))
      case 1: try await router.set(value, for: key(index))
      default: try await router.remove(key(index))
      }
    } catch { try require(gate.isClosed, "\(error)") }
    if kind == 1 {
      allowed[index].insert(value)
      if untaken.contains(index) { conflicts.insert(index) }
    }
    if kind == 2 { allowed[index].insert(nil) }
    try await read(index, fixture.router())
  }
}
