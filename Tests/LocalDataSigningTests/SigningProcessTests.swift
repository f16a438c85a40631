#if os(Linux)
  import Foundation
  import LocalData
  import TestSupport
  import Testing

  @testable import LocalDataSigning

  /// Pairs that several processes create in one keystore.
  @Suite struct SigningProcessTests {
    @Test(arguments: ["device", "confirmed"]) func eightProcessesMakeOnePair(_ name: String) async throws {
      let folder = try ScratchFolder()
      await withTaskGroup { group in
        for index in 0..<8 {
          group.addTask { [folder = folder.url.path] in
            await #expect(processExitsWith: .success) {
              [folder = folder as String, name = name as String, index = index as Int] in
              try await creatingProcess(folder, name, index)
            }
          }
        }
      }
      let results = try (0..<8).map { try String(contentsOf: folder.url.appending(path: "\($0)"), encoding: .utf8) }
      let created = results.filter { $0.hasPrefix("created") }
      #expect(created.count == 1)
      #expect(Set(results.map { $0.split(separator: "\n").last }).count == 1)
      let router = try diskRouter(folder.url.path)
      #expect(try await router.members(of: .confirmedParts).count == (name == "confirmed" ? 1 : 0))
      _ = try await router.signingKey(pair(name)).sign(Data())
    }

    /// The files of the keystore contain no private key in plain.
    @Test func privateKeyIsInNoFile() async throws {
      let folder = try ScratchFolder()
      let router = try diskRouter(folder.url.path)
      var secrets: [Data] = []
      for key in [StorageSigningKey.device, .confirmed] {
        try await router.signingKey(key).create()
        let value = try SigningValue(try #require(try await router.get(key.item)))
        var secret: Data? = value.privatePart
        if value.privatePart.isEmpty { secret = try await router.get(key.privateItem(of: value.publicKey)) }
        secrets.append(try #require(secret))
      }
      for case let file as URL in try #require(
        FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)) where !file.hasDirectoryPath
      {
        let bytes = try Data(contentsOf: file)
        for secret in secrets { #expect(bytes.range(of: secret) == nil, "\(file.lastPathComponent)") }
      }
    }
  }

  private func pair(_ name: String) -> StorageSigningKey { name == "device" ? .device : .confirmed }

  private func diskRouter(_ folder: String) throws -> StorageRouter {
    let router = StorageRouter(
      configuration: StorageConfiguration(
        applicationName: "Signing", roots: StorageRoots(below: URL(fileURLWithPath: folder)), timeout: .seconds(60)))
    try router.registerCatalog(SigningCatalog.self)
    return router
  }

  /// Creates a pair, and writes whether it did and the public key into a file.
  private func creatingProcess(_ folder: String, _ name: String, _ index: Int) async throws {
    let pair = try diskRouter(folder).signingKey(pair(name))
    var result = "created"
    do throws(StorageError) { try await pair.create() } catch {
      guard error.code == .alreadyStored else { throw error }
      result = "found"
    }
    let text = try await "\(result)\n\(pair.publicKey().jwk)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder).appending(path: "\(index)"))
  }
#endif
