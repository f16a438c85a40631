#if os(Linux)
  import Foundation
  import StorageVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// Tests of values that Foundation's own UserDefaults wrote in another process, in a home folder that belongs to the
  /// test.
  @Suite struct FoundationDefaultsTests {
    private let fixture: StoreFixture
    private let store: FoundationDefaults
    private let list = StorageAttributes(isPropertyListValue: true)

    init() throws {
      fixture = try StoreFixture()
      store = FoundationDefaults(in: fixture.locations.foundationDefaults)
    }

    /// The ways to configure the folder that Foundation writes to, with that folder.
    enum Home: CaseIterable, Sendable {
      case home, configuration, relativeConfiguration

      func environment(_ fixture: StoreFixture) -> [String: String] {
        let home = ["HOME": fixture.folder.path, "XDG_CONFIG_HOME": ""]
        switch self {
        case .home: return home
        case .configuration: return home.merging(["XDG_CONFIG_HOME": fixture.path("elsewhere")]) { $1 }
        case .relativeConfiguration: return home.merging(["XDG_CONFIG_HOME": "relative"]) { $1 }
        }
      }

      func folder(_ fixture: StoreFixture) -> String {
        fixture.path(self == .configuration ? "elsewhere" : ".config")
      }
    }

    @discardableResult
    private func probe(_ home: Home, _ words: String...) throws -> String {
      let end = try ChildProcess.run(
        ChildProcess.probe, ["foundation", fixture.path("store")] + words, environment: home.environment(fixture))
      #expect(end.code == 0, "\(end)")
      return end.line
    }

    private func reader(_ folder: String) -> FoundationDefaults {
      FoundationDefaults(in: FolderLocation(root: StorageRoot(URL(fileURLWithPath: folder)), parts: []))
    }

    /// The value under a name, by the serializer that keys have.
    private func value<Value: Codable & Sendable>(
      _ name: String, _ suite: String, _ store: FoundationDefaults, as type: Value.Type = Value.self
    ) throws -> Value? {
      let address = StorageAddress.preference(name, suite: suite)
      #expect(try store.exists(address, list))
      guard let bytes = try store.read(address, list) else { return nil }
      // As our own preferences would have it.
      let read = try Serializer<Value>.propertyList.decode(bytes)
      #expect(try Serializer<Value>.propertyList.encode(read).count == bytes.count)
      return read
    }

    @Test(arguments: Home.allCases, ["my.suite", "Suite é"])
    func everyKindOfValue(_ home: Home, _ suite: String) throws {
      try probe(home, "write", suite)
      let store = reader(home.folder(fixture))
      #expect(try value("string", suite, store) == "text é")
      #expect(try value("bool", suite, store) == true)
      #expect(try value("int", suite, store) == 42)
      #expect(try value("double", suite, store) == 0.1)
      #expect(try value("date", suite, store) == Date(timeIntervalSince1970: 1_700_000_000))
      #expect(try value("data", suite, store) == Data([1, 2, 3]))
      #expect(try value("array", suite, store) == ["a", "b"])
      #expect(try value("arrayOfOne", suite, store) == [7])
      #expect(try value("dictionary", suite, store) == ["a": 1, "b": 2])
      #expect(try store.read(.preference("other", suite: suite), list) == nil)
      #expect(try store.read(.preference("int", suite: "other"), list) == nil)
      // The bytes as they are, for a custom serializer.
      #expect(try store.read(.preference("data", suite: suite), StorageAttributes()) == Data([1, 2, 3]))
      #expect(throws: StorageFault.corrupted) {
        try store.read(.preference("int", suite: suite), StorageAttributes())
      }
    }

    /// The app's own values are stored under the name of the executable. The default roots of an app find them.
    @Test(arguments: Home.allCases) func theAppsOwn(_ home: Home) throws {
      try probe(home, "write", "-")
      #expect(try probe(home, "read", "-", "data") == "1 2 3")
      #expect(try probe(home, "read", "-", "other") == "absent")
      #expect(try value("int", "storage-probe", reader(home.folder(fixture))) == 42)
    }

    @Test func routersReadItThere() throws {
      try plist(#"<key>theme</key><string>dark</string>"#)
      let setup = RouterSetup(
        storage: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      let services = StorageServices.live(setup)
      #expect(try services.foundation.exists(.preference("theme", suite: "s"), list))
      #expect(try !services.preferences.exists(.preference("theme", suite: "s"), list))
    }

    // MARK: Files by hand

    private var path: String { fixture.path("config/s.plist") }

    private func plist(_ content: String) throws {
      try FileManager.default.createDirectory(atPath: fixture.path("config"), withIntermediateDirectories: true)
      let text = #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>\#(content)</dict></plist>"#
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test func aChangeIsSeen() throws {
      #expect(try store.read(.preference("a", suite: "s"), list) == nil)
      #expect(try fixture.permissions().isEmpty)
      try plist("<key>a</key><integer>1</integer>")
      #expect(try value("a", "s", store) == 1)
      #expect(try value("a", "s", store) == 1)
      try plist("<key>a</key><integer>20</integer>")
      #expect(try value("a", "s", store) == 20)
    }

    @Test(arguments: ["", "<plist", "not a property list", "[1, 2", "<plist version=\"1.0\"><array/></plist>"])
    func damageIsNotAbsence(_ content: String) throws {
      try plist("")
      try Data(content.utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: StorageFault.corrupted) { try store.read(.preference("a", suite: "s"), list) }
      #expect(throws: StorageFault.corrupted) { try store.exists(.preference("a", suite: "s"), list) }
      #expect(throws: StorageFault.corrupted) { try store.scan(.preferences(suite: "s"), upTo: .max) { _ in true } }
    }

    /// One name to `String`, two in the file.
    @Test func twoSpellingsOfAName() throws {
      try plist("<key>é</key><integer>1</integer><key>e\u{301}</key><integer>2</integer>")
      #expect([1, 2].contains(try value("é", "s", store)))
    }

    @Test func whatIsTooLargeIsRefused() throws {
      try plist("<key>a</key><string>" + String(repeating: "x", count: 1_000) + "</string>")
      var small = list
      small.maxStoredSize = 500
      #expect(throws: StorageFault.valueTooLarge) { try store.read(.preference("a", suite: "s"), small) }
      #expect(truncate(path, 16 << 20 + 1) == 0)
      #expect(throws: StorageFault.valueTooLarge) { try store.read(.preference("a", suite: "s"), list) }
    }

    @Test func linksAreNotFollowed() throws {
      try plist("<key>a</key><integer>1</integer>")
      try FileManager.default.moveItem(atPath: path, toPath: fixture.path("target"))
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: fixture.path("target"))
      #expect(throws: StorageFault.io(errno: ELOOP)) { try store.read(.preference("a", suite: "s"), list) }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(throws: StorageFault.io(errno: EISDIR)) { try store.read(.preference("a", suite: "s"), list) }
    }

    @Test(arguments: ["../s", "a/b", ".hidden", "a\u{0}", "", String(repeating: "n", count: 251)])
    func suitesThatLeadElsewhere(_ suite: String) throws {
      #expect(throws: StorageFault.invalidName) { try store.read(.preference("a", suite: suite), list) }
    }

    @Test func nothingIsEverWritten() throws {
      try plist("<key>a</key><integer>1</integer>")
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let address = StorageAddress.preference("a", suite: "s")
      #expect(throws: StorageFault.accessDenied) { try store.write(Data(), to: address, list) }
      #expect(throws: StorageFault.accessDenied) { try store.remove(address, list) }
      #expect(throws: StorageFault.accessDenied) { try store.update(address, list) { _ in .keep } }
      try store.makeDurable(address.container)
      try store.purge(address.container)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      #expect(Set(try fixture.permissions().keys) == ["config", "config/s.plist"])
      #expect(throws: StorageFault.invalidName) { try store.read(.file("a"), list) }
    }
  }
#endif
