#if os(Linux)
  import Foundation
  import LocalData

  /// A run of the probe with the standard folders of an app, which depend on the environment.
  struct HomeCommand {
    private let words: [String]

    init?(_ arguments: ArraySlice<String>) {
      words = Array(arguments)
      guard words.count >= 3, words[0] == "home" else { return nil }
    }

    func run() async -> Int32 {
      let configuration = StorageConfiguration(applicationName: words[1])
      let router = StorageRouter(configuration: configuration)
      let keys = [StorageDomain.userDefaults(), .fileSystem(directory: .documents)].map { domain in
        StorageKey(
          name: "counter", domain: domain, security: .none, default: 0, owner: "Tests", description: "A counter.")
      }
      do throws(StorageError) {
        switch words[2] {
        case "roots":
          let roots = configuration.roots
          for folder in [roots.data, roots.caches, roots.groups, roots.foundationDefaults] { print(folder.path) }
        case "get": for key in keys { print(try await router.get(key)) }
        case "set": for key in keys { try await router.set(Int(words[3]) ?? 0, for: key) }
        default: return 64
        }
        return 0
      } catch {
        print(error)
        return 3
      }
    }
  }
#endif
