import Foundation
import LocalAuthentication
import LocalData
import LocalDataTesting
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared

/// A store over an empty keychain, in a process that has not learned its default access group yet.
func helper(patience: Duration = .seconds(10)) -> KeychainHelper {
  fake.reset()
  return anotherHelper(patience: patience)
}

/// A store over the keychain as it is, as another process has it.
func anotherHelper(patience: Duration = .seconds(10)) -> KeychainHelper {
  KeychainHelper(
    in: FolderLocation(root: StorageRoot(URL(fileURLWithPath: "/nowhere")), parts: []),
    accessGroup: DefaultAccessGroup(DefaultAccessGroup.learnFromAddedItem), patience: patience)
}

func address(
  _ name: String, group: String? = nil, service: String = "s", synchronizable: Bool = false
) -> StorageAddress {
  StorageAddress(
    container: .keychain(service: service, accessGroup: group, synchronizable: synchronizable), name: name)
}

func keychainChecks(_ checks: Checks) {
  let containers: [(String, StorageContainer)] = [
    ("no group", .keychain(service: "s", accessGroup: nil, synchronizable: false)),
    ("synchronizable", .keychain(service: "s", accessGroup: nil, synchronizable: true)),
    ("a group", .keychain(service: "s", accessGroup: "TEAM.shared", synchronizable: false)),
  ]
  for (label, container) in containers {
    for clause in ValueStoreContract.clauses {
      checks.check("keychain contract, \(label): \(clause)") {
        let store = helper()
        fake.accessGroups = ["TEAM.app", "TEAM.shared"]
        try clause.check(store, container)
      }
    }
  }

  checks.check("keychain: four threads write, update, remove and scan") {
    let store = helper()
    let faults = Faults()
    onThreads(4) { thread in
      for round in 0..<200 {
        do {
          let own = address("own-\(thread)")
          try store.write(Data([UInt8(round % 256)]), to: own, StorageAttributes())
          guard try store.read(own, StorageAttributes()) == Data([UInt8(round % 256)]) else {
            throw Broken("own value lost")
          }
          try store.update(address("shared"), StorageAttributes()) { old in
            .write(Data("\(number(in: old) + 1)".utf8))
          }
          if round % 10 == 0 { try store.names(in: own.container) { _ in true } }
          if round % 50 == 49 { try store.remove(own, StorageAttributes()) }
        } catch { faults.note(error) }
      }
    }
    try require(faults.all.isEmpty, "\(faults.all)")
    try expect(try store.read(address("shared"), StorageAttributes()), Data("800".utf8), "count")
  }

  let controlled = StorageAttributes(accessibility: .whenUnlocked, accessControl: .biometryCurrentSet)

  checks.check("keychain: a call that must not wait asks it nothing") {
    let store = helper()
    try store.write(Data([1]), to: address("a"), StorageAttributes())
    _ = try store.read(address("a"), StorageAttributes())
    let calls = CallCounter()
    fake.before = { _ in
      _ = calls.next()
      return nil
    }
    defer { fake.before = nil }
    func expectBusy(_ call: () throws(StorageProblem) -> Void) throws {
      var fault: StorageProblem?
      do throws(StorageProblem) { try CallDeadline.withoutWaiting(call) } catch { fault = error }
      try expect(fault, .busy, "fault")
    }
    for address in [address("a"), address("a", group: "TEAM.app")] {
      try expectBusy { () throws(StorageProblem) in _ = try store.read(address, StorageAttributes()) }
      try expectBusy { () throws(StorageProblem) in _ = try store.exists(address, StorageAttributes()) }
      try expectBusy { () throws(StorageProblem) in try store.write(Data([2]), to: address, StorageAttributes()) }
    }
    try expect(calls.count, 0, "calls of the keychain")
  }

  checks.check("keychain: existence never asks, whatever protects the item and however locked the device is") {
    for state in [FakeKeychain.DeviceState.unlocked, .locked, .beforeFirstUnlock] {
      for attributes in [StorageAttributes(), controlled, StorageAttributes(accessibility: .afterFirstUnlock)] {
        let store = helper()
        try store.write(Data([1]), to: address("a"), attributes)
        fake.state = state
        try expect(try store.exists(address("a"), attributes), true, "\(state), \(attributes.accessibility)")
        try expect(try store.exists(address("b"), attributes), false, "absent, \(state)")
        let time = try store.modification(of: address("a"))
        try expect(time != nil || state != .unlocked, true, "has a time, \(state)")
        try expect(fake.prompts, 0, "prompts")
      }
    }
  }
  checks.check("keychain: a controlled item is read with one prompt; no is userCancelled, a wrong finger accessDenied")
  {
    let store = helper()
    try store.write(Data([1]), to: address("a"), controlled)
    try expect(try store.read(address("a"), controlled), Data([1]), "value")
    try expect(fake.prompts, 1, "prompts")
    fake.answer = .cancels
    try expect(fault { () throws(StorageProblem) in try store.read(address("a"), controlled) }, .userCancelled, "fault")
    fake.answer = .fails
    try expect(fault { () throws(StorageProblem) in try store.read(address("a"), controlled) }, .accessDenied, "fault")
  }
  checks.check("keychain: adding and removing a controlled item shows no prompt, and replacing it shows one") {
    let store = helper()
    try store.write(Data([1]), to: address("a"), controlled)
    try expect(fake.prompts, 0, "prompts of the first write")
    try store.write(Data([2]), to: address("a"), controlled)
    try expect(fake.prompts, 1, "prompts of the second write")
    try store.remove(address("a"), controlled)
    try expect(fake.prompts, 1, "prompts of the removal")
  }
  checks.check("keychain: a write that may not ask leaves a controlled item as it is and reports it as locked") {
    let store = helper()
    try store.write(Data([1]), to: address("a"), controlled)
    let found = fault { () throws(StorageProblem) in
      try AuthenticationSession.bound(AuthenticationSession(mayPrompt: false)) { () throws(StorageProblem) in
        try store.write(Data([2]), to: address("a"), controlled)
      }
    }
    try expect(found, .locked, "fault")
    try expect(fake.prompts, 0, "prompts")
    try expect(try store.read(address("a"), controlled), Data([1]), "value")
  }
  checks.check("keychain: updating a controlled item asks once") {
    let store = helper()
    try store.write(Data([1]), to: address("a"), controlled)
    try store.update(address("a"), controlled) { .write(($0 ?? Data()) + [2]) }
    try expect(fake.prompts, 1, "prompts")
  }
  checks.check("keychain: a locked item is locked, never absent") {
    let store = helper()
    try store.write(Data([1]), to: address("a"), StorageAttributes())
    fake.state = .locked
    try expect(
      fault { () throws(StorageProblem) in try store.read(address("a"), StorageAttributes()) }, .locked, "read")
    try expect(
      fault { () throws(StorageProblem) in try store.write(Data([2]), to: address("a"), StorageAttributes()) }, .locked,
      "write")
    try expect(
      fault { () throws(StorageProblem) in try store.write(Data([2]), to: address("b"), StorageAttributes()) }, .locked,
      "add")
    try expect(
      fault { () throws(StorageProblem) in try store.update(address("a"), StorageAttributes()) { _ in .keep } },
      .locked,
      "update")
    fake.state = .unlocked
    try expect(try store.read(address("a"), StorageAttributes()), Data([1]), "value")
  }
  checks.check("keychain: protection follows the attributes of the last write, both ways") {
    let store = helper()
    try store.write(Data([1]), to: address("a"), StorageAttributes(accessibility: .afterFirstUnlock))
    try expect(fake.protectionOf["a"], "ck/0", "first")
    try store.write(Data([1]), to: address("a"), controlled)
    try expect(fake.protectionOf["a"], "ak/8", "controlled")
    try store.write(Data([1]), to: address("a"), StorageAttributes(accessibility: .whenUnlockedThisDeviceOnly))
    try expect(fake.protectionOf["a"], "aku/0", "plain again")
    for control in KeychainAccessControl.allCases {
      try store.write(
        Data([1]), to: address("a"),
        StorageAttributes(accessibility: .whenPasscodeSetThisDeviceOnly, accessControl: control))
    }
    for accessibility in KeychainAccessibility.allCases {
      try store.write(Data([1]), to: address("a"), StorageAttributes(accessibility: accessibility))
    }
  }
  checks.check("keychain: no passcode, no item that needs one") {
    let store = helper()
    fake.hasPasscode = false
    let attributes = StorageAttributes(accessibility: .whenPasscodeSetThisDeviceOnly)
    try expect(
      fault { () throws(StorageProblem) in try store.write(Data([1]), to: address("a"), attributes) }, .accessDenied,
      "fault")
  }
  checks.check("keychain: an app without the entitlement is told so") {
    let store = helper()
    let other = address("a", group: "TEAM.other")
    try expect(
      fault { () throws(StorageProblem) in try store.read(other, StorageAttributes()) }, .missingEntitlement, "read")
    fake.accessGroups = []
    try expect(
      fault { () throws(StorageProblem) in try store.write(Data([1]), to: address("a"), StorageAttributes()) },
      .missingEntitlement, "write")
  }
  checks.check("keychain: another process adds or removes between the halves of a write") {
    let store = helper()
    _ = try store.exists(address("a"), StorageAttributes())
    let once = Once()
    fake.before = { call in
      if call == "add" {
        once {
          fake.before = nil;
          _ = SecItemAdd(
            [
              kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "a", kSecValueData: Data([9]),
            ], nil)
        }
      }
      return nil
    }
    try store.write(Data([1]), to: address("a"), StorageAttributes())
    try expect(try store.read(address("a"), StorageAttributes()), Data([1]), "value")
    var seen: [Data?] = []
    let again = Once()
    fake.before = { call in
      if call == "change" {
        again {
          fake.before = nil;
          _ = SecItemDelete([
            kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccessGroup: "TEAM.app",
          ])
        }
      }
      return nil
    }
    try store.update(address("a"), StorageAttributes()) { old in
      seen.append(old)
      return .write((old ?? Data()) + [2])
    }
    try expect(seen, [Data([1]), nil], "looks")
    try expect(try store.read(address("a"), StorageAttributes()), Data([2]), "value")
  }
  checks.check("keychain: one that is always busy ends in busy") {
    let store = helper(patience: .milliseconds(50))
    _ = try store.exists(address("a"), StorageAttributes())
    fake.before = { call in call == "change" ? errSecItemNotFound : call == "add" ? errSecDuplicateItem : nil }
    try expect(
      fault { () throws(StorageProblem) in try store.write(Data([1]), to: address("a"), StorageAttributes()) }, .busy,
      "fault")
  }
  checks.check("keychain: what is synchronized cannot stay on the device") {
    let store = helper()
    try expect(
      fault { () throws(StorageProblem) in
        try store.write(
          Data([1]), to: address("a", synchronizable: true),
          StorageAttributes(accessibility: .whenUnlockedThisDeviceOnly)
        )
      }, .configurationConflict, "fault")
  }

  // A query without an access group matches the items of every group the app is a member of.
  checks.check("keychain: no access group is not every access group (remove)") {
    let store = helper()
    fake.accessGroups = ["TEAM.app", "TEAM.shared"]
    try store.write(Data([2]), to: address("a", group: "TEAM.shared"), StorageAttributes())
    try store.write(Data([1]), to: address("a", group: "TEAM.app"), StorageAttributes())
    try store.remove(address("a"), StorageAttributes())
    try expect(fake.contents.map { String($0.prefix(11)) }, ["TEAM.shared"], "what is left")
  }
  checks.check("keychain: no access group is not every access group (write)") {
    let store = helper()
    fake.accessGroups = ["TEAM.app", "TEAM.shared"]
    try store.write(Data("shared".utf8), to: address("a", group: "TEAM.shared"), StorageAttributes())
    try store.write(Data("own".utf8), to: address("a"), StorageAttributes())
    try expect(
      try store.read(address("a", group: "TEAM.shared"), StorageAttributes()).map {
        String(decoding: $0, as: UTF8.self)
      },
      "shared", "the other group's value")
  }
}
