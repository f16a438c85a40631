import Foundation
import LocalData
import LocalDataMaintenance
import LocalDataTesting
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared

/// Items of the keychain that have no service or no account, beside others that have them.
func partialItemChecks(_ checks: Checks) {
  let plain = StorageAttributes()
  let item = address("secret", service: "")

  /// Three items without a service, two with one, and one without an account.
  func store() -> KeychainHelper {
    let store = helper()
    fake.accessGroups = ["TEAM.app", "TEAM.shared"]
    fake.plant("of a service", service: "s", account: "secret")
    fake.plant("first", account: "first")
    fake.plant("mine", account: "secret")
    fake.plant("third", account: "third")
    fake.plant("of a group", account: "secret", group: "TEAM.shared")
    fake.plant("without an account", service: "s")
    return store
  }

  for clause in ValueStoreContract.clauses {
    checks.check("item without service, contract: \(clause)") {
      let store = helper()
      fake.accessGroups = ["TEAM.app"]
      fake.plant("of a service", service: "s", account: "a")
      try clause.check(store, .keychain(service: "", accessGroup: nil, synchronizable: false))
      try require(fake.contents.contains("TEAM.app/s/a=of a service"), "\(fake.contents)")
    }
  }

  checks.check("item without service: the right one of several is read") {
    let store = store()
    try expect(try store.read(item, plain), Data("mine".utf8), "value")
    try expect(try store.exists(item, plain), true, "exists")
    try expect(try store.read(address("other", service: ""), plain), nil, "absent")
    let inGroup = address("secret", group: "TEAM.shared", service: "")
    try expect(try store.read(inGroup, plain), Data("of a group".utf8), "value in a group")
    try expect(try store.read(address("", service: "s"), plain), Data("without an account".utf8), "no account")
    try expect(try store.read(address("", service: "t"), plain), nil, "no account, absent")
    try expect(fake.callsWithoutGroup, [], "calls without a group")
  }

  checks.check("item without service: its container lists what has no service") {
    let store = store()
    var names: [String] = []
    try store.names(in: item.container) {
      names.append($0)
      return true
    }
    try expect(names.sorted(), ["first", "secret", "third"], "names")
    names = []
    try store.names(in: address("", service: "s").container) {
      names.append($0)
      return true
    }
    try expect(names.sorted(), ["", "secret"], "names of a service")
  }

  checks.check("item without service: a write changes it alone, and adds none") {
    let store = store()
    let before = fake.contents
    try store.write(Data("new".utf8), to: item, plain)
    try expect(fake.contents, before.map { $0 == "TEAM.app/-/secret=mine" ? "TEAM.app/-/secret=new" : $0 }, "items")
    try store.write(Data("2".utf8), to: address("", service: "s"), plain)
    try require(fake.contents.contains("TEAM.app/s/-=2"), "\(fake.contents)")
    try store.write(Data("3".utf8), to: address("added", service: ""), plain)
    try require(fake.contents.contains("TEAM.app/-/added=3"), "\(fake.contents)")
    try expect(fake.contents.count, before.count + 1, "count")
  }

  checks.check("item without service: an update sees what another writer wrote since") {
    let store = store()
    let calls = CallCounter()
    try store.update(item, plain) { old in
      if calls.next() == 1 { fake.plant("theirs", account: "secret") }
      return .write((old ?? Data()) + Data("+".utf8))
    }
    try require(fake.contents.contains("TEAM.app/-/secret=theirs+"), "\(fake.contents)")
    try store.update(item, plain) { _ in .remove }
    try expect(try store.exists(item, plain), false, "exists after its removal")
    try require(fake.contents.contains("TEAM.app/s/secret=of a service"), "\(fake.contents)")
    try expect(fake.contents.count, 5, "count")
  }

  checks.check("item without service: a removal leaves the others") {
    let store = store()
    try store.remove(item, plain)
    try store.remove(address("", service: "s"), plain)
    try expect(
      fake.contents,
      [
        "TEAM.app/-/first=first", "TEAM.app/-/third=third", "TEAM.app/s/secret=of a service",
        "TEAM.shared/-/secret=of a group",
      ], "items")
  }

  checks.check("item without service: a locked device hides it, and does not lose it") {
    let store = store()
    fake.state = .locked
    try expect(fault { () throws(StorageProblem) in try store.read(item, plain) }, .locked, "fault of a read")
    try expect(fault { () throws(StorageProblem) in try store.exists(item, plain) }, .locked, "fault of exists")
  }

  checks.check("item without service: an item of a service that asks does not hide it") {
    let store = helper()
    fake.asksForAttributes = true
    fake.plant("asks", service: "s", account: "secret", flags: .userPresence)
    fake.plant("mine", account: "secret")
    try expect(try store.read(item, plain), Data("mine".utf8), "value")
    try expect(fake.prompts, 0, "prompts")
    try expect(
      fault { () throws(StorageProblem) in try store.read(address("other", service: ""), plain) }, nil, "absent item")
    fake.reset()
    fake.asksForAttributes = true
    fake.plant("asks", service: "s", account: "secret", flags: .userPresence)
    // It may be the item that is looked for.
    try expect(fault { () throws(StorageProblem) in try store.read(item, plain) }, .locked, "fault")
  }

  checks.check("item without service: an item with an access control is updated with one prompt") {
    let store = helper()
    let controlled = StorageAttributes(accessControl: .userPresence)
    fake.plant("mine", account: "secret", flags: .userPresence)
    try store.update(item, controlled) { .write(($0 ?? Data()) + Data("+".utf8)) }
    try require(fake.contents.contains("TEAM.app/-/secret=mine+"), "\(fake.contents)")
    try expect(fake.prompts, 1, "prompts")
  }
}
