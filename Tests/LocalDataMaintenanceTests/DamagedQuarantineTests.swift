#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// Files of values that were moved aside, and that are damaged themselves. They are listed, and can be removed.
  @Suite(.findsHangs) struct DamagedQuarantineTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private static let addresses = CorruptionAddress.unsecured.filter { $0.domain.kind == .fileSystem }

    /// Moves a value aside, and returns the path of its file and what is in it.
    private func quarantined(_ address: CorruptionAddress) async throws -> (path: String, bytes: Data) {
      try await app.launch().set("abc", for: address.old())
      #expect(try await app.launch().get(address.key(.quarantine)) == 7)
      let path = app.fixture.path(try #require(try app.quarantined.first))
      return (path, try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func launch(_ address: CorruptionAddress) throws -> StorageRouter {
      let router = app.launch()
      try router.register([.key(address.key(.quarantine))])
      return router
    }

    /// The bytes before the value: magic, count, and the fields of the address.
    private func header(_ bytes: Data) -> Int { bytes.count - Data(#""abc""#.utf8).count }

    @Test(arguments: addresses) func eachBitOfAHeader(_ address: CorruptionAddress) async throws {
      let (path, bytes) = try await quarantined(address)
      let maintenance = try launch(address).maintenance
      var (damaged, later) = (0, 0)
      for bit in 0..<(header(bytes) * 8) {
        var changed = bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        try changed.write(to: URL(fileURLWithPath: path))
        let values = try await maintenance.quarantined()
        // The digit of another version is the exception: a later version may have written it.
        if changed.starts(with: Data("LDABND".utf8)), [3, 5, 9].map({ UInt8(ascii: "0") + $0 }).contains(changed[6]) {
          #expect(values == [], "\(bit)")
          later += 1
          continue
        }
        #expect(values.count == 1, "\(bit)")
        if values.first?.isDamaged == true {
          damaged += 1
          #expect(values.first?.key == StorageError.Subject.none)
          #expect(values.first?.size == bytes.count)
          #expect(values.first?.description == "a damaged file, \(bytes.count) bytes")
        }
        #expect(try await maintenance.removeQuarantined(values) == 1, "\(bit)")
        #expect(try app.quarantined == [], "\(bit)")
      }
      #expect(later == 3)
      // The others are bits of the stored name or of a configured directory, which read as another address.
      #expect(damaged > header(bytes) * 5)
    }

    @Test func aFileThatIsCutShortIsRemovedAndTheOthersStay() async throws {
      let address = try #require(Self.addresses.first)
      let (path, bytes) = try await quarantined(address)
      let other = (path as NSString).deletingLastPathComponent + "/" + String(repeating: "0", count: 32)
      let maintenance = try launch(address).maintenance
      for count in 0..<header(bytes) {
        try bytes.prefix(count).write(to: URL(fileURLWithPath: other))
        let values = try await maintenance.quarantined()
        #expect(values.map(\.isDamaged) == [false, true], "\(count)")
        let damaged = try #require(values.last)
        let error = await #expect(throws: StorageError.self) { try await maintenance.restore(damaged) }
        #expect(error == StorageError(.quarantinedFileDamaged, .none))
        #expect(error?.description.contains("call router.maintenance.removeQuarantined(_:)") == true)
        #expect(try await maintenance.removeQuarantined([damaged]) == 1)
        #expect(try await maintenance.removeQuarantined([damaged]) == 0)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
      #expect(try app.quarantined.count == 1)
    }

    @Test func aFileThatIsDamagedAfterItWasListedIsNotTakenForRestored() async throws {
      let address = try #require(Self.addresses.first)
      let (path, bytes) = try await quarantined(address)
      let maintenance = try launch(address).maintenance
      let value = try #require(try await maintenance.quarantined().first)
      try bytes.prefix(header(bytes) - 1).write(to: URL(fileURLWithPath: path))
      let error = await #expect(throws: StorageError.self) { try await maintenance.restore(value) }
      #expect(error == StorageError(.quarantinedFileDamaged, address.subject))
      #expect(try await maintenance.removeQuarantined([value]) == 1)
      #expect(try await maintenance.restore(value) == false)
    }

    /// The same bytes are moved aside again. Their file has the same name, and is damaged.
    @Test func aDamagedFileInThePlaceOfACopyIsReplaced() async throws {
      let address = try #require(Self.addresses.first)
      let (path, bytes) = try await quarantined(address)
      for damaged in [Data(), bytes.prefix(header(bytes) - 1), Data("damaged".utf8)] {
        try damaged.write(to: URL(fileURLWithPath: path))
        #expect(try await launch(address).maintenance.quarantined().map(\.isDamaged) == [true])
        try await app.launch().set("abc", for: address.old())
        #expect(try await app.launch().get(address.key(.quarantine)) == 7)
        #expect(try await launch(address).maintenance.quarantined().map(\.isDamaged) == [false])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        #expect(try app.quarantined.count == 1)
      }
    }

    @Test func whatIsNotDamagedStays() async throws {
      let address = try #require(Self.addresses.first)
      let (path, bytes) = try await quarantined(address)
      let folder = (path as NSString).deletingLastPathComponent
      var later = bytes
      later[6] = UInt8(ascii: "2")
      try later.write(to: URL(fileURLWithPath: folder + "/" + String(repeating: "1", count: 32)))
      try Data("text".utf8).write(to: URL(fileURLWithPath: folder + "/notes.txt"))
      let maintenance = try launch(address).maintenance
      #expect(try await maintenance.removeQuarantined(try await maintenance.quarantined()) == 1)
      #expect(try app.quarantined.count == 2)
    }

    @Test func damagedFilesCountTowardTheLimitUntilTheyAreRemoved() async throws {
      let address = try #require(Self.addresses.first)
      let (path, _) = try await quarantined(address)
      let folder = (path as NSString).deletingLastPathComponent
      for number in 1..<Quarantine.limit {
        let name = String(repeating: "0", count: 29) + String(String(number + 0x1000, radix: 16).suffix(3))
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
      try await app.launch().set("abcd", for: address.old())
      let key = address.key(.quarantine)
      await #expect(throws: StorageError(.quarantineFull, address.subject)) { try await app.launch().get(key) }
      let maintenance = try launch(address).maintenance
      let damaged = try await maintenance.quarantined().filter(\.isDamaged)
      #expect(try await maintenance.removeQuarantined(damaged) == Quarantine.limit - 1)
      #expect(try await app.launch().get(key) == 7)
      #expect(try await maintenance.quarantined().count == 2)
    }
  }
#endif
