import Foundation
import LocalData

/// One run of the probe.
struct ProbeCommand {
  private let store: any ValueStore
  private let locations: StorageLocations
  private let address: StorageAddress
  private let verb: String
  private let numbers: [Int]
  /// A Boolean value that indicates whether the process ends as if it were killed: nothing is closed, and the files
  /// beside a database stay.
  private let isAbandoned: Bool

  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    if rest.first == "--umask" {
      rest.removeFirst()
      guard let mask = rest.popFirst().flatMap({ mode_t($0) }) else { return nil }
      umask(mask)
    }
    let words = Array(rest)
    guard words.count >= 4 else { return nil }
    let roots = StorageRoots(below: URL(fileURLWithPath: words[1]))
    locations = StorageLocations(
      StorageConfiguration(applicationName: "Probe", roots: roots), FileStorageConfiguration())
    // A disk that the whole machine waits for is not what tests are about.
    let patience = Duration.seconds(60)
    switch words[0] {
    case "preferences":
      store = UserDefaultsHelper(locations, patience: patience)
      address = StorageAddress(container: .preferences(suite: nil), name: words[3])
    case "files":
      store = FileStorageHelper(locations, patience: patience)
      address = StorageAddress(container: .directory(.documents), name: words[3])
    case "keychain":
      store = KeychainHelper(in: locations.appFolder)
      address = StorageAddress(
        container: .keychain(service: "probe", accessGroup: nil, synchronizable: false), name: words[3])
    default: return nil
    }
    verb = words[2]
    numbers = words.dropFirst(4).compactMap(Int.init)
    isAbandoned = words.last == "--abandon"
  }

  func run() -> Int32 {
    do throws(StorageProblem) {
      try perform()
      if isAbandoned { kill(getpid(), SIGKILL) }
      return 0
    } catch {
      print("fault: \(error)")
      return 3
    }
  }

  private func perform() throws(StorageProblem) {
    let attributes = StorageAttributes()
    switch verb {
    case "read":
      let bytes = try store.read(address, attributes)
      print(bytes.map { "\($0.count) bytes of \($0.first ?? 0)" } ?? "absent")
    case "write": try store.write(value, to: address, attributes)
    case "update":
      let bytes = value
      try store.update(address, attributes) { _ in .write(bytes) }
    case "remove": try store.remove(address, attributes)
    case "increment":
      for _ in 0..<(numbers.first ?? 1) {
        try store.update(address, attributes) { old in
          let count = old.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
          return .write(Data(String(count + 1).utf8))
        }
      }
    case "writeDurably":
      try store.write(value, to: address, attributes)
      try store.makeDurable(address.container)
    case "scan":
      var count = 0
      for container in try [address.container] + locations.customDirectories(of: .app) {
        guard let folder = try locations.folder(of: container).open(creating: false) else { continue }
        try FileScan(limit: 4).run(in: folder) { (value) throws(StorageProblem) in
          count += try value.beginningIfOfLibrary() == nil ? 0 : 1
          return true
        }
      }
      print("\(count) values")
    case "makeDurable": try store.makeDurable(address.container)
    #if os(Linux)
      case "fork": try fork(attributes)
    #endif
    default: throw .invalidName
    }
  }

  #if os(Linux)
    /// Uses the store in a forked process, and then in this one.
    private func fork(_ attributes: StorageAttributes) throws(StorageProblem) {
      try store.write(value, to: address, attributes)
      let child = forkedProcess()
      if child == 0 {
        use("child", attributes)
        fflush(nil)
        _exit(0)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      use("parent", attributes)
    }

    private func use(_ name: String, _ attributes: StorageAttributes) {
      do throws(StorageProblem) {
        let bytes = try store.read(address, attributes)
        print("\(name) reads \(bytes.map { "\($0.count) bytes" } ?? "nothing")")
      } catch { print("\(name) cannot read: \(error)") }
      do throws(StorageProblem) {
        try store.write(value, to: address, attributes)
        print("\(name) writes")
      } catch { print("\(name) cannot write: \(error)") }
    }
  #endif

  /// As many bytes as the first number says, all of the second.
  private var value: Data { Data(repeating: UInt8(numbers.last ?? 0), count: numbers.first ?? 0) }
}

#if os(Linux)
  /// Forks this process, and returns 0 in the child. Swift offers no fork: a child has one thread alone.
  func forkedProcess() -> pid_t {
    guard let symbol = dlsym(nil, "fork") else { return -1 }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
  }
#endif
