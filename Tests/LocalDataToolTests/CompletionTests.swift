#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Tests of the completions that an editor offers while code is written.
  @Suite struct CompletionTests {
    private static let project = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let source = """
      import LocalData

      extension StorageKey where Value == String? {
        static var draft: StorageKey<String?> {
          StorageKey<String?>(name: "draft", domain: .userDefaults(), owner: "Tests", description: "A text.")
        }
      }

      extension StorageKey where Value == String {
        static var nickname: StorageKey<String> {
          StorageKey<String>(name: "nickname", domain: .userDefaults(), default: "", owner: "Tests", description: "A text.")
        }
      }

      func save(_ router: StorageRouter) async throws {
        try await router.set("a", for: .)
      }
      """

    /// Without the overload for optional values, `Value` is `String`, and no key without a default is offered.
    @Test func settingAValueOffersKeysWithAndWithoutADefault() throws {
      let folder = try ScratchFolder()
      let file = folder.url.appending(path: "App.swift")
      try Data(Self.source.utf8).write(to: file)
      let end = try ChildProcess.run(
        "/usr/bin/env",
        [
          "python3", Self.project.appending(path: "Tests/Support/editor/completions.py").path, file.path, "for: .",
          "-module-name", "App", "-swift-version", "6",
        ] + BuiltProducts.moduleArguments)
      let labels = Set(end.output.split(separator: "\n").map(String.init))
      #expect(end.code == 0)
      #expect(labels.isSuperset(of: ["draft", "nickname"]), "\(end.output)")
    }
  }
#endif
