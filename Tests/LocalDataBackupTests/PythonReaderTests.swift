// Apps on iOS and watchOS start no processes.
#if os(Linux) || os(macOS)
  import ExampleKeys
  import Foundation
  import LocalData
  import LocalDataBackup
  import LocalDataRecords
  @_spi(Generated) import LocalDataSigning
  import RuntimeTestSupport
  import TestSupport
  import Testing

  struct PythonReaderTests {
    /// An interpreter with the module `cryptography`, or nil if there is none.
    private static let python: String? = {
      let path = "/usr/bin/python3"
      guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
      let end = try? ChildProcess.run(path, ["-c", "import cryptography.hazmat.primitives.ciphers.aead"])
      return end?.code == 0 ? path : nil
    }()

    @Test(.enabled(if: python != nil)) func readerOfTheFormatReadsEachRow() async throws {
      let app = try WalletApp()
      try await app.fill(credentials: 900, histories: 2)
      let file = try await app.router.backups.export(.full, passphrase: "caf\u{e9} passphrase")
      #expect(try Data(contentsOf: file.url).count > 1 << 17)
      let end = try ChildProcess.run(
        try #require(Self.python), [Self.script, "cafe\u{301} passphrase", file.url.path])
      try #require(end.code == 0, "\(end.output.suffix(2_000))")
      let lines = end.output.split(separator: "\n")
      #expect(lines.filter { $0.hasPrefix("Credential ") }.count == 900)
      #expect(lines.contains { $0.hasPrefix("SharingHistory ") && $0.contains("'claimValue': 'Ada 1'") })
      #expect(lines.last == "use_dpop false")
    }

    @Test(.enabled(if: python != nil)) func readerOfTheFormatReadsEachPair() async throws {
      let family = PairFamily.confirmed
      let router = try RelaunchedApp().launch()
      try router.registerCatalog(PairTests.Catalog.self)
      for rp in ["a", "b"] { try await router.signingKey(family.pair(rp)).create() }
      let file = try await router.backups.export(family.backup, passphrase: PairTests.passphrase)
      let end = try ChildProcess.run(try #require(Self.python), [Self.script, PairTests.passphrase, file.url.path])
      try #require(end.code == 0, "\(end.output.suffix(2_000))")
      var lines: [String] = []
      for rp in ["a", "b"] {
        let key = try await router.signingKey(family.pair(rp)).publicKey()
        lines.append("seal_of_{rp} \(rp) \(key.x963.map { String(format: "%02x", $0) }.joined())\n")
      }
      #expect(end.output == lines.joined())
    }

    private static let script =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("read_backup.py").path
  }
#endif
