import LocalDataModel
import LocalDataVocabulary

/// Catalogs with records, built by hand.
enum RecordSamples {
  static let cases: [(name: String, catalogs: [ResolvedCatalog])] = [
    ("Wallet", [wallet]), ("EveryField", [everyField]), ("InternalRecords", internalRecords),
    ("PackageRecords", packageRecords), ("Transforms", transforms),
  ]

  static func field(
    _ name: String, _ number: Int, _ type: ValueType, storedName: String? = nil, sensitivity: Sensitivity = .internal,
    change: (inout ResolvedRecord.Field) -> Void = { _ in }
  ) -> ResolvedRecord.Field {
    var field = ResolvedRecord.Field(
      name: name, storedName: storedName ?? name, number: number, line: 1, type: type, sensitivity: sensitivity)
    change(&field)
    return field
  }

  static func record(
    _ name: String, storedName: String? = nil, member: String, line: Int = 30, access: AccessLevel = .public,
    sensitivity: Sensitivity = .internal, database: String = "wallet", key: String = "id",
    description: String = "A value that a test stores.", _ fields: [ResolvedRecord.Field],
    change: (inout ResolvedRecord) -> Void = { _ in }
  ) -> ResolvedRecord {
    var record = ResolvedRecord(
      name: name, storedName: storedName ?? name, member: member, line: line, owner: "WalletTeam",
      description: description, access: access, sensitivity: sensitivity, database: database, key: key, fields: fields)
    change(&record)
    return record
  }

  static func database(
    _ member: String, name: String? = nil, line: Int = 12, access: AccessLevel = .public,
    domain: StorageDomain = .fileSystem(directory: .applicationSupport), description: String = "Values of tests.",
    change: (inout ResolvedDatabase) -> Void = { _ in }
  ) -> ResolvedDatabase {
    var database = ResolvedDatabase(
      member: member, name: name ?? member, line: line, owner: "WalletTeam", description: description, access: access,
      domain: domain)
    change(&database)
    return database
  }
}

/// The wallet: encrypted fields, blind indexes, references, a list of structs.
extension RecordSamples {
  static let wallet: ResolvedCatalog = {
    var catalog = Samples.catalog(
      "Wallet", types: walletTypes,
      keys: [Samples.key("useDPoP", .scalar(.bool), default: .bool(true), description: "Binds access tokens.")])
    catalog.databases = [
      database("wallet", description: "The credentials of the wallet, and their history.") {
        $0.protection = .complete
      }
    ]
    catalog.records = [credential, sharingHistory, idTokenHistory]
    return catalog
  }()

  private static let walletTypes = [
    ResolvedType(
      name: "CredentialFormat", description: "The forms of a credential that the wallet reads.", line: 18,
      form: .stringEnum([
        .init(name: "sdJWT", raw: "vc+sd-jwt", description: nil),
        .init(name: "jwtVC", raw: "jwt_vc_json", description: nil),
      ])),
    ResolvedType(
      name: "Claim", description: "A claim that was shared.", line: 22,
      form: .structure([
        .init(name: "claimKey", type: .scalar(.string), defaultValue: nil, description: nil, number: 1),
        .init(name: "claimValue", type: .scalar(.string), defaultValue: nil, description: nil, number: 2),
        .init(
          name: "purpose", type: .optional(.scalar(.string)), defaultValue: nil,
          description: "What the verifier wanted it for.", number: 3),
      ])),
  ]

  private static let credential = record(
    "Credential", member: "credentials", sensitivity: .credential,
    description: "A verifiable credential, and what is needed to renew it.",
    [
      field("id", 1, .scalar(.string)),
      sealed("format", 2, .declared("CredentialFormat")),
      sealed("credential", 3, .scalar(.string), description: "The credential as the issuer signed it."),
      sealed("cNonce", 4, .optional(.scalar(.string))),
      sealed("cNonceExpiresIn", 5, .optional(.scalar(.int32))),
      sealed("iss", 6, .scalar(.string), .blind),
      field("iat", 7, .scalar(.date)) { $0.isInSeconds = true },
      field("exp", 8, .optional(.scalar(.date))) { $0.isInSeconds = true },
      sealed("type", 9, .scalar(.string), .blind),
      sealed("accessToken", 10, .optional(.scalar(.string))),
      sealed("credentialIssuerMetadata", 11, .scalar(.string), default: .string("")),
    ]
  ) {
    $0.expires = "exp"
    $0.indexes = [[9, 7], [6], [7], [8]]
  }

  private static let sharingHistory = record(
    "SharingHistory", member: "sharingHistories", line: 58, sensitivity: .personal,
    description: "One presentation of a credential to a verifier.",
    [
      field("id", 9, .scalar(.uuid)) { $0.defaultValue = .new },
      field("rp", 1, .scalar(.string), sensitivity: .personal) {
        $0.description = "The verifier, by its client identifier."
        $0.privacy = ResolvedPrivacy(
          isCollected: true, isLinked: true, dataType: .browsingHistory, purposes: [.appFunctionality])
      },
      field("accountIndex", 2, .scalar(.int32)) { $0.defaultValue = .value(.integer("0")) },
      field("createdAt", 3, .scalar(.date)),
      field("credentialID", 4, .scalar(.string)) {
        $0.reference = .init(record: "Credential", storedName: "Credential", onDelete: .cascade)
      },
      field("claims", 5, .list(.declared("Claim")), sensitivity: .personal) { $0.defaultValue = .value(.list([])) },
      field("logoURL", 6, .optional(.scalar(.url))),
      field("rpName", 7, .scalar(.string)) { $0.defaultValue = .value(.string("")) },
      field("privacyPolicyURL", 8, .optional(.scalar(.url))),
    ]
  ) {
    $0.indexes = [[1, 3], [4], [3]]
    $0.retention = .dated(by: "createdAt", maxAge: 15_552_000, maxCount: 5_000)
    $0.reserved = [
      .init(numbers: [12], names: ["oldPayload"], deletesValues: false),
      .init(numbers: [13, 14], names: [], deletesValues: true),
    ]
    $0.privacy = ResolvedPrivacy(
      isCollected: true, dataType: .otherUsageData, purposes: [.analytics])
  }

  private static let idTokenHistory = record(
    "IDTokenHistory", storedName: "IdTokenSharingHistory", member: "idTokenHistories", line: 84,
    description: "One sign-in to a relying party with an ID token.",
    [
      field("id", 4, .scalar(.uuid)) { $0.defaultValue = .new },
      field("rp", 1, .scalar(.string)),
      field("accountIndex", 2, .scalar(.int32)) { $0.defaultValue = .value(.integer("0")) },
      field("createdAt", 3, .scalar(.date)),
    ]
  ) {
    $0.indexes = [[1, 3]]
    $0.retention = .untilRelaunch
    $0.skipsDamaged = true
  }

  static func sealed(
    _ name: String, _ number: Int, _ type: ValueType, _ encryption: ResolvedRecord.Encryption = .sealed,
    default value: DefaultValue? = nil, description: String? = nil
  ) -> ResolvedRecord.Field {
    field(name, number, type, sensitivity: .credential) {
      $0.encryption = encryption
      $0.defaultValue = value.map { .value($0) }
      $0.description = description
    }
  }
}
