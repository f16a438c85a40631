import Foundation
import LocalDataTesting
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData
@testable import LocalDataSync

@Suite struct SyncPayloadTests {
  private static let device = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private static func entry(
    _ domain: StorageDomain = .userDefaults(), _ bytes: Data? = Data("true".utf8)
  ) -> SyncPayload.Entry {
    SyncPayload.Entry(
      key: SyncKey(name: "k", domain: domain), version: SyncVersion(counter: 258, device: device), schema: 1,
      isWatchRepresentation: false, bytes: bytes)
  }

  private static func payload(_ entries: [SyncPayload.Entry]) -> SyncPayload {
    SyncPayload(header: SyncPayload.Header(sender: device, clock: 258), entries: entries)
  }

  /// The number of bytes of the header of ``payload(_:)``, which is between the version and the count of entries.
  private static let header = 74

  private static let domains: [StorageDomain] = [
    .userDefaults(), .userDefaults(suite: "s"), .appGroupUserDefaults(), .appGroupUserDefaults(identifier: "g"),
    .keychain(), .keychain(service: "s", accessGroup: "g", synchronizable: true), .fileSystem(directory: .caches),
    .encryptedFileSystem(directory: .documents), .appGroupFileSystem(directory: .applicationSupport),
    .appGroupFileSystem(identifier: "g", directory: .custom("a/b")),
  ]

  /// The example by hand, after `SyncFormat.md`.
  @Test func theBytesAreThoseOfTheDocument() {
    let header: [UInt8] =
      Array("LDSYNC".utf8) + [0, 2, 0] + Array(1...16) + [0, 0, 0, 0, 0, 0, 1, 2] + Array(repeating: 0, count: 49)
    let wanted: [UInt8] =
      header + [0, 0, 0, 1, 0, 0, 0, 71]
      + [0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0, 0, 0, 1]
      + [0, 0, 0, 1, 0x6B, 0, 0, 0, 12] + Array("userDefaults".utf8)
      + [255, 255, 255, 255, 255, 255, 255, 255, 0, 255, 255, 255, 255, 255, 255, 255, 255] + Array("true".utf8)
    #expect(Array(Self.payload([Self.entry()]).bytes) == wanted)
  }

