#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// Tests of values that an app stored with the system's own calls before it used the library.
  @Suite struct ImportMigrationTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func router() -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", applicationVersion: "1.0", roots: StorageRoots(below: scratch.url)))
    }

    private func imported<Value: Codable & Sendable>(
      _ name: String, from source: StorageKey<Value?>, _ security: SecurityPolicy = .keychain()
    ) -> StorageKey<Value?> {
      key(name, Value.self, security == .none ? .userDefaults() : .keychain(), security) { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))
      }
    }

    @Test func aPlainFileIsImportedAndRemoved() async throws {
      let folder = scratch.url.appendingPathComponent("data/documents")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("notes.txt")
      try Data("plain text".utf8).write(to: file)
      let source = key("notes.txt", String.self, .fileSystem(directory: .documents), serializer: .data)
      let notes = imported("notes", from: source, .recommended)
      #expect(try await router().get(notes) == "plain text")
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func aRawItemOfTheKeychainIsImported() async throws {
      let source = key("password", Data.self, .keychain(service: "old"), .keychain(), serializer: .data)
      try await router().set(Data([1, 2, 3]), for: source)
      let secret = imported("secret", from: source, .recommended)
      #expect(try await router().get(secret) == Data([1, 2, 3]))
      #expect(try await router().exists(source) == false)
    }
  }
#endif
