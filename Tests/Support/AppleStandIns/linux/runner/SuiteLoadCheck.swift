import Foundation
import LocalData
import LocalDataTesting
import LocalDataVocabulary

private let sentinel = "LocalData.sentinel"

extension UnusedSuite {
  /// The file in which the system would keep the suite. Linux's own is somewhere else.
  fileprivate var propertyList: FileLocation { locations.propertyList(suite: name) }

  fileprivate func putOnDisk(_ values: [String: Any]) throws {
    try make(propertyList, try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0))
  }
}

/// A process that was started before the first unlock: its suites stay empty although values are on the disk.
func loadedSuiteChecks(_ checks: Checks) {
  checks.check("preferences: a suite that shows no sentinel while the disk holds it is not believed") {
    let suite = UnusedSuite()
    try suite.putOnDisk([sentinel: true, "other": 1])
    for call in suite.calls() + [suite.flush] { try suite.expect(.locked, call) }
    // What the app sets in such a suite proves nothing.
    suite.others.set(Data([1]), forKey: "value")
    for call in suite.calls() { try suite.expect(.locked, call) }
  }
  checks.check("preferences: a value that is on the disk only is not absent, without a sentinel too") {
    // As an earlier version of the app left it.
    let suite = UnusedSuite()
    try suite.putOnDisk(["value": Data([7]), "other": 1])
    for call in suite.calls().dropLast(2) { try suite.expect(.locked, call) }
    try suite.expect(nil, suite.calls("new")[0])
    // A write would put the other values at risk.
    try suite.expect(.locked, suite.calls("new")[3])
    var met: [Data] = []
    try suite.store.scan(suite.container, upTo: .max) { (value) throws(StorageProblem) in
      met.append(try value.beginning.get())
      return true
    }
    try expect(met, [Data([7])], "what a scan meets")
    try expect(try suite.names(), ["other", "value"], "names")
    try suite.expect(.locked, suite.calls()[0])
  }
  checks.check("preferences: a registered default does not stand for a value that is on the disk only") {
    let suite = UnusedSuite()
    let name = "registered-" + UUID().uuidString
    UserDefaults.standard.register(defaults: [name: Data([1])])
    try suite.putOnDisk([name: Data([7])])
    try suite.expect(.locked, suite.calls(name)[0])
    try suite.expect(.locked, suite.calls(name)[3])
    // A value that is the same as the registered one is no reason to refuse anything.
    let same = UnusedSuite()
    try same.putOnDisk([name: Data([1])])
    for call in same.calls(name) { try same.expect(nil, call) }
  }
  checks.check("preferences: an argument of the launch hides no value") {
    let suite = UnusedSuite()
    suite.others.set(Data([7]), forKey: "launchArgument")
    try suite.putOnDisk(["launchArgument": Data([7]), "value": Data([8])])
    try expect(try suite.store.read(suite.address("launchArgument"), suite.attributes), Data([7]), "value")
    for call in suite.calls("launchArgument").prefix(2) { try suite.expect(nil, call) }
    try suite.expect(.locked, suite.calls()[0])
    // A suite that is not loaded shows the argument too.
    let unloaded = UnusedSuite()
    try unloaded.putOnDisk(["launchArgument": Data([7])])
    for call in unloaded.calls("launchArgument").dropLast(2) { try unloaded.expect(.locked, call) }
  }
  checks.check("preferences: once the disk agrees, absence is believed") {
    // The app has removed the whole suite, and the system has not written that yet.
    let suite = UnusedSuite()
    try suite.putOnDisk([sentinel: true, "value": Data([7])])
    try suite.expect(.locked, suite.calls()[0])
    try FileManager.default.removeItem(atPath: suite.propertyList.path)
    for call in suite.calls() + [suite.flush] { try suite.expect(nil, call) }
    try require(suite.others.object(forKey: sentinel) != nil, "a write set no sentinel")
    // And remembered: the app may remove it again.
    try suite.putOnDisk([sentinel: true, "value": Data([7])])
    for key in ["value", sentinel] { suite.others.removeObject(forKey: key) }
    for call in suite.calls() { try suite.expect(nil, call) }
  }
  checks.check("preferences: an empty property list, or one without files, is no reason to refuse anything") {
    let suite = UnusedSuite()
    try suite.putOnDisk([:])
    for call in suite.calls() { try suite.expect(nil, call) }
  }
  checks.check("preferences: a suite whose values are shown is loaded, and gets its sentinel") {
    let suite = UnusedSuite()
    suite.others.set(Data([7]), forKey: "value")
    try suite.putOnDisk(["value": Data([7])])
    try suite.expect(nil, suite.calls()[0])
    try require(suite.others.object(forKey: sentinel) == nil, "a read wrote")
    try suite.expect(nil, suite.calls("new")[3])
    try require(suite.others.object(forKey: sentinel) != nil, "a write set no sentinel")
    // A process that finds the sentinel needs no disk at all.
    let another = UserDefaultsHelper(newLocations())
    for call in suite.calls("third") { try suite.expect(nil, call, another, mayWait: false) }
  }
  checks.check("preferences: a suite that shows some of its values gets no sentinel") {
    // A value was removed a moment ago; or the app has set one of many in a suite that is not loaded.
    let suite = UnusedSuite()
    suite.others.set(Data([7]), forKey: "shown")
    try suite.putOnDisk(["shown": Data([6]), "unseen": Data([8])])
    try suite.expect(nil, suite.calls("shown")[0])
    try suite.expect(nil, suite.calls("new")[3])
    try require(suite.others.object(forKey: sentinel) == nil, "it got one")
    try suite.expect(.locked, suite.calls("unseen")[0])
    try suite.putOnDisk(["shown": Data([7])])
    try suite.expect(nil, suite.calls("unseen")[0])
  }
  checks.check("preferences: a property list that cannot be read is locked, a damaged one is what it shows") {
    if geteuid() != 0 {
      let suite = UnusedSuite()
      try suite.putOnDisk([:])
      chmod(suite.propertyList.path, 0)
      for call in suite.calls() { try suite.expect(.locked, call) }
      chmod(suite.propertyList.path, 0o600)
      for call in suite.calls() { try suite.expect(nil, call) }
    }
    for damage in [Data(), Data("not a property list".utf8), Data("bplist00".utf8)] {
      let suite = UnusedSuite()
      try suite.make(suite.propertyList, damage)
      for call in suite.calls() { try suite.expect(nil, call) }
    }
  }
  checks.check("preferences: the property list of a group is in the container that the system provides") {
    guard let home = ProcessInfo.processInfo.environment["HOME"] else { throw Broken("no home") }
    for roots in [StorageRoots.standard(applicationName: "lists"), StorageRoots(below: temporaryFolder())] {
      let identifier = "group." + UUID().uuidString
      let locations = StorageLocations(StorageConfiguration(roots: roots), FileStorageConfiguration())
      let address = StorageAddress(container: .groupPreferences(identifier: identifier), name: "value")
      let folder = URL(fileURLWithPath: home + "/Groups/\(identifier)/Library/Preferences")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try PropertyListSerialization.data(fromPropertyList: [sentinel: true], format: .binary, options: 0)
        .write(to: folder.appendingPathComponent(identifier + ".plist"))
      let found = fault { () throws(StorageProblem) in
        try UserDefaultsHelper(locations).read(address, StorageAttributes())
      }
      try expect(found, .locked, "fault of an absent value")
    }
  }
  checks.check("preferences: a store that must not wait does not ask where a group's container is") {
    let identifier = "group." + UUID().uuidString
    let suite = UnusedSuite()
    let address = StorageAddress(container: .groupPreferences(identifier: identifier), name: "value")
    // The suite is known to be loaded, so that the disk does not have to be read.
    UserDefaults(suiteName: identifier)?.set(true, forKey: sentinel)
    let read: UnusedSuite.Call = (
      "read", { store throws(StorageProblem) in _ = try store.read(address, StorageAttributes()) }
    )
    try suite.expect(.busy, read, mayWait: false)
    try suite.expect(nil, read)
    try suite.expect(nil, read, mayWait: false)
  }
  checks.check("preferences: the sentinel is no value") {
    let suite = UnusedSuite()
    for call in suite.calls(sentinel).dropLast(2) { try suite.expect(.invalidName, call) }
    try suite.expect(nil, suite.calls()[3])
    var count = 0
    try suite.store.scan(suite.container, upTo: .max) { _ in
      count += 1
      return true
    }
    try expect(count, 1, "values of a scan")
    try expect(try suite.names(), ["value"], "names")
  }
  checkSealedSuites(checks)
}

