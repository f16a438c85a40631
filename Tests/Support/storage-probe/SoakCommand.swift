import Foundation
import LocalData
import ProbeKeys

/// A process that uses every domain at random for some time, beside others that do the same and are killed at any moment.
///
/// It ends with an error if a call fails, if it does not read what it has written, if a counter runs backwards, or if it
/// sees a part of a transaction. Each increment of a counter is printed once it is acknowledged: `+ files`.
struct SoakCommand {
  private let router: StorageRouter
  private let verb: String
  /// The number of this process. Its own values have it in their names.
  private let number: Int
  private let seconds: Int
  private var random = SystemRandomNumberGenerator()
  private var lastSeen: [ProbePlace: Int] = [:]
  private var texts: [ProbePlace: String?] = [:]

  static let processes = 8

  private struct Broken: Error {
    let text: String
  }

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count == 5, words[0] == "soak", let number = Int(words[3]), let seconds = Int(words[4]) else {
      return nil
    }
    router = StorageRouter(
      configuration: .probe(in: words[1]))
    (verb, self.number, self.seconds) = (words[2], number, seconds)
  }

  mutating func run() async -> Int32 {
    alarm(UInt32(seconds) + 120)
    do {
      try ProbeCatalog.register(Self.keys, on: router)
      switch verb {
      case "run": try await soak()
      case "count": for place in ProbePlace.allCases { print(place, try await router.get(Self.counter(place))) }
      default: return 64
      }
      return 0
    } catch let broken as Broken {
      print("broken:", broken.text)
    } catch {
      print("error:", error)
    }
    return 3
  }

  // MARK: Keys

  private static func counter(_ place: ProbePlace) -> StorageKey<Int> { key("counter_\(place)", place, default: 0) }

  /// Two numbers that every transaction keeps equal.
  private static func half(_ side: String, _ place: ProbePlace) -> StorageKey<Int> {
    key("half_\(side)_\(place)", place, default: 0)
  }

  private static func text(_ number: Int, _ place: ProbePlace) -> StorageKey<String?> {
    StorageKey<String?>(
      name: "text_\(number)_\(place)", domain: place.domain, security: place.security, owner: "Tests",
      description: "A text of one process.")
  }

  private static func key(_ name: String, _ place: ProbePlace, default value: Int) -> StorageKey<Int> {
    StorageKey<Int>(
      name: name, domain: place.domain, security: place.security, default: value, owner: "Tests",
      description: "A number that processes share.")
  }

  /// The places whose values can be changed together.
  private static let transacting: [ProbePlace] = [.preferences, .sealedPreferences, .keychain]

  private static var keys: [AnyStorageKey] {
    ProbePlace.allCases.flatMap { place in
      [.key(counter(place)), .key(half("a", place)), .key(half("b", place))]
        + (0..<processes).map { .key(text($0, place)) }
    }
  }

  // MARK: Steps

  private mutating func soak() async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    for place in ProbePlace.allCases { texts[place] = try await router.get(Self.text(number, place)) }
    while ContinuousClock.now < end {
      let place = ProbePlace.allCases.randomElement(using: &random) ?? .files
      switch Int.random(in: 0..<1_000, using: &random) {
      case 0..<400: try await increment(place)
      case 400..<650: try await look(place)
      case 650..<800: try await write(place)
      case 800..<860: try await remove(place)
      case 860..<980: try await transact()
      case 980..<990: await router.lock()
      case 990..<998:
        if let failure = await router.maintenance.sweep().failures.first { throw failure }
      default: if number == 0 { _ = try await router.maintenance.rotateKeys() }
      }
    }
  }

  private mutating func increment(_ place: ProbePlace) async throws {
    let value = try await router.update(Self.counter(place)) { $0 += 1 }
    // At once: a killed process prints nothing more.
    var line = "+ \(place)\n"
    line.withUTF8 { _ = Foundation.write(1, $0.baseAddress, $0.count) }
    try see(value, place)
  }

  private mutating func look(_ place: ProbePlace) async throws {
    let counter = Self.counter(place)
    try see(try await router.get(counter), place)
    if place == .preferences { try see(try router.value(counter), place) }
    let text = try await router.get(Self.text(number, place))
    if text != texts[place] { throw Broken(text: "another text in \(place)") }
  }

  private mutating func see(_ value: Int, _ place: ProbePlace) throws {
    if value < lastSeen[place, default: 0] { throw Broken(text: "the counter in \(place) ran backwards") }
    lastSeen[place] = value
  }

  private mutating func write(_ place: ProbePlace) async throws {
    let key = Self.text(number, place)
    let count = Int.random(in: 0..<9_000, using: &random)
    let text = String(repeating: "\(Int.random(in: 0..<10, using: &random))", count: count)
    try await router.set(text, for: key)
    texts[place] = text
    if try await router.get(key) != text { throw Broken(text: "what was set in \(place) is not read") }
  }

  private mutating func remove(_ place: ProbePlace) async throws {
    let key = Self.text(number, place)
    try await router.remove(key)
    texts[place] = .some(nil)
    if try await router.exists(key) { throw Broken(text: "what was removed from \(place) exists") }
  }

  private mutating func transact() async throws {
    let place = Self.transacting.randomElement(using: &random) ?? .keychain
    let halves = try await router.transaction { transaction in
      let halves = (
        try await transaction.get(Self.half("a", place)), try await transaction.get(Self.half("b", place))
      )
      try await transaction.set(halves.0 + 1, for: Self.half("a", place))
      try await transaction.set(halves.1 + 1, for: Self.half("b", place))
      return halves
    }
    if halves.0 != halves.1 { throw Broken(text: "a part of a transaction in \(place)") }
  }
}