  /// The header by hand, after `SyncFormat.md`.
  @Test func theHeaderIsThatOfTheDocument() throws {
    let other = UUID(uuid: (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9))
    let header = SyncPayload.Header(
      sender: Self.device, clock: 258, asks: 3, addressee: other, acknowledged: SyncPut(launch: 770, clock: 772),
      puts: try #require(SyncPayloadHistory(acknowledged: 5, launches: [6...7, 258...258])), isComplete: true)
    let wanted: [UInt8] =
      Array("LDSYNC".utf8) + [0, 2, 1] + Array(1...16) + [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3]
      + [9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0, 3, 4]
      + [0, 0, 0, 0, 0, 0, 0, 5, 2]
      + [0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0]
    #expect(Array(SyncPayload(header: header).bytes) == wanted)
    #expect(try SyncPayload(Data(wanted)).header == header)
    for count in 0..<wanted.count {
      #expect(throws: SyncPayload.Refusal.malformed) { try SyncPayload(Data(wanted.prefix(count))) }
    }
    // An unknown flag, a clock that no later one could exceed, an ask that is later than the payload, an acknowledged payload
    // before its launch, a range that ends before it begins, and one out of order.
    for (index, byte) in [(8, UInt8(2)), (8, 0x80), (25, 0x80), (39, 2), (64, 5), (89, 8), (96, 1)] {
      var bad = wanted
      bad[index] = byte
      #expect(throws: SyncPayload.Refusal.malformed) { try SyncPayload(Data(bad)) }
    }
  }

  @Test(arguments: domains) func everyDomainComesBack(_ domain: StorageDomain) throws {
    let entries = [Self.entry(domain), Self.entry(.userDefaults(suite: "other"), nil)]
    #expect(try SyncPayload(Self.payload(entries).bytes).entries == entries)
  }

  @Test func cutShortAnywhereItIsMalformed() {
    let whole = Self.payload([Self.entry(), Self.entry(.keychain(), nil)]).bytes
    for count in 0..<whole.count {
      #expect(throws: SyncPayload.Refusal.malformed) { try SyncPayload(whole.prefix(count)) }
    }
  }

  /// Returns the bytes of a payload after a change. The change is given them without the header.
  private static func bytes(_ change: (inout Data) -> Void) -> Data {
    let whole = payload([entry()]).bytes
    var bytes = whole.prefix(8) + whole.dropFirst(8 + header)
    change(&bytes)
    return bytes.prefix(8) + whole.dropFirst(8).prefix(header) + bytes.dropFirst(8)
  }

  static let bad: [(String, Data, SyncPayload.Refusal)] = [
    ("of no bytes", Data(), .malformed),
    ("of another program", Data("bplist00".utf8), .malformed),
    ("of 10 MB", Data(count: 10_000_000), .tooLarge),
    ("of a byte too many", payload([entry(.userDefaults(), Data(count: 245_604))]).bytes, .tooLarge),
    ("of an earlier version", bytes { $0[7] = 1 }, .unknownVersion),
    ("of a later version", bytes { $0[7] = 3 }, .unknownVersion),
    ("with bytes behind its end", bytes { $0.append(0) }, .malformed),
    ("with more entries than it has", bytes { $0[11] = 2 }, .malformed),
    ("with fewer entries than it has", bytes { $0[11] = 0 }, .malformed),
    ("with four billion entries", bytes { $0.replaceSubrange(8..<12, with: [255, 255, 255, 255]) }, .malformed),
    ("with an entry longer than all", bytes { $0.replaceSubrange(12..<16, with: [127, 255, 255, 255]) }, .malformed),
    ("with no entry where one is said", bytes { $0.replaceSubrange(12..<16, with: [255, 255, 255, 255]) }, .malformed),
    ("with an unknown flag", bytes { $0[16] = 4 }, .malformed),
    ("with a removal that has a value", bytes { $0[16] = 1 }, .malformed),
    ("with a counter of 0", bytes { $0.replaceSubrange(17..<25, with: Data(count: 8)) }, .malformed),
    ("of no device", bytes { $0.replaceSubrange(25..<41, with: Data(count: 16)) }, .malformed),
    ("with a name that is no text", bytes { $0[49] = 0xFF }, .malformed),
    ("with a name longer than the entry", bytes { $0.replaceSubrange(45..<49, with: [0, 1, 0, 0]) }, .malformed),
    ("with a field of another domain", bytes { $0[74] = 1 }, .malformed),
    ("with one key twice", payload([entry(), entry()]).bytes, .malformed),
  ]

  @Test(arguments: bad) func refused(_ what: String, _ bytes: Data, _ refusal: SyncPayload.Refusal) async throws {
    #expect(throws: refusal) { try SyncPayload(bytes) }
    let (_, watch) = try SyncDevice.pair()
    try await watch.router.set(1, for: SyncedKeys.plain)
    let problem: SyncEvent.ReceivingProblem =
      switch refusal {
      case .malformed: .malformedPayload
      case .unknownVersion: .unknownPayloadVersion
      case .tooLarge: .payloadTooLarge
      }
    #expect(
      await watch.router.sync.receive(bytes) == [.ignored(.init(key: nil, domain: nil), problem)])
    #expect(try await watch.router.get(SyncedKeys.plain) == 1)
  }

  @Test func aDomainOfALaterVersionIsAnUnknownKey() async throws {
    let bytes = Self.bytes { $0.replaceSubrange(54..<66, with: Data("userDefaultz".utf8)) }
    #expect(try SyncPayload(bytes).entries.first?.key == nil)
    let (_, watch) = try SyncDevice.pair()
    #expect(
      await watch.router.sync.receive(bytes) == [.ignored(.init(key: nil, domain: nil), .unknownKey)])
  }

  @Test func anyByteChangedIsRefusedOrAnotherPayloadButNeverACrash() throws {
    var random = SeededRandom(seed: 9)
    let whole = Self.payload(Self.domains.map { Self.entry($0) }).bytes
    for index in whole.indices {
      var changed = whole
      changed[index] = UInt8.random(in: 0...255, using: &random)
      do throws(SyncPayload.Refusal) {
        // What is read is what is written: nothing in it was passed over.
        let payload = try SyncPayload(changed)
        if payload.entries.allSatisfy({ $0.key != nil }) { #expect(payload.bytes == changed) }
      } catch {}
    }
  }
}
