#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Transactions of several processes.
  @Suite struct TransactionProcessTests {
    @Test(arguments: ["preferences", "keychain", "encryptedFiles"])
    func allProcessesGetTheSameValue(_ word: String) throws {
      let fixture = try StoreFixture()
      let children = try (1...6).map { number in
        try ChildProcess(ChildProcess.probe, ["router", fixture.folder.path, word, "create", "\(number)"])
      }
      let ends = children.map { $0.wait() }
      #expect(Set(ends.map(\.code)) == [0])
      #expect(Set(ends.map(\.line)).count == 1)
    }
  }
#endif
