#if os(Linux)
  import Foundation
  import StorageVocabulary
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

    #if os(Linux)
      private func foundation<Value: Codable & Sendable>(
        _ name: String, _ suite: String? = nil, as type: Value.Type = Value.self
      ) -> StorageKey<Value?> {
        key(
          name, Value.self, .userDefaults(suite: suite), serializer: .propertyList,
          options: StorageKeyOptions(legacy: true, foundation: true))
      }

      private func write(_ values: [String: Any], to suite: String) throws -> Data {
        let folder = scratch.url.appendingPathComponent("config")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bytes = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        try bytes.write(to: folder.appendingPathComponent("\(suite).plist"))
        return bytes
      }

      private func plist(_ suite: String) throws -> Data {
        try Data(contentsOf: scratch.url.appendingPathComponent("config/\(suite).plist"))
      }

      @Test func whatFoundationsUserDefaultsWroteIsReadAndLeftAlone() async throws {
        let written = try write(["token": "abc", "launches": 7, "tags": ["a", "b"]], to: "com.example.old")
        let token = imported("token", from: foundation("token", "com.example.old", as: String.self))
        let launches = imported("launches", from: foundation("launches", "com.example.old", as: Int.self), .none)
        let tags = imported("tags", from: foundation("tags", "com.example.old", as: [String].self), .recommended)
        #expect(try await router().exists(token))
        #expect(try await router().get(token) == "abc")
        #expect(try await router().get(launches) == 7)
        #expect(try await router().get(tags) == ["a", "b"])
        #expect(try plist("com.example.old") == written)
        // The value cannot be removed from the source. It does not reappear nevertheless.
        try await router().remove(token)
        try await router().set(8, for: launches)
        #expect(try await router().get(token) == nil)
        #expect(try await router().exists(token) == false)
        #expect(try await router().get(launches) == 8)
      }

      @Test func whatIsRemovedBeforeItWasImportedStaysRemoved() async throws {
        _ = try write(["token": "abc"], to: "com.example.old")
        let token = imported("token", from: foundation("token", "com.example.old", as: String.self))
        try await router().remove(token)
        #expect(try await router().get(token) == nil)
      }

      @Test func aDamagedListIsAnErrorAndNotAbsent() async throws {
        _ = try write([:], to: "com.example.old")
        try Data("<plist>".utf8).write(to: scratch.url.appendingPathComponent("config/com.example.old.plist"))
        let token = imported("token", from: foundation("token", "com.example.old", as: String.self))
        await #expect(throws: StorageError.corrupted(.init(key: "token", domain: .userDefaults, sourceOf: token.name)))
        {
          try await router().get(token)
        }
      }
    #endif

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
