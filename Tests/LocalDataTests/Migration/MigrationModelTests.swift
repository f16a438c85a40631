import Foundation
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData

/// Random histories of one value over releases of an app, against a model that knows what the user must read.
@Suite(.findsHangs) struct MigrationModelTests {
  @Test func histories() async throws {
    let seed = Sweep.seed
    let environment = ProcessInfo.processInfo.environment
    let count = environment["LOCALDATA_MODEL_COUNT"].flatMap { Int($0) } ?? Sweep.count(quick: 60, full: 5_000)
    let parts = 4
    let results = await withTaskGroup(of: (steps: Int, failures: [String]).self) { group in
      for part in 0..<parts {
        group.addTask {
          var (steps, failures): (Int, [String]) = (0, [])
          for index in stride(from: part, to: count, by: parts) {
            var history = ReleaseHistory(seed: seed &+ UInt64(index))
            do { try await history.run() } catch {
              failures.append(
                "LOCALDATA_MODEL_COUNT=1 LOCALDATA_SEED=\(seed &+ UInt64(index)): \(error)\n\(history.text)")
            }
            steps += history.steps
          }
          return (steps, failures)
        }
      }
      return await group.reduce(into: [(steps: Int, failures: [String])]()) { $0.append($1) }
    }
    let steps = results.map(\.steps).reduce(0, +)
    let failures = results.flatMap(\.failures).sorted { ($0.count, $0) < ($1.count, $1) }
    Sweep.report("histories of releases", "\(count) histories, \(steps) calls")
    // The shortest say the most.
    for failure in failures.prefix(3) { Issue.record("\(failures.count) histories fail, such as \(failure)") }
    #expect(steps >= 10 * count || count < 250)
  }
}

/// One user's history.
private struct ReleaseHistory {
  /// The address and the security policy with which a release stores the value.
  private struct Address: Equatable, CustomStringConvertible {
    var name: String
    var domain: StorageDomain
    var security: SecurityPolicy

    var description: String { "\(name) in \(domain.kind): \(StoredForm(security, in: domain.kind))" }

    func key(_ migration: (@Sendable (StorageKey<String?>) -> AnyStorageMigration)? = nil) -> StorageKey<String?> {
      LocalDataTests.key(name, String.self, domain, security, migration: migration)
    }

    func isAt(_ other: Address) -> Bool { name == other.name && domain == other.domain }
  }

  private struct Release {
    var address: Address
    /// The places of earlier releases, the latest first.
    var past: [Address]
    /// A Boolean value that indicates whether a custom migration of the app moves the value from the last place.
    var isCustom = false
    /// A Boolean value that indicates whether an unrelated older value is a source too.
    var hasExtra = false
  }

