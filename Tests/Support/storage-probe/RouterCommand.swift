import Foundation
import LocalData
import LocalDataMaintenance
import LocalDataSync
import ProbeKeys

/// A run of the probe through a router: the same keys in every process.
struct RouterCommand {
  private let router: StorageRouter
  private let key: StorageKey<Int>
  private let verb: String
  private let number: Int
  private let last: String

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count >= 4, words[0] == "router" else { return nil }
    let isSynced = words[2] == "synced"
    guard let address = isSynced ? .files : ProbeAddress(rawValue: words[2]) else { return nil }
    // A burst tests how many calls end within the deadline.
    let configuration = StorageConfiguration.probe(in: words[1], timeout: .seconds(words[3] == "burst" ? 10 : 60))
    router =
      words[3] == "quarantineOvertaken"
      ? StorageRouter(configuration: configuration) { setup in
        var services = StorageServices.live(setup)
        // Another process writes a number before each update.
        services.files = DelayingStore(base: services.files) { (store, address, attributes) throws(StorageProblem) in
          try CallDeadline.requireWaiting()
          try store.write(Data("41".utf8), to: address, attributes)
        }
        return services
      } : StorageRouter(configuration: configuration)
    // No catalog names the feature.
    if isSynced { router.sync.setTransport(nil) }
    key = StorageKey(
      name: "counter", domain: address.domain, security: address.security, default: 0, owner: "Tests",
      description: "A counter that processes share.", syncPolicy: isSynced ? .manual : .never)
    last = words.last ?? ""
    verb = words[3]
    number = words.count > 4 ? Int(words[4]) ?? 0 : 0
  }

  func run() async -> Int32 {
    do throws(StorageError) {
      switch verb {
      case "get":
        for _ in 1..<max(number, 1) { _ = try await router.get(key) }
        print(try await router.get(key))
      // The first use of each key.
      case "firstGets": for member in 0..<number { _ = try await router.get(self.member(member)) }
      case "firstSets": for member in 0..<number { try await router.set(member, for: self.member(member)) }
      // What is stored is a text.
      case "quarantine", "quarantineOvertaken": print(try await router.get(key.quarantining))
      case "quarantineNow": print(try router.value(key.quarantining))
      case "removeQuarantined": try await router.remove(key.quarantining)
      case "restore", "clearQuarantine":
        try ProbeCatalog.register([.key(key.spoiling)], on: router)
        let values = try await router.maintenance.quarantined()
        if verb == "restore" {
          for value in values { try await router.maintenance.restore(value) }
        } else {
          print(try await router.maintenance.removeQuarantined(values))
        }
      case "spoil": try await router.set("abc", for: key.spoiling)
      case "set": try await router.set(number, for: key)
      case "increment": for _ in 0..<number { try await router.update(key) { $0 += 1 } }
      case "apply":
        try router.registerCatalog(SyncedCounter.self)
        let payload = try? Data(contentsOf: URL(fileURLWithPath: last))
        for event in await router.sync.receive(payload ?? Data()) { print(event) }
      case "create": return await create()
      case "remove": try await router.remove(key)
      case "burst": try await burst()
      #if os(Linux)
        case "fork": await fork()
      #endif
      default: return 64
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }
}

extension RouterCommand {
  /// Prints the value of a key, which is created unless another process was first.
  private func create() async -> Int32 {
    let created = StorageKey<Int?>(
      name: "created", domain: key.domain, security: key.security, owner: "Tests", description: "Created once.")
    do {
      print(try await router.get(created, orSet: number))
      return 0
    } catch {
      print(error)
      return 3
    }
  }

  #if os(Linux)
    /// Uses the router in a forked process, and then in this one.
    ///
    /// On the main actor, a call of the child would wait for a thread that only the parent has.
    @concurrent private func fork() async {
      await use("parent")
      let child = forkedProcess()
      if child == 0 {
        await use("child")
        fflush(nil)
        _exit(0)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      await use("parent")
    }

    private func use(_ name: String) async {
      do throws(StorageError) {
        try await router.set(number, for: key)
        print("\(name) sets")
      } catch { print("\(name) cannot set: \(error)") }
      do throws(StorageError) {
        print("\(name) gets \(try await router.get(key))")
      } catch { print("\(name) cannot get: \(error)") }
      fflush(nil)
    }
  #endif

  /// Sets as many members of a family as the number says, all at once, and reads them again.
  private func burst() async throws(StorageError) {
    let results = await withTaskGroup(of: Result<Void, StorageError>.self) { group in
      for member in 0..<number {
        let (router, key) = (router, self.member(member))
        group.addTask {
          do throws(StorageError) { return .success(try await router.set(member, for: key)) } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for result in results { try result.get() }
    // What happens after the last set does not matter here.
    if last == "--abandon" { kill(getpid(), SIGKILL) }
    var stored = 0
    for member in 0..<number where try await router.get(self.member(member)) == member { stored += 1 }
    print("\(stored) stored")
  }

  private func member(_ number: Int) -> StorageKey<Int> {
    StorageKey(
      name: "counter_\(number)", domain: key.domain, security: key.security, default: -1, owner: "Tests",
      description: "A member.", options: StorageKeyOptions(declaredName: "counter_{number}"))
  }
}

/// The catalog of the key that a paired device knows too.
private enum SyncedCounter: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] {
    [
      .key(
        StorageKey(
          name: "counter", domain: .fileSystem(directory: .documents), security: .none, default: 0, owner: "Tests",
          description: "A counter that processes share.", syncPolicy: .manual))
    ]
  }
}
