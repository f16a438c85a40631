#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// Tests of several processes that use one keystore.
  @Suite struct KeystoreProcessTests {
    /// The keystore does not exist yet. The race is short, so the test runs it many times.
    @Test func eightThatOpenItFirstAgreeOnOneKey() throws {
      for round in 0..<Sweep.count(quick: 2, full: 25) {
        let fixture = try StoreFixture()
        try expectAll(fixture, ["increment", "count", "1"])
        #expect(try value(fixture) == Data("8".utf8), "round \(round)")
        #expect(FileManager.default.contents(atPath: fixture.path("data/keystore.key"))?.count == 32)
      }
    }

    @Test func updatesOfEightAreAllKept() throws {
      let (fixture, count) = (try StoreFixture(), Sweep.count(quick: 40, full: 1_000))
      try expectAll(fixture, ["increment", "count", "\(count)"])
      #expect(try value(fixture) == Data("\(8 * count)".utf8))
    }

    @Test func filesAreTheUsersAloneWhateverTheMask() throws {
      let fixture = try StoreFixture()
      let end = try ChildProcess.probe("keychain", fixture, "write", "a", "10", "1", options: ["--umask", "0"])
      #expect(end == ChildProcess.End(code: 0, output: ""))
      for (name, mode) in try fixture.permissions() { #expect(mode == (name == "data" ? 0o700 : 0o600), "\(name)") }
      #expect(try ChildProcess.probe("keychain", fixture, "read", "a").line == "10 bytes of 1")
    }

    @Test func aMissingKeyFileIsAFaultInTheNextProcess() throws {
      let fixture = try StoreFixture()
      _ = try ChildProcess.probe("keychain", fixture, "write", "a", "10", "1")
      try FileManager.default.removeItem(atPath: fixture.path("data/keystore.key"))
      for verb in ["read", "write", "update"] {
        #expect(try ChildProcess.probe("keychain", fixture, verb, "a").line == "fault: keyMaterialMissing")
      }
      #expect(!FileManager.default.fileExists(atPath: fixture.path("data/keystore.key")))
    }

    /// The first sealed value of an app, in eight processes together.
    @Test func eightThatSealFirstAgreeOnOneMasterKey() async throws {
      for policy in Sweep.sample(["pbkdf2", "hkdf"], quick: 1) {
        let fixture = try StoreFixture()
        await withTaskGroup(of: Void.self) { group in
          for index in 0..<8 {
            group.addTask { [folder = fixture.folder.path] in
              await #expect(processExitsWith: .success) {
                [folder = folder as String, policy = policy as String, index = index as Int] in
                try await sealingProcess(folder, policy, index)
              }
            }
          }
        }
        let helper = encryptionHelper(fixture.folder.path)
        let envelopes = try (0..<8).map {
          try Data(contentsOf: fixture.folder.appendingPathComponent("sealed-\($0)"))
        }
        let headers = try envelopes.map { try EnvelopeHeader.parse($0) }
        #expect(Set(headers.map { $0.seal?.keyID }).count == 1)
        for (envelope, header) in zip(envelopes, headers) {
          let opener = try await helper.opener(for: sealing(policy), keyset: .app, keyName: "profile", header: header)
          #expect(try opener.open(envelope, identity: .profile).plaintext == Data("value".utf8))
        }
      }
    }

    private func expectAll(_ fixture: StoreFixture, _ words: [String]) throws {
      let children = try (0..<8).map { _ in
        try ChildProcess(ChildProcess.probe, ["keychain", fixture.folder.path] + words)
      }
      for child in children { #expect(child.wait() == ChildProcess.End(code: 0, output: "")) }
    }

    private func value(_ fixture: StoreFixture) throws -> Data? {
      try KeychainHelper(in: fixture.locations.appFolder).read(.item("count", service: "probe"), StorageAttributes())
    }
  }

  private func sealing(_ policy: String) -> SecurityPolicy.EncryptionPolicy {
    .chaCha20Poly1305(keyDerivation: policy == "hkdf" ? .hkdf : .pbkdf2(iterations: 600_000))
  }

  private func encryptionHelper(_ folder: String) -> EncryptionHelper {
    let roots = StorageRoots(below: URL(fileURLWithPath: folder))
    let locations = StorageLocations(
      StorageConfiguration(applicationName: "Test", roots: roots), FileStorageConfiguration())
    let keychain = KeychainHelper(in: locations.appFolder)
    let vault = KeysetVault(configuration: .init()) { _ in keychain }
    return EncryptionHelper(configuration: .init(), vault: vault) { _ in false }
  }

  private func sealingProcess(_ folder: String, _ policy: String, _ index: Int) async throws {
    let sealer = try await encryptionHelper(folder).sealer(for: sealing(policy), keyset: .app, keyName: "profile")
    let envelope = try sealer.seal(Data("value".utf8), metadata: .init(writtenAt: 0), identity: .profile)
    try envelope.write(to: URL(fileURLWithPath: folder).appendingPathComponent("sealed-\(index)"))
  }

  /// Every file call of a keystore's write is killed, cut short or failed in turn.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct KeystoreSweepTests {
    struct Scenario: Sendable, CustomTestStringConvertible {
      var isFresh: Bool
      var action: String

      var testDescription: String { "\(action), \(isFresh ? "nothing there yet" : "over a value")" }
    }

    static let scenarios = [true, false].flatMap { isFresh in
      ["kill", "shortkill", "eio", "enospc"].map { Scenario(isFresh: isFresh, action: $0) }
    }

    private let address = StorageAddress.item("value", service: "probe")
    private let other = StorageAddress.item("other", service: "probe")
    private let old = Data(repeating: 1, count: 5_000)
    private let new = Data(repeating: 2, count: 10_000)
    private static let attributes = StorageAttributes()

    @Test(arguments: scenarios) func theValueIsTheOldOneOrTheNew(_ scenario: Scenario) throws {
      let fixture = try StoreFixture()
      let shim = try FaultShim(in: fixture)
      // A run that only counts; a shim that sees no write shows nothing.
      let listed = try run(scenario, fixture, shim.environment("list"))
      let calls = shim.calls(in: listed.output)
      #expect(listed.code == 0)
      #expect(calls.contains { $0.name.contains("write") && $0.path.contains("keystore.db") })
      #expect(scenario.isFresh == calls.contains { $0.name == "write" && $0.path.contains("keystore.key") })

      let numbers = Sweep.sample(Array(1...calls.count), quick: 3)
      Sweep.report("faults of a keystore, \(scenario.testDescription)", "\(numbers.count) of \(calls.count) file calls")
      for number in numbers {
        // Only what writes can be cut short.
        if scenario.action == "shortkill", !calls[number - 1].name.contains("write") { continue }
        let moment = "\(scenario.action) at \(number), \(calls[number - 1])"
        let end = try run(scenario, fixture, shim.environment(scenario.action, at: number))
        #expect(end.code != nil || scenario.action.hasSuffix("kill"), "\(moment): it crashed, \(end.output)")
        let found = try helper(fixture).read(address, Self.attributes)
        let before = scenario.isFresh ? nil : old
        #expect(found == new || found == before && end.code != 0, "\(moment): \(found?.count ?? -1) bytes")
        // A key file is whole or not there.
        let key = FileManager.default.contents(atPath: fixture.path("store/data/keystore.key"))
        #expect(key == nil && scenario.isFresh && found == nil || key?.count == 32, "\(moment)")
        if !scenario.isFresh { #expect(try helper(fixture).read(other, Self.attributes) == old, "\(moment)") }
        // A later write works, and leaves nothing of the killed one.
        try helper(fixture).write(Data([3]), to: address, Self.attributes)
        #expect(try helper(fixture).read(address, Self.attributes) == Data([3]), "\(moment)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: fixture.path("store"))
        #expect(!names.contains { $0.contains(".new") }, "\(moment): \(names)")
      }
    }

    /// The key file is on the disk, and its name too, before a root key is sealed under it.
    @Test func theKeyFileIsDurableFirst() throws {
      let fixture = try StoreFixture()
      let shim = try FaultShim(in: fixture)
      let listed = try run(Scenario(isFresh: true, action: "list"), fixture, shim.environment("list"))
      let calls = shim.calls(in: listed.output)
      var rest = calls[...]
      for (name, path) in [
        ("write", "/data/.keystore.key.new"), ("fsync", "/data/.keystore.key.new"),
        ("renameat", "/data/.keystore.key.new"), ("fsync", "/data"), ("pwrite64", "/data/keystore.db-wal"),
        ("fdatasync", "/data/keystore.db-wal"),
      ] {
        let index = rest.firstIndex {
          $0.path == path && ($0.name == name || name == "fdatasync" && $0.name == "fsync")
        }
        rest = rest[(try #require(index, "\(name) \(path) is not in its place in \(calls)") + 1)...]
      }
    }

    private func run(
      _ scenario: Scenario, _ fixture: StoreFixture, _ environment: [String: String]
    ) throws -> ChildProcess.End {
      if FileManager.default.fileExists(atPath: fixture.path("store")) {
        try FileManager.default.removeItem(atPath: fixture.path("store"))
      }
      if !scenario.isFresh {
        let helper = try helper(fixture)
        try helper.write(old, to: other, Self.attributes)
        try helper.write(old, to: address, Self.attributes)
      }
      return try ChildProcess.run(
        ChildProcess.probe, ["keychain", fixture.path("store"), "update", "value", "10000", "2"],
        environment: environment)
    }

    /// Returns a new helper for each call. What an earlier helper keeps in memory must not hide what is on the disk.
    private func helper(_ fixture: StoreFixture) throws -> KeychainHelper {
      let roots = StorageRoots(below: fixture.folder.appendingPathComponent("store"))
      let configuration = StorageConfiguration(applicationName: "Test", roots: roots)
      return KeychainHelper(in: StorageLocations(configuration, FileStorageConfiguration()).appFolder)
    }
  }
#endif
