import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalDataStores

@Suite struct StorageLocationsTests {
  private func locations(sub: String? = nil) -> StorageLocations {
    StorageLocations(
      StorageConfiguration(
        applicationName: "App",
        roots: StorageRoots(
          data: URL(fileURLWithPath: "/no-such-root/data/App"), caches: URL(fileURLWithPath: "/no-such-root/cache/App"),
          groups: URL(fileURLWithPath: "/no-such-root/data/local-data-groups"))),
      FileStorageConfiguration(subDirectory: sub))
  }

  @Test(arguments: [
    (StorageContainer.directory(.documents), nil, "data/App/documents"),
    (.directory(.applicationSupport), nil, "data/App/support"),
    (.directory(.caches), nil, "cache/App"),
    (.directory(.custom("Reports/2024")), nil, "data/App/support/Reports/2024"),
    (.directory(.documents), "LocalData", "data/App/documents/LocalData"),
    (.directory(.applicationSupport), "a/b", "data/App/support/a/b"),
    (.directory(.caches), "LocalData", "cache/App/LocalData"),
    (.directory(.custom("Reports")), "LocalData", "data/App/support/LocalData/Reports"),
    (.groupDirectory(identifier: "group.a", .documents), nil, "data/local-data-groups/group.a/documents"),
    (.groupDirectory(identifier: "group.a", .caches), nil, "data/local-data-groups/group.a/caches"),
    (.groupDirectory(identifier: "group.a", .applicationSupport), "s", "data/local-data-groups/group.a/support/s"),
    (.groupDirectory(identifier: "group.a", .custom("x")), "s", "data/local-data-groups/group.a/support/s/x"),
  ])
  func folder(_ container: StorageContainer, _ sub: String?, _ path: String) throws {
    #expect(try locations(sub: sub).folder(of: container).path == "/no-such-root/" + path)
  }

  @Test func documentsMayBeBelowAnotherFolder() throws {
    var roots = StorageRoots(below: URL(fileURLWithPath: "/no-such-root"))
    roots.documents = URL(fileURLWithPath: "/no-such-root/Documents/LocalData/App")
    let all = StorageLocations(StorageConfiguration(roots: roots), FileStorageConfiguration(subDirectory: "s"))
    #expect(try all.folder(of: .directory(.documents)).path == "/no-such-root/Documents/LocalData/App/s")
    #expect(try all.folder(of: .directory(.applicationSupport)).path == "/no-such-root/data/support/s")
  }

  @Test func databases() throws {
    let all = locations(sub: "ignored")
    #expect(try all.preferences(suite: nil).path == "/no-such-root/data/App/preferences/standard.db")
    #expect(try all.preferences(suite: "com.a.b").path == "/no-such-root/data/App/preferences/com.a.b.db")
    #expect(try all.preferences(suite: "a b").path == "/no-such-root/data/App/preferences/a%20b.db")
    #expect(
      try all.preferences(group: "group.a").path
        == "/no-such-root/data/local-data-groups/group.a/preferences/standard.db")
    #expect(try all.keystore().path == "/no-such-root/data/App/keystore.db")
    #expect(try all.keystoreKey().path == "/no-such-root/data/App/keystore.key")
    #expect(
      try all.keystore(group: "group.a").path == "/no-such-root/data/local-data-groups/group.a/keystore.db")
    #expect(
      try all.keystoreKey(group: "group.a").path == "/no-such-root/data/local-data-groups/group.a/keystore.key")
  }

  private static let badPaths = [
    "", "/", "/etc", "..", "../x", "a/../b", "a/..", ".", "./a", "a/./b", "a//b", "a/", "a\u{0}b", "a\nb", ".hidden",
    ".local-data.lock", "a/\u{301}/\u{7f}", String(repeating: "x", count: 256),
  ]

  @Test(arguments: badPaths) func badCustomDirectory(_ path: String) {
    #expect(throws: StorageProblem.invalidName) { try locations().folder(of: .directory(.custom(path))) }
    #expect(throws: StorageProblem.invalidName) {
      try locations().folder(of: .groupDirectory(identifier: "group.a", .custom(path)))
    }
  }

  @Test(arguments: badPaths) func badSubDirectory(_ path: String) throws {
    #expect(throws: StorageProblem.invalidName) { try locations(sub: path).folder(of: .directory(.documents)) }
    // What does not use it still works.
    #expect(try locations(sub: path).preferences(suite: nil).name == "standard.db")
  }

  @Test(arguments: [
    "", "standard", "..", "../x", "a/b", "/a", "a..b", ".a", "a\u{0}", "a\tb", String(repeating: "x", count: 201),
  ])
  func badSuite(_ suite: String) {
    #expect(throws: StorageProblem.invalidName) { try locations().preferences(suite: suite) }
  }

  @Test(arguments: [
    ("", StorageProblem.invalidAppGroupIdentifier), ("group a", .invalidAppGroupIdentifier),
    ("group\u{0}a", .invalidAppGroupIdentifier), ("gröup", .invalidAppGroupIdentifier),
    (".group", .invalidAppGroupIdentifier), (String(repeating: "x", count: 201), .invalidAppGroupIdentifier),
    ("..", .invalidName), ("../x", .invalidName), ("a/b", .invalidName), ("/etc", .invalidName),
  ])
  func badGroup(_ identifier: String, _ fault: StorageProblem) {
    #expect(throws: fault) { try locations().preferences(group: identifier) }
    #expect(throws: fault) { try locations().keystore(group: identifier) }
    #expect(throws: fault) {
      try locations().folder(of: .groupDirectory(identifier: identifier, .documents))
    }
  }

  /// A folder in the place of a value, or the other way round, shows in the paths.
  @Test func pathsShowWhatMeets() throws {
    let value = try locations().path(of: .file("Reports", in: .applicationSupport))
    let inFolder = try locations().path(of: .file("x", in: .custom("Reports")))
    #expect(inFolder == value + "/x")
  }
}
