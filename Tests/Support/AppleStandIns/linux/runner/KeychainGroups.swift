import Darwin
import Foundation
import LocalData
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared
private let attributes = StorageAttributes()

/// Access groups, and other processes at the same items.
func keychainGroupChecks(_ checks: Checks) {
  checks.check("keychain: every query names its access group") {
    let store = helper()
    fake.accessGroups = ["TEAM.app", "TEAM.shared"]
    for address in [address("a"), address("a", group: "TEAM.shared"), address("a", synchronizable: true)] {
      try store.write(Data([1]), to: address, attributes)
      _ = try store.read(address, attributes)
      _ = try store.exists(address, attributes)
      try store.update(address, attributes) { _ in .write(Data([2])) }
      try store.names(in: address.container) { _ in true }
      try store.remove(address, attributes)
    }
    _ = try store.holdsSealedValues(in: ["TEAM.shared"])
    try expect(fake.callsWithoutGroup, [], "calls without a group")
  }
  checks.check("keychain: the default group is learned in any state of the device, and leaves no item") {
    for state in [FakeKeychain.DeviceState.unlocked, .locked, .beforeFirstUnlock] {
      let store = helper()
      fake.accessGroups = ["TEAM.default", "TEAM.shared"]
      fake.state = state
      try expect(try store.exists(address("a"), attributes), false, "\(state)")
      try expect(fake.contents, [], "\(state)")
    }
  }
  checks.check("keychain: an item that can always be read is read before the first unlock") {
    fake.reset()
    let folder = FolderLocation(root: StorageRoot(temporaryFolder()), parts: [])
    func store() -> KeychainHelper {
      KeychainHelper(
        in: folder, accessGroup: DefaultAccessGroup(DefaultAccessGroup.learnFromAddedItem),
        record: FileLocation(folder: folder, name: ".access-group.location"))
    }
    let always = StorageAttributes(accessibility: .always)
    try store().write(Data([1]), to: address("a"), always)
    let other = FileLocation(folder: folder, name: "other")
    _ = try other.create(Data([2]))
    fake.state = .beforeFirstUnlock
    FakeDarwin.isProtected = { FakeProtection.needsFirstUnlock($0) }
    defer { FakeDarwin.isProtected = nil }
    try expect(try store().read(address("a"), always), Data([1]), "value")
    try expect(
      fault { () throws(StorageProblem) in try other.read(upTo: 1) }, .locked, "a file of the usual protection")
  }
  checks.check("keychain: what a killed process left while it learned its group is removed by the next") {
    let store = helper()
    fake.before = { call in call == "remove" ? errSecInteractionNotAllowed : nil }
    _ = try store.exists(address("a"), attributes)
    try expect(fake.contents.count, 1, "items left")
    fake.before = nil
    _ = try anotherHelper().exists(address("a"), attributes)
    try expect(fake.contents, [], "items left")
  }
  checks.check("keychain: no group and the default group by its name are one item") {
    let store = helper()
    fake.accessGroups = ["TEAM.app", "TEAM.shared"]
    try store.write(Data([1]), to: address("a"), attributes)
    try expect(try store.read(address("a", group: "TEAM.app"), attributes), Data([1]), "by its name")
    try expect(try store.read(address("a", group: "TEAM.shared"), attributes), nil, "another group")
  }

  checks.check("keychain: the names of a container are its own, without a prompt and without a value") {
    let store = helper()
    fake.accessGroups = ["TEAM.app", "TEAM.shared"]
    var guarded = attributes
    guarded.accessControl = .userPresence
    let own = [address("a"), address("b/é")]
    for address in own + [
      address("c", group: "TEAM.shared"), address("d", synchronizable: true), address("e", service: "other"),
    ] {
      try store.write(Data([1]), to: address, address.name == "a" ? guarded : attributes)
    }
    func names(_ address: StorageAddress) throws -> [String] {
      var names: [String] = []
      try store.names(in: address.container) { name in
        names.append(name)
        return true
      }
      return names.sorted()
    }
    try expect(try names(address("x")), ["a", "b/é"], "own")
    try expect(try names(address("x", group: "TEAM.shared")), ["c"], "another group's")
    try expect(try names(address("x", synchronizable: true)), ["d"], "synchronizable")
    try expect(fake.prompts, 0, "prompts")
    fake.before = { call in call == "find" ? errSecInteractionNotAllowed : nil }
    let found = fault { () throws(StorageProblem) in try store.names(in: own[0].container) { _ in true } }
    try expect(found, .locked, "fault")
    fake.before = nil
  }

  checks.check("keychain: an update that another process overtakes begins anew, and neither is lost") {
    let (one, other) = (helper(), anotherHelper())
    try one.write(Data([1]), to: address("a"), attributes)
    var seen: [Data?] = []
    try one.update(address("a"), attributes) { (bytes) throws(StorageProblem) in
      seen.append(bytes)
      if seen.count == 1 { try other.update(address("a"), attributes) { .write(($0 ?? Data()) + [2]) } }
      return .write((bytes ?? Data()) + [3])
    }
    try expect(seen, [Data([1]), Data([1, 2])], "looks")
    try expect(try one.read(address("a"), attributes), Data([1, 2, 3]), "value")
  }
  checks.check("keychain: an update of another library's item that is overtaken begins anew, and neither is lost") {
    for generic in [nil, Data("theirs".utf8)] {
      let store = helper()
      var item: [String: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "a", kSecAttrSynchronizable: false,
        kSecAttrAccessGroup: "TEAM.app",
      ]
      let selection = item
      item[kSecAttrGeneric] = generic
      item[kSecValueData] = Data([1])
      try expect(SecItemAdd(item, nil), errSecSuccess, "adding")
      var looks = 0
      try store.update(address("a"), attributes) { bytes in
        looks += 1
        if looks == 1 { _ = SecItemUpdate(selection, [kSecValueData: Data([1, 2])]) }
        return .write((bytes ?? Data()) + [3])
      }
      try expect(looks, 2, "looks")
      try expect(try store.read(address("a"), attributes), Data([1, 2, 3]), "value")
    }
  }
  checks.check("keychain: a removal that another process overtakes removes nothing that it has not seen") {
    let (one, other) = (helper(), anotherHelper())
    try one.write(Data([1]), to: address("a"), attributes)
    var looks = 0
    try one.update(address("a"), attributes) { (bytes) throws(StorageProblem) in
      looks += 1
      if looks == 1 { try other.write(Data([2]), to: address("a"), attributes) }
      return bytes == Data([1]) ? .remove : .keep
    }
    try expect(try one.read(address("a"), attributes), Data([2]), "value")
  }
  checks.check("keychain: two processes that put salts into one record keep both") {
    fake.reset()
    let vaults = [anotherHelper(), anotherHelper()].map { store in
      KeysetVault(configuration: EncryptionConfiguration()) { _ in store }
    }
    let source = KeySource.external(KeyMaterialSource(id: "passphrase"))
    func stretch(_ label: String) -> Keyset.Stretch {
      Keyset.Stretch(
        label: Data(label.utf8),
        parameters: StretchParameters(iterations: 600_000, salt: Randomness.system.bytes(StretchParameters.saltCount)),
        id: KeyID(of: Randomness.system.secret(32)))
    }
    func add(_ label: String, to record: Keyset?) -> Keyset {
      var record = record ?? Keyset()
      record.stretches.append(stretch(label))
      return record
    }
    _ = try vaults[0].update(.app, source) { add("first", to: $0) }
    var isFirst = true
    _ = try vaults[0].update(.app, source) { (record) throws(StorageProblem) in
      if isFirst {
        isFirst = false
        _ = try vaults[1].update(.app, source) { add("other", to: $0) }
      }
      return add("own", to: record)
    }
    let labels = try vaults[1].read(.app, source)?.stretches.map { String(decoding: $0.label, as: UTF8.self) }
    try expect(labels, ["first", "other", "own"], "salts")
  }
  checks.check("keychain: sealed values are found by their attributes, in the app's own groups alone") {
    let store = helper()
    fake.accessGroups = ["TEAM.app", "TEAM.own", "TEAM.shared"]
    let sealed = EnvelopeHeader.magic + [1]
    try store.write(Data([1]), to: address("plain"), attributes)
    try store.write(sealed, to: address("theirs", group: "TEAM.shared"), attributes)
    try expect(try store.holdsSealedValues(in: []), false, "another app's")
    try expect(try store.holdsSealedValues(in: ["TEAM.shared"]), true, "a configured group's")
    try store.write(sealed, to: address("own"), attributes)
    try expect(try store.holdsSealedValues(in: []), true, "the app's")
    try store.write(Data([1]), to: address("own"), attributes)
    try expect(try store.holdsSealedValues(in: []), false, "overwritten by a plain value")
    try expect(fake.prompts, 0, "prompts")
  }
}
