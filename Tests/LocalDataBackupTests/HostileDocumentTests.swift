import ExampleKeys
import Foundation
import LocalData
@_spi(Generated) @testable import LocalDataBackup
import LocalDataRecords
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataSystem
import TestSupport
import Testing

/// Documents that no export has written. Each is refused with the place of its problem, and nothing that is stored changes.
struct HostileDocumentTests {
  /// A change of the lines of a document, and the error that it leads to.
  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    var error: BackupError
    var change: @Sendable (inout [String]) -> Void

    init(
      _ name: String, _ problem: BackupError.Problem, _ subject: String? = nil, field: String? = nil, line: Int? = nil,
      _ change: @escaping @Sendable (inout [String]) -> Void
    ) {
      (self.name, error, self.change) = (name, BackupError(problem, subject, field: field, line: line), change)
    }

    var testDescription: String { name }
  }

  /// The first lines: header, records, Credential, three rows, end, IdTokenSharingHistory, a row, end, SharingHistory, four rows.
  private static let (firstCredential, firstHistory) = (3, 11)

  static let changes: [Change] = [
    Change("another app", .otherApplication) { $0[0].replace("\"application\":\"Test\"", "\"application\":\"Other\"") },
    Change("another backup", .otherBackup) { $0[0].replace("\"backup\":\"full\"", "\"backup\":\"other\"") },
    Change("another catalog", .otherCatalog) { $0[0].replace("\"catalog\":\"Wallet\"", "\"catalog\":\"Bank\"") },
    Change("a later format", .unknownFormat) { $0[0].replace("\"format\":1", "\"format\":2") },
    Change("no document", .notABackup) { $0[0] = "{\"some\":\"JSON\"}," },
    Change("a newer record", .newerRelease, "Later", line: 1) {
      $0[0].replace(
        "\"shape\":{\"format\":1,\"records\":{",
        "\"shape\":{\"format\":1,\"records\":{\"Later\":{\"columns\":{\"1\":[\"id\",\"TEXT\"]},\"indexes\":[],\"key\":1,\"references\":{},\"required\":[1],\"reserved\":{},\"retired\":[],\"sealed\":{},\"unique\":[],\"wire\":{}},"
      )
      $0[0].replace("\"schema\":{\"records\":{", "\"schema\":{\"records\":{\"Later\":[[1,\"id\",\"String\"]],")
      $0[0].replace("\"counts\":{", "\"counts\":{\"Later\":0,")
    },
    Change("a shape that is SQL", .invalidLayout, line: 1) { $0[0].replace("\"TEXT\"", "\"TEXT, x\"") },
    Change("a duplicate key", .duplicateKey, "Credential", line: 5) { $0[firstCredential + 1] = $0[firstCredential] },
    Change("rows out of order", .invalidLayout, "Credential", line: 5) {
      let row = $0[firstCredential]
      $0[firstCredential] = $0[firstCredential + 1]
      $0[firstCredential + 1] = row
    },
    Change("a reference to nothing", .missingReference, "SharingHistory", line: 13) {
      $0[firstHistory + 1].replace("\"credentialID\":\"urn:1\"", "\"credentialID\":\"urn:9\"")
    },
    Change("a wrong type", .invalidValue, "Credential", field: "iat", line: 4) {
      $0[firstCredential].replace("\"iat\":\"2025", "\"iat\":\"MMXX")
    },
    Change("a number as text", .invalidValue, "SharingHistory", field: "accountIndex", line: 12) {
      $0[firstHistory].replace("\"accountIndex\":0", "\"accountIndex\":\"0\"")
    },
    Change("no key", .invalidValue, "Credential", line: 4) { $0[firstCredential].replace("\"id\":\"urn:0\",", "") },
    Change("a missing field", .invalidValue, "Credential", line: 5) {
      $0[firstCredential + 1].replace("\"format\":\"vc+sd-jwt\",", "")
    },
    Change("an unknown case", .invalidValue, "Credential", line: 5) {
      $0[firstCredential + 1].replace("vc+sd-jwt", "vc+later")
    },
    Change("an unknown field", .unknownName, "Credential", field: "x", line: 4) {
      $0[firstCredential].replace("\"id\":", "\"x\":1,\"id\":")
    },
    Change("a row of another record", .invalidLayout, line: 4) {
      $0[firstCredential].replace("\"#\":\"Credential\"", "\"#\":\"SharingHistory\"")
    },
    Change("an unknown key", .unknownName, "other", line: 19) { $0[18].replace("use_dpop", "other") },
    Change("a wrong value", .invalidValue, "use_dpop", line: 19) { $0[18] = "\"use_dpop\":7" },
    Change("an equal name twice", .invalidLayout, line: 4) {
      $0[firstCredential].replace("\"id\":", "\"id\":\"a\",\"id\":")
    },
    Change("a missing row", .wrongCount, "Credential", line: 6) { $0.remove(at: firstCredential) },
    Change("a line too many", .invalidLayout, line: 2) { $0.insert("", at: 1) },
    Change("a row of one object too many", .invalidLayout, line: 4) { $0[firstCredential] += "{}," },
  ]

  @Test(arguments: changes) func changedDocumentsAreRefused(_ change: Change) async throws {
    let (old, new) = (try WalletApp(), try WalletApp())
    try await old.fill()
    try await new.router.credentials.save(WalletApp.credential(8))
    let before = try await new.content()
    var lines = try await document(of: old)
    let unchanged = lines
    change.change(&lines)
    #expect(lines != unchanged)
    let url = try write(lines, to: new)
    let error = await #expect(throws: BackupError.self) {
      try await new.router.backups.stage(WalletApp.plain, from: url)
    }
    #expect(error == change.error)
    #expect(try await new.content() == before)
    for secret in ["secret-", "Ada", "urn:", "verifier", "MMXX", "vc+later"] {
      #expect(error.map { "\($0)" + String(reflecting: $0) }?.contains(secret) == false)
    }
    #expect(try new.device.fixture.permissions().keys.filter { $0.contains(".staged-") } == [])
  }

  @Test func wrongDigestIsRefused() async throws {
    let app = try WalletApp()
    try await app.fill()
    var lines = try await document(of: app)
    lines[3].replace("urn:0", "urn:00")
    let url = try write(lines, to: app, hashes: false)
    await #expect(throws: BackupError(.wrongDigest, line: lines.count)) {
      try await app.router.backups.stage(WalletApp.plain, from: url)
    }
  }

  @Test func plainDocumentPassesForNoSealedOne() async throws {
    let app = try WalletApp()
    try await app.fill()
    let url = try write(try await document(of: app), to: app)
    let backups = app.router.backups
    await #expect(throws: BackupError(.plainDocument)) { try await backups.stage(.full, from: url) }
    await #expect(throws: BackupError(.plainDocument)) {
      try await backups.stage(.full, from: url, passphrase: WalletApp.passphrase, acceptsPlain: true)
    }
    try await backups.stage(.full, from: url, acceptsPlain: true).apply(.merge)
    await #expect(throws: BackupError(.plainDocument)) {
      try await backups.stage(.recovery, from: url, acceptsPlain: true)
    }
  }

  @Test func sealedBackupNeedsItsPassphrase() async throws {
    let app = try WalletApp()
    try await app.fill()
    let backups = app.router.backups
    let file = try await backups.export(.full, passphrase: WalletApp.passphrase)
    for (passphrase, problem) in [
      (nil, BackupError.Problem.passphraseRequired), ("wrong", .wrongPassphrase), ("wrong\u{7}", .wrongPassphrase),
    ] {
      await #expect(throws: BackupError(problem)) {
        try await backups.stage(.full, from: file.url, passphrase: passphrase)
      }
    }
    await #expect(throws: BackupError(.passphraseRequired)) { try await backups.export(.full) }
    await #expect(throws: BackupError(.passphraseNotUsed)) {
      try await backups.export(WalletApp.plain, passphrase: WalletApp.passphrase)
    }
  }

  @Test func oneBadRowOfThousandChangesNothing() async throws {
    let (old, new) = (try WalletApp(), try WalletApp())
    try await old.fill(credentials: 1_000, histories: 0)
    var lines = try await document(of: old)
    let index = try #require(lines.firstIndex { $0.contains("\"urn:777\"") })
    lines[index].replace("\"iss\":\"", "\"iss\":1,\"type\":\"")
    let url = try write(lines, to: new)
    let error = await #expect(throws: BackupError.self) {
      try await new.router.backups.stage(WalletApp.plain, from: url)
    }
    #expect(error?.line == index + 1)
    #expect(try await new.router.credentials.count() == 0)
  }

  private func document(of app: WalletApp) async throws -> [String] {
    let file = try await app.router.backups.export(WalletApp.plain)
    return try String(contentsOf: file.url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  /// Writes a document whose digest is that of its lines.
  private func write(_ lines: [String], to app: WalletApp, hashes: Bool = true) throws -> URL {
    var lines = lines
    if hashes {
      let text = lines.dropLast().map { $0 + "\n" }.joined()
      lines[lines.count - 1] = "\"sha256\":\"\(Data(text.utf8).sha256.hexadecimal)\"}"
    }
    let url = app.device.fixture.folder.appendingPathComponent("document.json")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
    return url
  }
}

extension String {
  fileprivate mutating func replace(_ text: String, _ other: String) {
    guard let range = range(of: text) else { return }
    replaceSubrange(range, with: other)
  }
}
