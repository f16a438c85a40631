@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary
import Testing

@Suite("Sealed parts of rows") struct SealedPartTests {
  private let message = Data("the message".utf8)
  private let key = Data("row".utf8)

  @Test(arguments: EncryptionAlgorithm.allCases) func aPartOpensInItsRow(_ algorithm: EncryptionAlgorithm) throws {
    let sealer = try sealer(algorithm: algorithm)
    for message in [message, Data(), Data(count: 100_000)] {
      let sealed = try sealer.seal(message, record: "Secret", key: key)
      #expect(sealed.count == message.count + 34)
      #expect(try sealer.open(sealed, record: "Secret", key: key) == message)
      // The slice of a larger buffer has another first index.
      #expect(try sealer.open((Data(count: 3) + sealed).dropFirst(3), record: "Secret", key: key) == message)
    }
    #expect(try sealer.seal(message, record: "Secret", key: key) != sealer.seal(message, record: "Secret", key: key))
  }

  @Test(arguments: EncryptionAlgorithm.allCases) func aChangedByteIsFound(_ algorithm: EncryptionAlgorithm) throws {
    let sealer = try sealer(algorithm: algorithm)
    let sealed = try sealer.seal(message, record: "Secret", key: key)
    for index in sealed.indices {
      for bit: UInt8 in [1, 3, 128] {
        var changed = sealed
        changed[index] ^= bit
        let isVersion = index == 0 || index == 1 && changed[index] != 1 && changed[index] != 2
        let expected =
          isVersion ? StorageProblem.unknownFormatVersion : 2..<6 ~= index ? .keyMaterialMissing : .authenticationFailed
        #expect(throws: expected, "\(index)") {
          try sealer.open(changed, record: "Secret", key: key)
        }
      }
    }
  }

  @Test func aShorterOrLongerPartIsRefused() throws {
    let sealer = try sealer()
    let sealed = try sealer.seal(message, record: "Secret", key: key)
    for count in 0..<sealed.count {
      #expect(throws: count < 34 ? StorageProblem.corrupted : .authenticationFailed, "\(count)") {
        try sealer.open(sealed.prefix(count), record: "Secret", key: key)
      }
    }
    #expect(throws: StorageProblem.authenticationFailed) {
      try sealer.open(sealed + [0], record: "Secret", key: key)
    }
  }

  @Test func aPartOpensNowhereElse() throws {
    let sealed = try sealer().seal(message, record: "Secret", key: key)
    let others: [(RecordSealer, String, Data)] = try [
      (sealer(), "Secret", Data("ro".utf8)), (sealer(), "Secret", Data()), (sealer(), "Secre", Data("trow".utf8)),
      (sealer(), "Note", key), (sealer(database: "other"), "Secret", key), (sealer(keys: [1: 9]), "Secret", key),
    ]
    for (sealer, record, key) in others {
      #expect(throws: StorageProblem.authenticationFailed) { try sealer.open(sealed, record: record, key: key) }
    }
    let other = try self.sealer(keys: [2: 7])
    #expect(throws: StorageProblem.keyMaterialMissing) { try other.open(sealed, record: "Secret", key: key) }
  }

  @Test func theNewestKeySealsAndAllKeysOpen() throws {
    let old = try sealer().seal(message, record: "Secret", key: key)
    let both = try sealer(keys: [1: 7, 2: 8])
    #expect(try both.open(old, record: "Secret", key: key) == message)
    let new = try both.seal(message, record: "Secret", key: key)
    #expect(try sealer(keys: [2: 8]).open(new, record: "Secret", key: key) == message)
    #expect(RecordSealer(database: "notes", keys: [:], algorithm: .aes256GCM) == nil)
  }

  @Test func blindIndexesDependOnValueFieldRecordAndKey() throws {
    let sealer = try sealer()
    let index = try sealer.blindIndex(key, record: "Secret", field: 6)
    #expect(try self.sealer(algorithm: .aes256GCM).blindIndex(key, record: "Secret", field: 6) == index)
    let others = try [
      sealer.blindIndex(Data("rov".utf8), record: "Secret", field: 6),
      sealer.blindIndex(key, record: "Secret", field: 7),
      sealer.blindIndex(key, record: "Note", field: 6),
      self.sealer(keys: [1: 8]).blindIndex(key, record: "Secret", field: 6),
    ]
    #expect(Set(others + [index]).count == 5)
  }

  @Test func descriptionsContainNoKey() throws {
    let sealer = try sealer()
    _ = try sealer.seal(message, record: "Secret", key: key)
    var dumped = ""
    dump(sealer, to: &dumped)
    #expect("\(sealer)" == "RecordSealer(redacted)")
    #expect(dumped.split(separator: "\n").count == 1)
  }

  private func sealer(
    database: String = "notes", keys: [UInt32: UInt8] = [1: 7], algorithm: EncryptionAlgorithm = .chaCha20Poly1305
  ) throws -> RecordSealer {
    let keys = keys.mapValues { SecretBytes(Data(repeating: $0, count: 32)) }
    return try #require(RecordSealer(database: database, keys: keys, algorithm: algorithm))
  }
}
