import Foundation
import LocalData
import LocalDataMaintenance
import ProbeKeys

/// A process that uses every domain at random for some time, beside others that do the same and are killed at any moment.
///
/// It ends with an error if a call fails, if it does not read what it has written, if a counter runs backwards, or if it
/// sees a part of a transaction. The same is true for records, whose file must not be damaged at the end. Each increment of a counter is printed once it is acknowledged: `+ files`.
struct SoakCommand {
  private let router: StorageRouter
  private let verb: String
  /// The number of this process. Its own values have it in their names.
  private let number: Int
  private let seconds: Int
  private var random = SystemRandomNumberGenerator()
  private var lastSeen: [ProbeAddress: Int] = [:]
  private var texts: [ProbeAddress: String?] = [:]

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
      let points = RecordPoints(router: try ProbeRecordChange.firstRelease(on: router))
      switch verb {
      case "run": try await soak(points)
      case "count":
        try await points.check()
        try await points.checkIntegrity()
        for address in ProbeAddress.allCases { print(address, try await router.get(Self.counter(address))) }
      default: return 64
      }
      return 0
    } catch let broken as Broken {
      print("broken:", broken.text)
    } catch let broken as RecordPoints.Broken {
      print("broken:", broken)
    } catch {
      print("error:", error)
    }
    return 3
  }

  // MARK: Keys

  private static func counter(_ address: ProbeAddress) -> StorageKey<Int> {
    key("counter_\(address)", address, default: 0)
  }

  /// Two numbers that every transaction keeps equal.
  private static func half(_ side: String, _ address: ProbeAddress) -> StorageKey<Int> {
    key("half_\(side)_\(address)", address, default: 0)
  }

  private static func text(_ number: Int, _ address: ProbeAddress) -> StorageKey<String?> {
    StorageKey<String?>(
      name: "text_\(number)_\(address)", domain: address.domain, security: address.security, owner: "Tests",
      description: "A text of one process.")
  }

  private static func key(_ name: String, _ address: ProbeAddress, default value: Int) -> StorageKey<Int> {
    StorageKey<Int>(
      name: name, domain: address.domain, security: address.security, default: value, owner: "Tests",
      description: "A number that processes share.")
  }

  /// The places whose values can be changed together.
  private static let transacting: [ProbeAddress] = [.preferences, .sealedPreferences, .keychain]

  private static var keys: [AnyStorageKey] {
    ProbeAddress.allCases.flatMap { address in
      [.key(counter(address)), .key(half("a", address)), .key(half("b", address))]
        + (0..<processes).map { .key(text($0, address)) }
    }
  }

  // MARK: Steps

  private mutating func soak(_ points: RecordPoints) async throws {
    try await points.begin()
    let end = ContinuousClock.now + .seconds(seconds)
    for address in ProbeAddress.allCases { texts[address] = try await router.get(Self.text(number, address)) }
    while ContinuousClock.now < end {
      let address = ProbeAddress.allCases.randomElement(using: &random) ?? .files
      switch Int.random(in: 0..<1_000, using: &random) {
      case 0..<340: try await increment(address)
      case 340..<560: try await look(address)
      case 560..<690: try await write(address)
      case 690..<740: try await remove(address)
      case 740..<840: try await transact()
      case 840..<920: try await points.move()
      case 920..<970: try await points.check()
      case 970..<980: try await points.checkpoint(number)
      case 980..<990: await router.lock()
      case 990..<998:
        if let failure = await router.maintenance.sweep().failures.first { throw failure }
      default: if number == 0 { _ = try await router.maintenance.rotateKeys() }
      }
    }
  }

  private mutating func increment(_ address: ProbeAddress) async throws {
    let value = try await router.update(Self.counter(address)) { $0 += 1 }
    // At once: a killed process prints nothing more.
    var line = "+ \(address)\n"
    line.withUTF8 { _ = Foundation.write(1, $0.baseAddress, $0.count) }
    try see(value, address)
  }

  private mutating func look(_ address: ProbeAddress) async throws {
    let counter = Self.counter(address)
    try see(try await router.get(counter), address)
    if address == .preferences { try see(try router.value(counter), address) }
    let text = try await router.get(Self.text(number, address))
    if text != texts[address] { throw Broken(text: "another text in \(address)") }
  }

  private mutating func see(_ value: Int, _ address: ProbeAddress) throws {
    if value < lastSeen[address, default: 0] { throw Broken(text: "the counter in \(address) ran backwards") }
    lastSeen[address] = value
  }

  private mutating func write(_ address: ProbeAddress) async throws {
    let key = Self.text(number, address)
    let count = Int.random(in: 0..<9_000, using: &random)
    let text = String(repeating: "\(Int.random(in: 0..<10, using: &random))", count: count)
    try await router.set(text, for: key)
    texts[address] = text
    if try await router.get(key) != text { throw Broken(text: "what was set in \(address) is not read") }
  }

  private mutating func remove(_ address: ProbeAddress) async throws {
    let key = Self.text(number, address)
    try await router.remove(key)
    texts[address] = .some(nil)
    if try await router.exists(key) { throw Broken(text: "what was removed from \(address) exists") }
  }

  private mutating func transact() async throws {
    let address = Self.transacting.randomElement(using: &random) ?? .keychain
    let halves = try await router.transaction { transaction in
      let halves = (
        try await transaction.get(Self.half("a", address)), try await transaction.get(Self.half("b", address))
      )
      try await transaction.set(halves.0 + 1, for: Self.half("a", address))
      try await transaction.set(halves.1 + 1, for: Self.half("b", address))
      return halves
    }
    if halves.0 != halves.1 { throw Broken(text: "a part of a transaction in \(address)") }
  }
}
