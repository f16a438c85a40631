#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// Encrypted values whose bytes were changed keep no rotation from its end, once the app has given them up.
  @Suite struct DamagedValueTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private static func key(_ name: String, _ domain: StorageDomain) -> StorageKey<String?> {
      StorageKey<String?>(
        name: name, domain: domain, security: .recommended, owner: "Tests", description: "A text.")
    }

    private static let note = key("note", .userDefaults())
    private static let file = key("file", .encryptedFileSystem(directory: .documents))
    private static let group = key("shared", .appGroupUserDefaults(identifier: "group.t"))
    /// Of a catalog that is not registered any more.
    private static let former = [
      key("former", .encryptedFileSystem(directory: .documents)), key("former", .userDefaults(suite: "former")),
      key("former", .keychain(service: "former")),
    ]

    private func launch() throws -> StorageRouter {
      let router = app.launch()
      try router.register([Self.note, Self.file, Self.group].map { .key($0) })
      return router
    }

    /// A part of an envelope whose damage is found in its own way.
    enum Part: Int, CaseIterable {
      /// The iterations of PBKDF2, which has not stretched the key: the header is damaged.
      case header = 44
      /// The time of writing, which is authenticated.
      case time = 19
      /// The tag.
      case tag = -1
    }

    /// Changes one bit of a stored value, and returns the bytes.
    @discardableResult
    private func damage(_ part: Part, of key: StorageKey<String?>) throws -> Data {
      var bytes = try #require(try app.stored(key))
      bytes[part.rawValue < 0 ? bytes.endIndex - 1 : bytes.startIndex + part.rawValue] ^= 1
      try app.write(bytes, of: key)
      return bytes
    }

    private var abandoned: [Data] {
      get throws {
        let folder = app.fixture.path("data/.abandoned")
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
          .map { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) }
      }
    }

    /// The files of the values that are no values of their keys.
    private var quarantined: [String] {
      get throws {
        try FileManager.default.contentsOfDirectory(atPath: app.fixture.path("data/.quarantine"))
          .filter { !$0.hasPrefix(".") }.map { "data/.quarantine/" + $0 }
      }
    }

    private func keyCount(_ keyset: KeysetID) throws -> Int? {
      try app.launch().values(for: nil).services.encryption.storedRecord(of: keyset)?.keys.count
    }

    private func isRotating(_ keyset: KeysetID) throws -> Bool {
      try #require(try app.launch().values(for: nil).services.encryption.storedRecord(of: keyset)).isRotating
    }

    @Test(arguments: Part.allCases, former)
    func aDamagedValueOfNoRegisteredKeyIsMovedAsideOnRequest(
      _ part: Part, _ former: StorageKey<String?>
    ) async throws {
      for key in [former, Self.note, Self.group] { try await app.launch().set("a", for: key) }
      let bytes = try damage(part, of: former)
      let maintenance = try launch().maintenance
      let failure = StorageError(.authenticationFailed, .init(key: nil, domain: former.domain.kind))
      for _ in 0..<2 {
        let rotation = try await maintenance.rotateKeys()
        #expect(rotation.failures == [failure])
        #expect(!rotation.isComplete)
      }
      #expect("\(failure)".contains("router.maintenance.abandonEncryptedData(includingDamaged: true)"))
      // The keys of the group are done.
      #expect(try isRotating(.app))
      #expect(try !isRotating(.group(identifier: "group.t")))
      let needed = StorageError(.retiredKeyInUse, .init(key: nil, domain: nil))
      await #expect(throws: needed) { try await maintenance.destroyRetiredKeys() }
      #expect("\(needed)".contains("router.maintenance.abandonEncryptedData(includingDamaged: true)"))

      // Not unless the app asks for it: the bytes may be repaired.
      #expect(try await maintenance.abandonEncryptedData() == .init())
      let progress = RecordedProgress()
      let lost = try await maintenance.abandonEncryptedData(includingDamaged: true, progress: progress.note)
      #expect(progress.count == 3)
      #expect((lost.keys, lost.unregistered) == ([], 1))
      #expect(lost.folders.map(\.path) == [app.fixture.path("data/.abandoned")])
      #expect(try app.stored(former) == nil)
      #expect(try abandoned.map { $0.suffix(bytes.count) } == [bytes])
      #expect(try await maintenance.abandonEncryptedData(includingDamaged: true) == .init())

      #expect(try await maintenance.rotateKeys().isComplete)
      #expect(try await maintenance.destroyRetiredKeys() > 0)
      #expect(try await launch().get(Self.note) == "a")
      #expect(try await launch().get(Self.group) == "a")
    }

    @Test(arguments: [note, file, group])
    func theKeyOfADamagedValueIsNamedAndUsableAgain(_ key: StorageKey<String?>) async throws {
      let keys = [Self.note, Self.file, Self.group]
      for key in keys { try await launch().set("a", for: key) }
      try damage(.tag, of: key)
      let lost = try await launch().maintenance.abandonEncryptedData(includingDamaged: true)
      #expect(lost.keys == [.init(key: key.name, domain: key.domain.kind)])
      #expect(lost.unregistered == 0)
      for other in keys { #expect(try await launch().get(other) == (other.name == key.name ? nil : "a")) }
      try await launch().set("b", for: key)
      #expect(try await launch().get(key) == "b")
    }

    /// A value that cannot be read now may be readable later.
    @Test(arguments: [StorageProblem.locked, .busy, .accessDenied, .io(errno: EIO)])
    func aValueThatCannotBeReadNowStays(_ fault: StorageProblem) async throws {
      try await launch().set("a", for: Self.file)
      let router = app.launch(failing: .read, with: fault)
      try router.register([.key(Self.file)])
      await #expect(throws: StorageError(fault, .init(key: "file", domain: .encryptedFileSystem), .write)) {
        try await router.maintenance.abandonEncryptedData(includingDamaged: true)
      }
      #expect(try abandoned.isEmpty)
      #expect(try await launch().get(Self.file) == "a")
    }

    /// Another process sets the value anew between the look at it and its removal.
    @Test func aValueThatIsSetMeanwhileStays() async throws {
      try await launch().set("a", for: Self.file)
      let bytes = try #require(try app.stored(Self.file))
      try damage(.tag, of: Self.file)
      let helper = FileStorageHelper(app.fixture.locations)
      let router = app.launch { services in
        let files = FaultInjectingStore(services.files)
        files.fail(with: .busy) { call in
          guard call.operation == .update else { return false }
          let address = StorageAddress(container: .directory(.documents), name: "file")
          do throws(StorageProblem) { try helper.write(bytes, to: address, StorageAttributes()) } catch { return true }
          return false
        }
        services.files = files
      }
      try router.register([.key(Self.file)])
      #expect(try await router.maintenance.abandonEncryptedData(includingDamaged: true) == .init())
      #expect(try await launch().get(Self.file) == "a")
    }

    @Test(arguments: [note, file])
    func aValueOfALaterFormatIsNamedAndTheOthersGetTheNewKey(_ key: StorageKey<String?>) async throws {
      for key in [Self.note, Self.file, Self.group] { try await app.launch().set("a", for: key) }
      var bytes = try #require(try app.stored(key))
      bytes[bytes.startIndex + EnvelopeHeader.magic.count] += 1
      try app.write(bytes, of: key)
      let maintenance = try launch().maintenance
      let failure = StorageError(.unknownFormatVersion, AnyStorageKey(key).subject)
      let rotation = try await maintenance.rotateKeys()
      #expect(rotation.failures == [failure])
      #expect(rotation.reencrypted == 2)
      #expect(try isRotating(.app))
      // It is no damaged value, and it stays.
      for includingDamaged in [false, true] {
        await #expect(throws: failure) {
          try await maintenance.abandonEncryptedData(includingDamaged: includingDamaged)
        }
      }
      #expect(try app.stored(key) == bytes)
      #expect(try abandoned == [])
      await #expect(throws: StorageError.self) { try await maintenance.destroyRetiredKeys() }
      try await launch().remove(key)
      #expect(try await maintenance.rotateKeys().isComplete)
      #expect(try await maintenance.destroyRetiredKeys() == 2)
    }

    @Test func aKeysetThatIsStillNeededKeepsNoOtherFromBeingDestroyed() async throws {
      for key in [Self.note, Self.group] { try await app.launch().set("a", for: key) }
      let old = try #require(try app.stored(Self.note))
      let maintenance = try launch().maintenance
      #expect(try await maintenance.rotateKeys().isComplete)
      // A backup restores the old bytes.
      try app.write(old, of: Self.note)
      await #expect(throws: StorageError(.retiredKeyInUse, AnyStorageKey(Self.note).subject)) {
        try await maintenance.destroyRetiredKeys()
      }
      #expect(try keyCount(.app) == 2)
      #expect(try keyCount(.group(identifier: "group.t")) == 1)
      #expect(try await launch().get(Self.note) == "a")
      #expect(try await launch().get(Self.group) == "a")
    }

    /// Others that are damaged are given up beside it.
    @Test func aValueOfALaterFormatThatWasMovedAsideIsNamedAndTheOthersGetTheNewKey() async throws {
      let address = try #require(CorruptionAddress.sealed.first)
      for name in ["value", "other"] {
        try await app.launch().set("abc", for: address.old(name))
        #expect(try await app.launch().get(address.key(.quarantine, name)) == 7)
        if name == "value" { try await app.launch().set("stored", for: address.old(name)) }
      }
      let (later, damaged) = (try quarantinedFile(of: "value"), try quarantinedFile(of: "other"))
      try change(later, at: formatVersion)
      try change(damaged) { $0.endIndex - 1 }
      try await app.launch().set("a", for: Self.group)
      let router = app.launch()
      try router.register([.key(address.old()), .key(address.old("other")), .key(Self.group)])
      let maintenance = router.maintenance
      let failure = StorageError(.unknownFormatVersion, address.subject)
      var rotation = try await maintenance.rotateKeys()
      #expect(
        Set(rotation.failures) == [
          failure, StorageError(.authenticationFailed, .init(key: "other", domain: address.domain.kind)),
        ])
      #expect(rotation.reencrypted == 2)
      #expect(try keyCount(.group(identifier: "group.t")) == 2)
      #expect(try !isRotating(.group(identifier: "group.t")))
      let lost = try await maintenance.abandonEncryptedData(includingDamaged: true)
      #expect(lost.keys == [.init(key: "other", domain: address.domain.kind)])
      #expect(try abandoned.count == 1)
      rotation = try await maintenance.rotateKeys()
      #expect(rotation.failures == [failure])
      await #expect(throws: StorageError(.retiredKeyInUse, .init(key: nil, domain: nil))) {
        try await maintenance.destroyRetiredKeys()
      }
      let left = try await maintenance.quarantined()
      #expect(left.map(\.key) == [address.subject])
      #expect(try await maintenance.removeQuarantined(left) == 1)
      #expect(try await maintenance.rotateKeys().isComplete)
      #expect(try await maintenance.destroyRetiredKeys() == 2)
      #expect(try await router.get(address.old()) == "stored")
    }

    /// A key that only a value of a later format may need is not destroyed.
    @Test func aValueOfALaterFormatThatIsMovedAsideLaterKeepsTheKeys() async throws {
      let address = try #require(CorruptionAddress.sealed.first)
      try await app.launch().set("abc", for: address.old())
      #expect(try await app.launch().get(address.key(.quarantine)) == 7)
      let router = app.launch()
      try router.register([.key(address.old())])
      let path = try quarantinedFile(of: "value")
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(try await router.maintenance.rotateKeys().isComplete)
      // A backup restores the old bytes.
      try before.write(to: URL(fileURLWithPath: path))
      try change(path, at: formatVersion)
      await #expect(throws: StorageError(.unknownFormatVersion, address.subject)) {
        try await router.maintenance.destroyRetiredKeys()
      }
      #expect(try keyCount(.app) == 2)
    }

    /// The path of the file of a value that was moved aside, by the stored name of its key.
    private func quarantinedFile(of name: String) throws -> String {
      try #require(
        try quarantined.map(app.fixture.path).first { path in
          SetAsideValue.read(try Data(contentsOf: URL(fileURLWithPath: path)))?.address.name == name
        })
    }

    /// The index of the format version of the value in a file.
    private func formatVersion(_ file: Data) throws -> Data.Index {
      file.endIndex - (try #require(SetAsideValue.read(file)).stored.count) + EnvelopeHeader.magic.count
    }

    /// Adds one to a byte of a file.
    private func change(_ path: String, at index: (Data) throws -> Data.Index) throws {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[try index(bytes)] &+= 1
      try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test func aDamagedValueThatWasMovedAsideBeforeIsGivenUpToo() async throws {
      let address = try #require(CorruptionAddress.sealed.first)
      try await app.launch().set("abc", for: address.old())
      #expect(try await app.launch().get(address.key(.quarantine)) == 7)
      let path = app.fixture.path(try #require(try quarantined.first))
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[bytes.endIndex - 1] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      let router = app.launch()
      try router.register([.key(address.old())])
      #expect(
        try await router.maintenance.rotateKeys().failures == [StorageError(.authenticationFailed, address.subject)])
      let lost = try await router.maintenance.abandonEncryptedData(includingDamaged: true)
      #expect(lost.keys == [address.subject])
      #expect(try await router.maintenance.quarantined() == [])
      #expect(try abandoned == [bytes])
      #expect(try await router.maintenance.rotateKeys().isComplete)
      #expect(try await router.maintenance.destroyRetiredKeys() == 1)
    }
  }
#endif