  private struct Material: KeyMaterialProviding {
    let byte: UInt8
    func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: byte, count: 32) }
  }

  private static let extra = LocalDataTests.key("extra", String.self, .userDefaults(suite: "extra"))

  private var random: SeededRandom
  private let onConflict: ConflictPolicy
  private let fixture = MigrationFixture()
  private var releases: [Release] = []
  /// The values that the user may read in the newest release that ran: the value that was set last, or either of two if
  /// it is not known whether a call took effect.
  private var allowed: Set<String?> = [nil]
  private var extraValue: String?
  private var written = 0
  private(set) var steps = 0
  private(set) var text = ""

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    onConflict = Bool.random(using: &random) ? .keepSource : .removeSource
  }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func happens(_ percent: Int) -> Bool { number(0..<100) < percent }

  private func router(_ gate: CallGate? = nil) -> StorageRouter {
    let router = gate.map { fixture.router(until: $0) } ?? fixture.router()
    router.registerKeyMaterialProvider(Material(byte: 1), for: .init(id: "one"))
    router.registerKeyMaterialProvider(Material(byte: 2), for: .init(id: "two"))
    return router
  }

  // MARK: Releases

  private static let domains: [StorageDomain] = [.userDefaults(), .fileSystem(directory: .documents), .keychain()]
  private static let policies: [SecurityPolicy] = [
    .none, .recommended, .encrypted(.external(source: .init(id: "one"))),
    .encrypted(.external(source: .init(id: "two"))),
  ]

  private mutating func policy() -> SecurityPolicy { Self.policies[number(0..<Self.policies.count)] }

  private mutating func address(_ generation: Int = 0) -> Address {
    let index = number(0..<Self.domains.count)
    return Address(name: "name\(number(0..<2)) of \(generation)", domain: Self.domains[index], security: policy())
  }

  /// The releases of the app, each made of the one before.
  private mutating func makeReleases() {
    releases = [Release(address: address(), past: [])]
    for index in 1..<5 {
      let last = releases[index - 1]
      let before = last.isCustom ? [] : last.past.filter { $0 != last.address }
      var next = Release(address: last.address, past: [last.address] + before, hasExtra: last.hasExtra)
      switch number(0..<6) {
      case 0: next.address.security = policy()
      // Addresses from before a custom migration are not used again: they may still hold what it did not move.
      case 1, 2: next.address = address(releases.count { $0.isCustom })
      case 3: if let old = before.randomElement(using: &random) { next.address = old }
      case 4:
        // A new place. No later release knows the places before it, because nothing says what a custom migration reads.
        next.address = Address(name: "custom\(index)", domain: .userDefaults(), security: policy())
        next.isCustom = true
      default: next.hasExtra = true
      }
      next.past = next.past.filter { $0 != next.address }
      releases.append(next)
    }
  }

  private func key(_ release: Release) -> StorageKey<String?> {
    let past = release.past
    guard !past.isEmpty || release.hasExtra else { return release.address.key() }
    var steps: [@Sendable (StorageKey<String?>) -> AnyStorageMigration] = []
    var seen: [Address] = []
    let onConflict = onConflict
    for old in past {
      if old.isAt(release.address) {
        steps.append { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(old.key()))) }
        continue
      }
      if seen.contains(where: { $0.isAt(old) }) { continue }
      seen.append(old)
      let source = Self.source(old, past.filter { $0.isAt(old) && $0 != old })
      if release.isCustom, old == past.first {
        steps.append { AnyStorageMigration(ProbeMigration(destinationKey: $0, source: source)) }
      } else {
        steps.append {
          AnyStorageMigration(
            SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source), onConflict: onConflict))
        }
      }
    }
    if release.hasExtra {
      steps.append { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(Self.extra))) }
    }
    let made = steps
    return release.address.key { key in AnyStorageMigration(chain: made.map { $0(key) }) }
  }

  /// A source, whose own migration accepts the forms that it had before.
  private static func source(_ address: Address, _ forms: [Address]) -> StorageKey<String?> {
    guard !forms.isEmpty else { return address.key() }
    return address.key { key in
      AnyStorageMigration(
        chain: forms.map {
          AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0.key())))
        })
    }
  }

  // MARK: The history

  mutating func run() async throws {
    makeReleases()
    if happens(50) {
      extraValue = "extra"
      try await router().set("extra", for: Self.extra)
    }
    var newest = 0
    var current = 0
    while current < releases.count {
      text += "release \(current): \(releases[current])\n"
      try await session(releases[current])
      // Sometimes back to the release before, or to the one before that, and forward again. Its custom migration may bring a
      // value of the release before it, which the current release does not know.
      if current > 0, !releases[current - 1].isCustom, happens(30) {
        if happens(40) { try await killedRun(releases[current]) }
        for earlier in [current - 1, current - 2].prefix(happens(50) ? 1 : 2) where earlier >= 0 {
          if releases[earlier].isCustom || releases[current].isCustom && earlier < current - 1 { break }
          text += "rollback to release \(earlier)\n"
          try await rolledBack(from: releases[current], to: releases[earlier])
        }
        try await session(releases[current])
      }
      newest = current
      // A custom migration cannot tell a value that was kept aside from a current one: the release before it runs first.
      let isSkipped =
        newest + 2 < releases.count && !releases[(newest + 1)...(newest + 2)].contains(where: \.isCustom) && happens(25)
      current = newest + (isSkipped ? 2 : 1)
    }
  }

  private mutating func session(_ release: Release) async throws {
    let key = key(release)
    if release.hasExtra, let value = extraValue, allowed.contains(nil) {
      // Where nothing else is, it is the value; a source that was looked at is not consulted again.
      allowed.insert(value)
    }
    var router = router()
    for _ in 0..<number(1..<5) {
      steps += 1
      switch number(0..<9) {
      case 0, 1, 2: try await read(key, router)
      case 3: try await set(key, router)
      case 4:
        try await read(key, router)
        try await update(key, router)
      case 5 where happens(40): try await remove(key, router)
      case 6:
        text += "  migrate all\n"
        let result = await router.migrations.run([.key(key)]) { _ in }
        if let failure = result.failures.first { throw failure }
      case 7:
        try await killed(key)
        router = self.router()
        try await read(key, router)
      default:
        router = self.router()
        let exists = try await router.exists(key)
        try require(exists ? allowed != [nil] : allowed.contains(nil), "exists is \(exists)")
      }
    }
    try await read(key, self.router())
  }

  private struct Violation: Error, CustomStringConvertible { let description: String }

  private func require(_ condition: Bool, _ description: String) throws {
    if !condition { throw Violation(description: description) }
  }

  private mutating func read(_ key: StorageKey<String?>, _ router: StorageRouter) async throws {
    let value = try await router.get(key)
    text += "  get: \(value ?? "nil")\n"
    try require(allowed.contains(value), "read \(value ?? "nil") instead of \(allowed)")
    // An older value beside a newer one is not consulted any more, or was taken.
    extraTaken(value)
    allowed = [value]
  }

  private mutating func extraTaken(_ value: String?) { if value == "extra" { extraValue = nil } }

  private func isRefusal(_ error: any Error) -> Bool {
    switch (error as? StorageError)?.code {
    case .corrupted, .authenticationFailed, .cannotDecode: true
    default: false
    }
  }

  private mutating func newValue() -> String {
    written += 1
    return "value\(written)"
  }

  private mutating func set(_ key: StorageKey<String?>, _ router: StorageRouter) async throws {
    let value = newValue()
    text += "  set \(value)\n"
    try await router.set(value, for: key)
    allowed = [value]
  }

  private mutating func update(_ key: StorageKey<String?>, _ router: StorageRouter) async throws {
    text += "  update\n"
    let result = try await router.update(key) { $0 = ($0 ?? "") + "+" }
    let before = allowed.compactMap { ($0 ?? "") + "+" }
    try require(before.contains(result ?? ""), "update gave \(result ?? "nil") from \(allowed)")
    allowed = [result]
  }

  private mutating func remove(_ key: StorageKey<String?>, _ router: StorageRouter) async throws {
    text += "  remove\n"
    try await router.remove(key)
    allowed = [nil]
    // Its sources were removed with it.
    if try await self.router().exists(Self.extra) == false { extraValue = nil }
  }

  private mutating func killed(_ key: StorageKey<String?>) async throws {
    let gate = CallGate(after: number(0..<30))
    let router = router(gate)
    let kind = number(0..<3)
    text += "  killed in \(["get", "set", "remove"][kind])\n"
    let value = newValue()
    do {
      switch kind {
      case 0: _ = try await router.get(key)
      case 1: try await router.set(value, for: key)
      default: try await router.remove(key)
      }
      if kind == 1 { allowed.insert(value) }
      if kind == 2 { allowed.insert(nil) }
    } catch {
      try require(gate.isClosed, "\(error)")
      if kind == 1 { allowed.insert(value) }
      if kind == 2 { allowed.insert(nil) }
    }
    if kind == 2, extraValue != nil, key.migration != nil { allowed.insert("extra") }
  }

  /// A run over all keys of the release is killed, and nothing is read before an earlier release runs.
  private mutating func killedRun(_ release: Release) async throws {
    let gate = CallGate(after: number(0..<30))
    text += "  killed in a run\n"
    if release.isCustom { return }
    _ = await router(gate).migrations.run([.key(key(release))]) { _ in }
  }

  /// An earlier release knows nothing of the later one. It reads what it can, or nothing. The later release finds what it
  /// writes, unless a custom migration of the later release is completed, which does not run again.
  private mutating func rolledBack(from later: Release, to release: Release) async throws {
    let key = key(release)
    let gate = happens(20) ? CallGate(after: number(0..<20)) : nil
    let router = router(gate)
    steps += 1
    if happens(50) {
      text += "  get\n"
      do { _ = try await router.get(key) } catch { try require(isRefusal(error) || gate?.isClosed == true, "\(error)") }
    }
    // If the release has encrypted a value that was left at its address, and is killed before it can store the value for which
    // it has recorded a write, the encrypted value counts as the written one.
    guard happens(60), gate == nil || !release.past.contains(where: { $0.isAt(release.address) }) else { return }
    let value = newValue()
    text += "  set \(value)\n"
    do { try await router.set(value, for: key) } catch {
      if gate?.isClosed == true { allowed.insert(value) }
      // The provider's key was never recorded, and the stored value is encrypted with another one. It is not overwritten.
      try require(isRefusal(error) || gate?.isClosed == true, "\(error)")
      return
    }
    if later.isCustom { allowed.insert(value) } else { allowed = [value] }
  }
}
