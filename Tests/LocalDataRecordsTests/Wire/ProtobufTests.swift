// Apps on iOS and watchOS start no processes.
#if os(Linux) || os(macOS)
  @testable import LocalDataRecords
  import LocalDataSystem
  import TestSupport
  import Testing

  @Suite("Messages of Google's protobuf", .enabled(if: Python.protobuf != nil, "needs Python with protobuf"))
  struct ProtobufTests {
    @Test func messagesAreWrittenAgainWithTheSameBytes() throws {
      for line in try lines(["make", "1000", "0"]) {
        let bytes = [UInt8](hex: line)
        #expect(try Sample(bytes: bytes).bytes == bytes)
      }
    }

    @Test func fieldsOfANewerSchemaSurvive() throws {
      let pairs = try lines(["make", "1000", "1"]).map { line in
        try "\(line) \(Sample(bytes: [UInt8](hex: line)).bytes.hex)\n"
      }
      #expect(pairs.count == 1_000)
      #expect(try lines(["check"], input: pairs.joined()) == ["equal"])
    }

    /// A message is refused exactly if protobuf refuses it, and otherwise has the same values.
    @Test func damagedMessagesAreReadAsProtobufReadsThem() throws {
      var counts = (read: 0, refused: 0)
      for line in try lines(["damage", "3000"]) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        try #require(words.count == 2)
        let (bytes, answer) = (words[0], words[1])
        switch answer {
        case "?": continue
        case "-":
          counts.refused += 1
          #expect(throws: StorageProblem.self, "\(bytes)") { try Sample(bytes: [UInt8](hex: bytes)) }
        default:
          counts.read += 1
          do throws(StorageProblem) {
            let sample = try Sample(bytes: [UInt8](hex: bytes))
            #expect(sample.bytes.hex == answer, "\(bytes)")
          } catch {
            Issue.record("Refused: \(bytes)")
          }
        }
      }
      #expect(counts.read > 400 && counts.refused > 500)
    }

    private func lines(_ arguments: [String], input: String = "") throws -> [String] {
      try #require(Python.protobuf).lines("protobuf_messages.py", arguments, input: input, beside: #filePath)
    }
  }
#endif
