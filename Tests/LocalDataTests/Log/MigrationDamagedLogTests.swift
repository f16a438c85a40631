import Foundation
import LocalDataMaintenance
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// A log that is damaged while a migration is not at its end: it is set aside, and what it would have said is unknown.
@Suite struct MigrationDamagedLogTests {
  private let fixture: StoreFixture
  private let memory = MemoryStore()
  private let first = key("first", String.self)
  private let last = key("last", String.self)

  init() throws { fixture = try StoreFixture() }

  private var file: URL { fixture.folder.appendingPathComponent("data/.migrations.log") }

  private func router(_ store: FaultInjectingStore? = nil) throws -> StorageRouter {
    let location = try fixture.locations.migrationLog(of: .app)
    return StorageRouter(configuration: StorageConfiguration(applicationVersion: "2")) { [memory] setup in
      var services = StorageServices(over: store ?? FaultInjectingStore(memory), setup)
      services.migrationLog = { _ in MigrationLog(in: location) }
      return services
    }
  }

  private func name(_ onConflict: ConflictPolicy) -> StorageKey<String?> {
    key("name", String.self, .keychain(), .keychain()) { [first, last] key in
      AnyStorageMigration(
        AggregatingMigration(destinationKey: key, sourceKeys: (first, last), onConflict: onConflict) {
          ($0 ?? "-") + ($1 ?? "-")
        })
    }
  }

  /// With its log, a removal of parts that has begun is finished. Without it, what is left is compared. Half of the
  /// parts is a different value than the whole, and the policy decides what happens to it.
  @Test(arguments: [true, false], [ConflictPolicy.keepSource, .removeSource])
  func noSourceIsRemovedWithoutAComparison(_ isDamaged: Bool, _ onConflict: ConflictPolicy) async throws {
    try await router().set("Ada", for: first)
    try await router().set("Lovelace", for: last)
    let name = name(onConflict)
    let store = FaultInjectingStore(memory)
    store.fail(with: .locked) { $0.address?.name == "last" && [.remove, .update].contains($0.operation) }
    #expect(try await router(store).get(name) == "AdaLovelace")
    #expect(try await router().exists(first) == false)
    #expect(try await router().exists(last))
    if isDamaged {
      var bytes = try Data(contentsOf: file)
      bytes[LogEncoding.headerSize + 20] ^= 1
      try bytes.write(to: file)
    }
    // Whatever the log says, the value is read and stays.
    for _ in 0..<2 { #expect(try await router().get(name) == "AdaLovelace") }
    #expect(try await router().exists(last) == (isDamaged && onConflict == .keepSource))
    let outcomes = try await router().migrations.history().map(\.outcome)
    #expect(outcomes.contains(.logSetAside) == isDamaged)
    // The next call works.
    try await router().set("Grace", for: name)
    #expect(try await router().get(name) == "Grace")
    try await router().remove(name)
    #expect(try await router().get(name) == nil)
    #expect(try await router().exists(last) == false)
  }

  enum Attack: CaseIterable {
    case nothing, deleted, emptied, cutToHeader, lastByteChanged, garbage
  }

  /// Somebody writes plain bytes over a value that was encrypted in place, and destroys the log that retires the plain form.
  @Test(arguments: Attack.allCases, [true, false])
  func plainBytesOverAnEncryptedValueAreRefusedWithoutTheLog(_ attack: Attack, _ wasPlain: Bool) async throws {
    let (plain, address) = (key("note", String.self), StorageAddress.preference("note"))
    let secured = key("note", String.self, .userDefaults(), .recommended) {
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(plain)))
    }
    let moved = key("moved", String.self, .keychain(), .keychain()) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(secured)))
    }
    try await router().set("mine", for: wasPlain ? plain : secured)
    #expect(try await router().get(secured) == "mine")
    switch attack {
    case .nothing: break
    case .deleted: try FileManager.default.removeItem(at: file)
    case .emptied: try Data().write(to: file)
    case .cutToHeader: try Data(contentsOf: file).prefix(LogEncoding.headerSize).write(to: file)
    case .lastByteChanged: try (Data(contentsOf: file).dropLast() + [0x21]).write(to: file)
    case .garbage: try Data("not a log".utf8).write(to: file)
    }
    try memory.write(Data("\"planted\"".utf8), to: address, StorageAttributes())
    for _ in 0..<2 {
      await #expect(throws: StorageError(.corrupted, .init(key: "note", domain: .userDefaults))) {
        try await router().get(secured)
      }
    }
    // The next release moves the value, and accepts the plain form no more than this one.
    await #expect(throws: StorageError.self) { try await router().get(moved) }
    try await router().set("mine again", for: secured)
    #expect(try await router().get(secured) == "mine again")
    // A last batch that is damaged is ignored, unless it is the only one.
    if attack != .lastByteChanged {
      let isSetAside = [.emptied, .cutToHeader, .garbage].contains(attack)
      #expect(try await router().migrations.history().map(\.outcome).contains(.logSetAside) == isSetAside)
    }
    // An earlier release may still store the plain form.
    try await router().set("rolled back", for: plain)
    #expect(try await router().get(secured) == "rolled back")
  }

  /// A custom migration whose value is stored does not run again, and does not replace a newer value.
  @Test func aCustomMigrationDoesNotRunBesideAValue() async throws {
    struct Importing: StorageMigration {
      let destinationKey: StorageKey<String?>
      func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { true }
      func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.set("imported", for: destinationKey)
        return MigrationResult(success: true)
      }
    }
    let new = key("new", String.self) { AnyStorageMigration(Importing(destinationKey: $0)) }
    #expect(try await router().get(new) == "imported")
    try await router().set("newer", for: new)
    try Data("not a log".utf8).write(to: file)
    for _ in 0..<2 { #expect(try await router().get(new) == "newer") }
    try await router().remove(new)
  }
}
