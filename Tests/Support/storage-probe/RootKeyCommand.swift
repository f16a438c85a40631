#if os(Linux)
  import Foundation
  import LocalData
  import LocalDataMaintenance

  /// A run of the probe that changes the source of a keystore's root key, or reads a value of the keystore.
  struct RootKeyCommand {
    private let sources: [RootKeySource]
    private let folder: String
    private let verb: String

    init?(_ arguments: ArraySlice<String>) {
      let words = Array(arguments)
      guard words.count >= 4, words[0] == "rootKey" else { return nil }
      (folder, verb) = (words[1], words[2])
      sources = words.dropFirst(3).map { $0 == "keyFile" ? .keyFile : .systemdCredential(name: $0) }
      // Beside the folder, so that calls on it are not among those that a test fails.
      setenv("CREDENTIALS_DIRECTORY", URL(fileURLWithPath: folder).deletingLastPathComponent().path + "/credentials", 1)
    }

    func run() async -> Int32 {
      do throws(StorageError) {
        switch verb {
        case "change":
          guard sources.count == 2 else { return 64 }
          print(try await router(sources[1]).maintenance.changeRootKeySource(from: sources[0]))
        case "get": print(try await router(sources[0]).get(Self.key) ?? "nothing")
        default: return 64
        }
        return 0
      } catch {
        print("fault: \(error)")
        return 3
      }
    }

    private func router(_ source: RootKeySource) -> StorageRouter {
      StorageRouter(
        configuration: .probe(in: folder, rootKeySource: source))
    }

    private static let key = StorageKey<String?>(
      name: "value", domain: .keychain(), security: .keychain(), owner: "Tests", description: "A value.")
  }
#endif