private func checkSealedSuites(_ checks: Checks) {
  let sealed = EnvelopeHeader.magic + Data(count: 200)
  @Sendable func write(_ bytes: Data, _ suite: UnusedSuite) -> UnusedSuite.Call {
    ("write", { store throws(StorageProblem) in try store.write(bytes, to: suite.address("a"), suite.attributes) })
  }
  checks.check("preferences: a suite is on record before the first sealed value in it, and only then") {
    let suite = UnusedSuite()
    try suite.expect(nil, write(Data([1]), suite))
    let record = suite.locations.appFolder.path + "/.local-data.suites"
    try require(!FileManager.default.fileExists(atPath: record), "a plain value was recorded")
    // The record is a file: nothing of it happens on the caller's thread.
    try suite.expect(.busy, write(sealed, suite), mayWait: false)
    try expect(suite.others.data(forKey: "a"), Data([1]), "what a refused write left")
    try suite.expect(nil, write(sealed, suite))
    try expect(try SealedSuites(recordedIn: suite.locations.sealedSuites).recorded(), [suite.name], "record")
    try suite.expect(nil, write(sealed, suite), mayWait: false)
  }
  checks.check("preferences: a sealed value is not written if its suite cannot be recorded") {
    guard geteuid() != 0 else { return }
    let suite = UnusedSuite()
    try suite.expect(nil, suite.calls()[0])
    let folder = suite.locations.appFolder.path
    chmod(folder, 0o500)
    defer { chmod(folder, 0o700) }
    try suite.expect(.accessDenied, write(sealed, suite))
    try require(suite.others.data(forKey: "a") == nil, "it was written")
  }
  checks.check("preferences: four threads record their suites, and none is lost") {
    let folder = newLocations()
    let suites = (0..<12).map { _ in UnusedSuite(folder) }
    let faults = Faults()
    onThreads(4) { thread in
      for index in stride(from: thread, to: suites.count, by: 4) {
        do { try suites[index].expect(nil, write(sealed, suites[index])) } catch { faults.note(error) }
      }
    }
    try require(faults.all.isEmpty, "\(faults.all)")
    let record = FileManager.default.contents(atPath: folder.appFolder.path + "/.local-data.suites") ?? Data()
    let names = (try JSONSerialization.jsonObject(with: record) as? [String: Any])?["suites"] as? [String]
    try expect(names, suites.map(\.name).sorted(), "recorded suites")
  }
}
