// Apps on iOS and watchOS start no processes.
#if os(Linux) || os(macOS)
  import Foundation
  import LocalData
  import LocalDataImport
  import LocalDataRecords
  import TestSupport
  import Testing

  /// Stores that a program in Python has written, and that it has read by its own statements. Its last rows are in logs alone.
  struct ForeignStoreTests {
    /// What the program has read.
    private struct Reading: Decodable {
      struct Credential: Decodable {
        let id: String
        let format: String
        let exp: Double?
        let photo: Data?
      }

      struct History: Decodable {
        let rp: String
        let credentialID: String
        let claims: [[String?]]
        let labels: [String]
      }

      struct Note: Decodable {
        let id: String
        let text: String
        let mood: String?
        let stars: Int
        let written: Double
        let size: Int?
        let parentID: String?
      }

      let credentials: [Credential]
      let histories: [History]
      let notes: [Note]
    }

    private let stores: OldStores

    init() throws { stores = try OldStores() }

    /// Writes the stores, and returns what the program has read.
    private func write(_ seed: Int) throws -> Reading {
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Stores/old_stores.py")
      let data = stores.wallet.deletingLastPathComponent()
      let end = try ChildProcess.run("/usr/bin/env", ["python3", script.path, data.path, "\(seed)"])
      try #require(end.code == 0, "\(end.output.suffix(2_000))")
      let notes = stores.notes.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: notes, withIntermediateDirectories: true)
      for suffix in ["", "-wal"] {
        try FileManager.default.moveItem(
          atPath: data.appendingPathComponent("notes.sqlite").path + suffix, toPath: stores.notes.path + suffix)
      }
      try stores.storeKey("k1")
      return try JSONDecoder().decode(Reading.self, from: Data(end.output.utf8))
    }

    @Test(arguments: 1...8) func theImportEqualsTheReadingOfAnotherProgram(seed: Int) async throws {
      let reading = try write(seed)
      let before = try stores.bytes(of: stores.wallet) + stores.bytes(of: stores.notes)
      try #require(before.allSatisfy { !$0.isEmpty })
      let router = try stores.launch()

      let credentials = reading.credentials.map {
        Credential(
          id: $0.id, format: $0.format, exp: $0.exp.map { Date(timeIntervalSinceReferenceDate: $0) }, photo: $0.photo)
      }
      #expect(try await router.credentials.fetchAll().sorted { $0.id < $1.id } == credentials)

      let histories = try await router.histories.fetchAll().sorted { $0.rp < $1.rp }
      #expect(histories.map(\.credentialID) == reading.histories.map(\.credentialID))
      #expect(
        histories.map { $0.claims.map { [$0.claimKey, $0.claimValue, $0.purpose] } } == reading.histories.map(\.claims))
      #expect(histories.map { $0.labels.map(\.claimKey) } == reading.histories.map(\.labels))

      let notes = reading.notes.map {
        Note(
          id: $0.id, text: $0.text, mood: $0.mood.flatMap { Mood(rawValue: $0) }, stars: $0.stars,
          written: Date(timeIntervalSince1970: $0.written), size: $0.size, parentID: $0.parentID)
      }
      #expect(try await router.notes.fetchAll().sorted { $0.id < $1.id } == notes)

      #expect(try await router.imports.reports().map(\.leftOut) == [0, 0, 0])
      #expect(try stores.bytes(of: stores.wallet) + stores.bytes(of: stores.notes) == before)
    }
  }
#endif
