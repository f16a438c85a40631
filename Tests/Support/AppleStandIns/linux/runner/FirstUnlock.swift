import Foundation
import LocalData
import LocalDataTesting
import LocalDataVocabulary

/// Preferences of a suite that no other check uses: what is remembered of a suite lasts until the process ends.
struct UnusedSuite {
  let name = "suite-" + UUID().uuidString
  let locations: StorageLocations
  let store: UserDefaultsHelper
  let attributes = StorageAttributes()

  init(_ locations: StorageLocations = newLocations()) {
    self.locations = locations
    store = UserDefaultsHelper(locations)
  }

  var container: StorageContainer { .preferences(suite: name) }
  func address(_ name: String) -> StorageAddress { StorageAddress(container: container, name: name) }

  /// The suite as other code sees it.
  var others: UserDefaults { UserDefaults(suiteName: name) ?? .standard }

  typealias Call = (what: String, run: (any ValueStore) throws(StorageProblem) -> Void)

  /// Every call about one value, and the two that visit all.
  func calls(_ value: String = "value") -> [Call] {
    let (address, attributes, container) = (address(value), attributes, container)
    return [
      ("read", { store throws(StorageProblem) in _ = try store.read(address, attributes) }),
      ("exists", { store throws(StorageProblem) in _ = try store.exists(address, attributes) }),
      ("remove", { store throws(StorageProblem) in try store.remove(address, attributes) }),
      ("write", { store throws(StorageProblem) in try store.write(Data([1]), to: address, attributes) }),
      ("update", { store throws(StorageProblem) in try store.update(address, attributes) { _ in .write(Data([1])) } }),
      (
        "scan",
        { store throws(StorageProblem) in
          try (store as? UserDefaultsHelper)?.scan(container, upTo: .max) { _ in true }
        }
      ),
      ("names", { store throws(StorageProblem) in try store.names(in: container) { _ in true } }),
    ]
  }

  func names() throws -> [String] {
    var names: [String] = []
    try store.names(in: container) { name in
      names.append(name)
      return true
    }
    return names.sorted()
  }

  /// Asks the system to write all of it.
  var flush: Call {
    let container = container
    return ("makeDurable", { store throws(StorageProblem) in try store.makeDurable(container) })
  }

  /// - Parameter mayWait: False if the call must not wait.
  func expect(
    _ fault: StorageProblem?, _ call: Call, _ store: (any ValueStore)? = nil, mayWait: Bool = true
  ) throws {
    let store = store ?? self.store
    do throws(StorageProblem) {
      if mayWait {
        try call.run(store)
      } else {
        try CallDeadline.withoutWaiting { () throws(StorageProblem) in try call.run(store) }
      }
    } catch { return try require(error == fault, "\(call.what) threw \(error)") }
    try require(fault == nil, "\(call.what) threw nothing")
  }

  /// Makes a file by hand, with its folder.
  func make(_ file: FileLocation, _ bytes: Data) throws {
    try FileManager.default.createDirectory(atPath: file.folder.path, withIntermediateDirectories: true)
    try bytes.write(to: URL(fileURLWithPath: file.path))
  }
}

