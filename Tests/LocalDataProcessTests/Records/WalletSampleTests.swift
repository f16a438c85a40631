// Apps on iOS and watchOS start no processes.
#if os(Linux) || os(macOS)
  import Foundation
  import TestSupport
  import Testing

  /// The folder that the sample of a wallet leaves.
  struct WalletSampleTests {
    /// What the sample stores, and may be readable in no file.
    private static let secrets = [
      "legal winner thank year", "eyJ…0", "eyJ…1", "eyJ…2", "eyJ…3", "Ada of London", "Grace of Arlington", "age check",
      "a-token", "vc+sd-jwt", "university.example", "city.example", "state.example", "correct horse",
    ]

    @Test func noFileContainsASecret() throws {
      let scratch = try ScratchFolder()
      let folder = scratch.url.appendingPathComponent("data").path
      let sample = BuiltProducts.executable("wallet-sample").path
      let end = try ChildProcess.run(sample, [folder])
      try #require(end.code == 0, "\(end.output)")
      let files = try Self.files(in: folder)
      // The verifiers of presentations are plain fields, so the search does find what is readable.
      #expect(files.values.contains { $0.range(of: Data("verifier-0.example".utf8)) != nil })
      for (path, bytes) in files {
        for secret in Self.secrets {
          #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) in \(path)")
          #expect(bytes.range(of: Data(Data(secret.utf8).base64EncodedString().utf8)) == nil, "\(secret) in \(path)")
        }
        let permissions = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.posixPermissions]
        #expect(permissions as? Int == 0o600, "\(path)")
      }
      let again = try ChildProcess.run(sample, [folder])
      #expect(again.code == 1 && again.output == "failed: folderIsInUse\n")
      #expect(try Self.files(in: folder) == files)
    }

    private static func files(in folder: String) throws -> [String: Data] {
      var files: [String: Data] = [:]
      for case let path as String in try #require(FileManager.default.enumerator(atPath: folder)) {
        var isFolder: ObjCBool = false
        let whole = "\(folder)/\(path)"
        guard FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder), !isFolder.boolValue else {
          continue
        }
        files[path] = try Data(contentsOf: URL(fileURLWithPath: whole))
      }
      return files
    }
  }
#endif
