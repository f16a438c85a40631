import ExampleKeys
import ExampleModels
import Foundation
import LocalData
import LocalDataImport
import LocalDataMaintenance
import LocalDataRecords
import LocalDataSigning

/// The life of an app's credentials, from those of its earlier releases to their restore on another device.
struct WalletLife {
  let router: StorageRouter
  /// The app before its update, which knows no catalog.
  private let earlier: StorageRouter
  /// An hour ago. A presentation of a year ago would not be kept.
  private let start = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - 3_600).rounded())

  init(folder: URL) throws {
    let configuration = StorageConfiguration(
      applicationName: "wallet-sample", roots: StorageRoots(below: folder),
      defaultKeychainService: "com.example.wallet")
    earlier = StorageRouter(configuration: configuration)
    router = StorageRouter(configuration: configuration)
    try router.registerCatalog(WalletCatalog.self)
    // A query without an index would be printed.
    router.setLogger { entry in if entry.operation == .scan { print(entry) } }
  }

  /// The life of the wallet and its restart, in a folder that is removed.
  static func inTemporaryFolder() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wallet-sample-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await whole(in: folder)
  }

  /// The life of the wallet and its restart, in a folder that is empty or does not exist. The data stays there.
  static func whole(in folder: URL) async throws {
    if FileManager.default.fileExists(atPath: folder.path) {
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      guard files.isEmpty else { throw SampleError.folderIsInUse }
    }
    let wallet = try WalletLife(folder: folder)
    let store = OldStore(in: folder, key: Data(repeating: 7, count: 32))
    try await wallet.update(store)
    try await wallet.importRows()
    try await wallet.bind()
    try await wallet.issue()
    try await wallet.share()
    try await wallet.list()
    try await wallet.keep()
    try await wallet.renew()
    try await wallet.revoke()
    try await wallet.sweep()
    try await restart("--second-run", folder)
    try await wallet.remove(store)
    let backups = try await wallet.export(to: folder.appendingPathComponent("backups"))
    try await wallet.signOut()
    let other = folder.appendingPathComponent("other-device")
    try await WalletLife(folder: other).restore(backups)
    try await restart("--damaged-run", other)
    try checkFiles(in: folder)
  }

  /// Checks that no file contains the mnemonic, a credential or a claim as it is.
  private static func checkFiles(in folder: URL) throws {
    let secrets = [
      "legal winner thank year", "eyJ…0", "eyJ…1", "eyJ…2", "eyJ…3", "Ada of London", "Grace of Arlington", "age check",
      "a-token",
    ].map { Data($0.utf8) }
    var readable: [String] = []
    for path in FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String }) ?? [] {
      guard let bytes = FileManager.default.contents(atPath: folder.path + "/" + path) else { continue }
      if secrets.contains(where: { bytes.range(of: $0) != nil }) { readable.append(path) }
    }
    guard readable.isEmpty else { throw SampleError.unexpected("files with secrets: \(readable)") }
    print("files with a secret: none")
  }

  /// Earlier releases stored the seed as encrypted text in the preferences. The first read moves it to the keychain.
  private func update(_ store: OldStore) async throws {
    let seed = "legal winner thank year"
    try await earlier.set(store.key, for: SeedMigration.valuesKey)
    try await earlier.set(try SeedMigration.encrypt(seed, with: store.key), for: SeedMigration.encryptedSeed)
    try store.write(start)
    guard try await router.get(.seed) == seed else { throw SampleError.unexpected("seed") }
    try report("old seed is removed", try await !earlier.exists(SeedMigration.encryptedSeed), expected: true)
    try await router.set("2026-01-31T12:00:00Z", for: .lastBackupAt)
    try report("last backup", try await router.get(.lastBackupAt) ?? "", expected: "2026-01-31T12:00:00Z")
  }

  /// The first use of the database imports the rows of the old store. One of them cannot be opened.
  private func importRows() async throws {
    try await router.imports.run()
    let reports = try await router.imports.reports()
    try report(
      "imported", reports.map { "\($0.imported) \($0.record)" }.sorted(),
      expected: ["1 Credential", "1 IdTokenSharingHistory", "1 SharingHistory"])
    let leftOut = reports.flatMap(\.leftOutRows).map { "row \($0.row), \($0.field ?? "")" }
    try report("left out", leftOut, expected: ["row 2, format"])
    try report("removed stores", try await router.imports.removeSources(), expected: [])
  }

  /// The user does without the row that is left out.
  private func remove(_ store: OldStore) async throws {
    let removed = try await router.imports.removeSources(includingLeftOut: true)
    try report("removed stores", removed, expected: ["oldWallet"])
    try report("old store exists", store.exists, expected: false)
  }

  private func sweep() async throws {
    try report("failures of the sweep", await router.maintenance.sweep().failures.count, expected: 0)
  }

  /// The wallet proves that it has the key which a credential is bound to, and has an identity for each verifier.
  private func bind() async throws {
    let binding = router.signingKey(.bindingKey)
    if try await !binding.exists() { try await binding.create() }
    try report("bytes of a proof", try await binding.sign(Data("nonce".utf8)).raw.count, expected: 64)
    var identities: Set<String> = []
    for number in 0..<2 {
      let identity = router.signingKey(.pairwise(rp: party(number)))
      try await identity.create()
      identities.insert(try await identity.publicKey().jwk)
    }
    try report("identities", identities.count, expected: 2)
  }

  private func issue() async throws {
    try await router.credentials.save(degree(id: "urn:1", token: "a-token"))
    try await router.credentials.save(
      Credential(
        id: "urn:2", format: .jwtVC, credential: "eyJ…2", iss: "https://city.example", iat: start,
        exp: start.addingTimeInterval(10 * 86_400), type: "Resident"))
    let types = try await router.credentials.order { $0.id.ascending }.fetchAll().map(\.type)
    try report("issued", types, expected: ["Passport", "Degree", "Resident"])
  }

  private func share() async throws {
    for number in 0..<6 {
      try await router.sharingHistories.insert(
        SharingHistory(
          rp: party(number % 2), createdAt: start.addingTimeInterval(Double(number)),
          credentialID: number < 4 ? "urn:1" : "urn:2",
          claims: [
            Claim(claimKey: "name", claimValue: "Ada of London"),
            Claim(claimKey: "age", claimValue: "36", purpose: "age check"),
          ]
        ))
    }
    try await router.idTokenHistories.insert(IDTokenHistory(rp: party(0), createdAt: start))
    try report("presentations", try await router.sharingHistories.count(), expected: 7)
  }

  private func list() async throws {
    let rp = party(0)
    let recent = try await router.sharingHistories
      .where { $0.rp == rp }.order { $0.createdAt.descending }.limit(2).fetchAll()
    try report("latest of \(rp)", recent.map(seconds), expected: [4, 2])
    let latest = try await router.sharingHistories
      .order { $0.createdAt.descending }.fetchFirst(ofEach: { $0.rp })
    try report("latest of each party", latest.map(seconds).sorted(), expected: [-60, 4, 5])
    // The field is encrypted. Its fingerprint is compared.
    let city = try await router.credentials.where { $0.iss == "https://city.example" }.fetchAll().map(\.id)
    try report("issued by the city", city, expected: ["urn:2"])
    let soon = try await router.credentials.expiring(within: 14 * 86_400).fetchAll().map(\.id)
    try report("expire within two weeks", soon, expected: ["urn:2"])
  }

  /// The retention of a presentation of last year has ended. The next write deletes it.
  private func keep() async throws {
    let old = SharingHistory(rp: party(0), createdAt: start.addingTimeInterval(-365 * 86_400), credentialID: "urn:1")
    try await router.sharingHistories.insert(old)
    let found = try await router.sharingHistories.fetch(id: old.id)
    try report("presentations of last year", found.map { [$0] } ?? [], expected: [])
  }

  /// Another credential replaces the first one, together with its history: both changes or none.
  private func renew() async throws {
    try await router.transaction(in: WalletDatabase.self) { wallet in
      try wallet.credentials.insert(degree(id: "urn:3", token: nil))
      for var history in try wallet.sharingHistories.where({ $0.credentialID == "urn:1" }).fetchAll() {
        history.credentialID = "urn:3"
        try wallet.sharingHistories.save(history)
      }
      try wallet.credentials.delete(id: "urn:1")
    }
    try report("presentations after renewal", try await router.sharingHistories.count(), expected: 7)
  }

  /// The history of a credential stays when it is deleted, and refers to none then.
  private func revoke() async throws {
    try await router.credentials.delete(id: "urn:2")
    try report("presentations after revocation", try await router.sharingHistories.count(), expected: 7)
    let left = try await router.sharingHistories.where { $0.credentialID == nil }.count()
    try report("presentations of revoked credentials", left, expected: 2)
  }

  /// Goes on after a restart, in a run by its name.
  func goOn(_ run: String, _ folder: URL) async throws {
    if run == "--damaged-run" { try await repair(folder) }
    try await afterARestart()
  }

  /// Reads what another process wrote.
  private func afterARestart() async throws {
    guard let degree = try await router.credentials.fetch(id: "urn:3") else { throw SampleError.isMissing("urn:3") }
    // A description shows no encrypted field.
    try report("after a restart", "\(degree)", expected: "Credential(redacted)")
    try report("its text", degree.credential, expected: "eyJ…3")
    guard try await router.get(.seed) == "legal winner thank year" else { throw SampleError.isMissing("seed") }
    let rp = party(0)
    let first = try await router.sharingHistories.where { $0.rp == rp }.order { $0.createdAt.ascending }.first()
    try report("claims of the first presentation", first?.claims.map(\.claimKey) ?? [], expected: ["name", "age"])
  }

  // MARK: Parts

  private func degree(id: String, token: String?) -> Credential {
    Credential(
      id: id, format: .sdJWT, credential: "eyJ…\(id.suffix(1))", iss: "https://university.example", iat: start,
      exp: start.addingTimeInterval(365 * 86_400), type: "Degree", accessToken: token)
  }

  private func party(_ number: Int) -> String { "https://verifier-\(number).example" }

  private func seconds(_ history: SharingHistory) -> Int { Int(history.createdAt.timeIntervalSince(start)) }

  func report<Value: Equatable>(_ what: String, _ value: Value, expected: Value) throws {
    guard value == expected else { throw SampleError.unexpected(what) }
    print("\(what): \(value)")
  }

  #if os(Linux) || os(macOS)
    /// Goes on in another process.
    private static func restart(_ run: String, _ folder: URL) async throws {
      let process = Process()
      process.executableURL = Bundle.main.executableURL
      process.arguments = [run, folder.path]
      // The other process prints into the same file: what this one holds back goes first.
      fflush(nil)
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw SampleError.secondRunFailed }
    }
  #else
    /// Goes on with another router. Apps on iOS and watchOS start no processes.
    private static func restart(_ run: String, _ folder: URL) async throws {
      try await WalletLife(folder: folder).goOn(run, folder)
    }
  #endif
}

enum SampleError: Error {
  /// A step has another result than the sample expects, by the name of the step.
  case unexpected(String)
  /// A record is not there, by its key.
  case isMissing(String)
  case secondRunFailed
  /// The folder of the data contains something.
  case folderIsInUse
}