/// The device before its first unlock: no file of that protection can be read or made.
func firstUnlockChecks(_ checks: Checks) {
  // Permissions do not restrict root.
  guard geteuid() != 0 else { return }
  checks.check("preferences: absence is not believed while the probe cannot be read") {
    let suite = UnusedSuite()
    try suite.make(suite.locations.unlockProbe, Data([1]))
    chmod(suite.locations.unlockProbe.path, 0)
    for call in suite.calls() { try suite.expect(.locked, call) }
    try require(suite.others.object(forKey: "value") == nil, "a locked suite was written to")
  }
  checks.check("preferences: absence is not believed before there ever was a probe to read") {
    // What an earlier version of the app, or @AppStorage, has stored: the library has written nothing yet.
    let suite = UnusedSuite()
    let folder = suite.locations.unlockProbe.folder.path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    chmod(folder, 0o500)
    defer { chmod(folder, 0o700) }
    for call in suite.calls() + [suite.flush] { try suite.expect(.locked, call) }
  }
  checks.check("preferences: a default that the app registers is not taken for the value of a locked device") {
    let suite = UnusedSuite()
    try suite.make(suite.locations.unlockProbe, Data([1]))
    chmod(suite.locations.unlockProbe.path, 0)
    UserDefaults.standard.register(defaults: ["registered": Data([1])])
    for call in suite.calls("registered") { try suite.expect(.locked, call) }
  }
  checks.check("preferences: the first unlock is noticed, and then remembered") {
    let suite = UnusedSuite()
    let probe = suite.locations.unlockProbe
    try suite.make(probe, Data([1]))
    chmod(probe.path, 0)
    let read = suite.calls()[0]
    try suite.expect(.locked, read)
    chmod(probe.path, 0o600)
    try suite.expect(nil, read)
    chmod(probe.path, 0)
    for call in suite.calls("another") { try suite.expect(nil, call) }
    // Another suite, of which nothing is known yet.
    let second = UnusedSuite(suite.locations)
    for call in second.calls() { try second.expect(nil, call) }
  }
  checks.check("preferences: the probe is made when absence is first met") {
    let suite = UnusedSuite()
    try suite.expect(nil, suite.calls()[0])
    try require(try suite.locations.unlockProbe.exists(), "there is no probe")
  }
  checks.check("preferences: a store that must not wait touches no disk before the unlock is known") {
    for index in UnusedSuite().calls().indices {
      let suite = UnusedSuite()
      let call = suite.calls()[index]
      try suite.expect(.busy, call, mayWait: false)
      try suite.expect(.busy, suite.calls()[3], mayWait: false)
      try require(!suite.locations.appFolder.isThere(), "\(call.what) made a folder")
      try require(suite.others.object(forKey: "value") == nil, "\(call.what) wrote")
    }
  }
  checks.check("preferences: a store that must not wait needs no disk once a suite is known") {
    let suite = UnusedSuite()
    try suite.expect(nil, suite.calls()[0])
    // Without the library's folder, and without the property lists.
    let root = URL(fileURLWithPath: suite.locations.appFolder.path).deletingLastPathComponent().path
    chmod(root, 0)
    defer { chmod(root, 0o700) }
    let before = FakeDarwinCounter.value
    for call in suite.calls("a") + suite.calls("b") { try suite.expect(nil, call, mayWait: false) }
    let value = try CallDeadline.withoutWaiting { try suite.store.read(suite.address("b"), suite.attributes) }
    try expect(value, Data([1]), "value")
    try expect(FakeDarwinCounter.value - before, 0, "full syncs on the caller's thread")
  }
  checks.check("preferences: a store that must not wait does not wait for another writer, and others not for ever") {
    let suite = UnusedSuite()
    try suite.expect(nil, suite.calls()[3])
    let (held, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      try? suite.store.update(suite.address("value"), suite.attributes) { _ in
        held.signal()
        done.wait()
        return .keep
      }
    }
    held.wait()
    // A call that waits all the same would wait for ever.
    DispatchQueue.global().asyncAfter(deadline: .now() + 2) { done.signal() }
    for call in suite.calls()[2...4] { try suite.expect(.busy, call, mayWait: false) }
    let brief = UserDefaultsHelper(suite.locations, patience: .milliseconds(50))
    for call in suite.calls()[2...4] { try suite.expect(.busy, call, brief) }
    try suite.expect(nil, suite.calls()[0], mayWait: false)
    try suite.expect(nil, suite.calls()[3], suite.store)
  }
  checks.check("preferences: four threads meet the first unlock at once") {
    let suite = UnusedSuite()
    let faults = Faults()
    onThreads(4) { thread in
      for round in 0..<50 {
        do {
          let address = suite.address("\(thread).\(round)")
          if try suite.store.read(address, suite.attributes) != nil { faults.note(Broken("it is there")) }
          try suite.store.write(Data([1]), to: address, suite.attributes)
          if try suite.store.read(address, suite.attributes) == nil { faults.note(Broken("it is not there")) }
        } catch { faults.note(error) }
      }
    }
    try require(faults.all.isEmpty, "\(faults.all.prefix(3))")
  }
}

extension FolderLocation {
  /// Returns true if the folder exists.
  fileprivate func isThere() -> Bool { FileManager.default.fileExists(atPath: path) }
}
