import Foundation
import LocalDataRecordKeys
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary
import TestSupport
import Testing

@_spi(Generated) @testable import LocalDataRecords
@testable import LocalDataStores

/// A record key and sealed parts as version 1 was first written. They must open for ever.
@Suite("Golden rows") struct GoldenRowTests {
  struct Golden: Codable, Equatable {
    struct Row: Codable, Equatable {
      var record: String
      /// The canonical bytes of the row's key.
      var key: String
      var sealed: String
      var message: String
      /// The blind index of the key as field 6.
      var blindIndex: Int64
    }

    var masterKey: String
    var number: UInt32
    /// The fields of the record key's associated data: domain, container, name of the database.
    var identity: [String?]
    var envelope: String
    var rows: [Row]
  }

  private static let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("golden_rows.json")

  private static let masterKey = Data((0..<32).map { UInt8($0) * 7 })
  private static let identity = RecordKeyIdentity(
    domain: .fileSystem, container: .directory(.applicationSupport), database: "wället", number: 3)
  private static let recordKey = SecretBytes(Data((0..<32).map { 255 - UInt8($0) }))
  private static let rows: [(record: String, key: Data, message: String, algorithm: EncryptionAlgorithm)] = [
    ("Credential", "urn:é".canonicalBytes, "1a03616263", .chaCha20Poly1305),
    ("Credential", "".canonicalBytes, "", .aes256GCM),
    ("Note", UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)).canonicalBytes, "1001", .aes256GCM),
    ("Note", Int64(-2).canonicalBytes, "1001", .chaCha20Poly1305),
  ]

  @Test func goldenRowsOpenForEver() throws {
    let golden = try Self.stored()
    let sealing = SealingKey(SecretBytes(Data([UInt8](hex: golden.masterKey))), source: .masterKey)
    let key = try Opener(keys: [sealing]).open(Data([UInt8](hex: golden.envelope)), identity: Self.identity)
    let sealer = try #require(
      RecordSealer(database: Self.identity.database, keys: [golden.number: key], algorithm: .aes256GCM))
    #expect(golden.rows.count == Self.rows.count)
    for row in golden.rows {
      let key = Data([UInt8](hex: row.key))
      let message = try sealer.open(Data([UInt8](hex: row.sealed)), record: row.record, key: key)
      #expect([UInt8](message).hex == row.message)
      #expect(try sealer.blindIndex(key, record: row.record, field: 6) == row.blindIndex)
    }
  }

  /// If the file is missing, the test writes it and fails. A new file must be reviewed before it is kept.
  @Test func rowsAreSealedTheSameToday() throws {
    let today = try Self.sealed()
    guard FileManager.default.fileExists(atPath: Self.url.path) else {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try (encoder.encode(today) + Data("\n".utf8)).write(to: Self.url)
      Issue.record("Recorded golden_rows.json")
      return
    }
    #expect(try Self.stored() == today)
  }

  #if os(Linux) || os(macOS)
    @Test(.enabled(if: Python.cryptography != nil, "needs Python with the package cryptography"))
    func anotherProgramOpensThemFromTheDocument() throws {
      let lines = try #require(Python.cryptography).lines("open_row.py", [Self.url.path], beside: #filePath)
      #expect(try lines == Self.stored().rows.map { "\($0.message) \($0.blindIndex)" })
    }
  #endif

  private static func stored() throws -> Golden {
    try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
  }

  private static func sealed() throws -> Golden {
    let randomness = countingRandomness()
    let sealing = Sealer(
      key: SealingKey(SecretBytes(masterKey), source: .masterKey), algorithm: .chaCha20Poly1305, randomness: randomness)
    let envelope = try sealing.seal(
      recordKey, identity: identity, writtenAt: Date(timeIntervalSince1970: 1_700_000_000))
    let sealedRows = try rows.map { row in
      let sealer = try #require(
        RecordSealer(
          database: identity.database, keys: [identity.number: recordKey], algorithm: row.algorithm,
          randomness: randomness))
      let sealed = try sealer.seal(Data([UInt8](hex: row.message)), record: row.record, key: row.key)
      return try Golden.Row(
        record: row.record, key: [UInt8](row.key).hex, sealed: [UInt8](sealed).hex, message: row.message,
        blindIndex: sealer.blindIndex(row.key, record: row.record, field: 6))
    }
    return Golden(
      masterKey: [UInt8](masterKey).hex, number: identity.number,
      identity: ["fileSystem", "directory", "applicationSupport", nil, identity.database],
      envelope: [UInt8](envelope).hex, rows: sealedRows)
  }

  /// Bytes that count upwards: the same in each run.
  private static func countingRandomness() -> Randomness {
    let next = Lock<UInt8>(1)
    return Randomness { buffer in
      for index in buffer.indices {
        buffer[index] = next.withLock { value in
          defer { value &+= 1 }
          return value
        }
      }
    }
  }
}
