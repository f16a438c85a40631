package import LocalDataSyntax

/// Rules that compare today's catalogs with each snapshot of a release. The checks are in LocalDataComparison.
extension Rule {
  package static let ofReleases: [Rule] =
    [
      releasedKeyRemoved, releasedAddressChanged, releasedTypeChanged, releasedRawValueChanged,
      releasedSerializerChanged, releasedSecurityChanged, releasedSchemaLowered, releasedMigrationRemoved,
      releasedSourceOrder, releasedSourceField, releasedNameReused, releasedRetentionShortened,
      releasedAvailabilityNarrowed,
      releasedDeviceBound, releasedMaxSizeLowered, releasedValidNarrowed, releasedProtectionWeaker, releasedSyncRemoved,
      releasedDefaultChanged, releasedReviewOutdated, releasedSigningKeyChanged,
      releasedBackupRemoved,
      releasesElsewhere, releasesMissing,
    ] + ofReleasedRecords

  package static let releasedKeyRemoved = Rule(
    "released-key-removed", .releases,
    "A released key that is gone is reserved, a legacy key, or the source of a migration.",
    why: "Its values stay on devices. A later key of the same name would read them as its own.", bad: nil,
    good: .catalog("reserved: [{name: theme, domain: userDefaults, cleanup: delete, note: Dropped after 1.0.}]"))

  package static let releasedAddressChanged = Rule(
    "released-address-changed", .releases, "Values are still looked for at the address of each release.",
    why: "A key with another stored name or domain reads nothing on a device that stored the old one.", bad: nil,
    good: .keys(
      "theme:\n  name: colour_theme\n  type: String\n  migration: {from: {name: theme}}\n"
        + "  description: The colour scheme the user chose."))

  package static let releasedTypeChanged = Rule(
    "released-type-changed", .releases, "Values of a released type can be read as today's type, or are upgraded.",
    why: "Stored bytes of the old type cannot be decoded as the new one.", bad: nil,
    good: .keys(
      "launches:\n  type: Int\n  schema: 2\n  upgrade: [{from: 1, transform: LaunchesV1.upgraded}]\n"
        + "  description: How often the app was opened."))

  package static let releasedRawValueChanged = Rule(
    "released-raw-value-changed", .releases, "A raw value that a release stored keeps its case.",
    why: "The raw value is what is stored. Without its case, the value cannot be decoded.", bad: nil,
    good: .catalog(
      "\(Example.defaults)types:\n  Theme: {enum: {light: light, night: dark}}\nkeys:\n"
        + "  theme: {type: Theme, description: The colour scheme the user chose.}"))

  package static let releasedSerializerChanged = Rule(
    "released-serializer-changed", .releases, "Values are read by the serializer that wrote them.",
    why: "Bytes of one serializer mean nothing to another.", bad: nil,
    good: .keys(
      "theme:\n  name: theme_2\n  type: String\n  serializer: propertyList\n"
        + "  migration: {from: {name: theme, serializer: json}}\n  description: The colour scheme the user chose."))

  package static let releasedSecurityChanged = Rule(
    "released-security-changed", .releases, "Values are opened as a release sealed them.",
    why: "A sealed value opens only under the key that sealed it, and a plain one is not sealed.", bad: nil,
    good: .keys(
      "note:\n  type: String\n  security: recommended\n  migration: {from: {security: none}}\n"
        + "  description: What the user wrote."))

  package static let releasedSigningKeyChanged = Rule(
    "released-signing-key-changed", .releases, "A key pair is found as each release stored it.",
    why: "A private key cannot be moved. Credentials that are bound to it would have to be issued again.", bad: nil,
    good: .catalog(
      "\(Example.defaults)signingKeys:\n  binding: {description: The key that credentials are bound to.}\n"
        + "  confirmed:\n    security: {keychain: {accessControl: biometryAny}}\n"
        + "    description: The key that the user confirms."))

  package static let releasedBackupRemoved = Rule(
    "released-backup-removed", .releases, .warning,
    "A backup of a release stays, with its records and keys.",
    why: "Users keep files of it. The app refuses a file of a backup that it does not declare.", bad: nil,
    good: .catalog(
      "\(Example.defaults)keys:\n  theme: {type: String, description: The colour scheme the user chose.}\n"
        + "backupFiles:\n  full: {keys: [theme], description: All that the user chose.}"))

  package static let releasedSchemaLowered = Rule(
    "released-schema-lowered", .releases, "A schema is at least that of each release.",
    why: "A value of a newer schema than the key's is refused by every read.", bad: nil,
    good: .keys(
      "launches:\n  type: Int\n  schema: 2\n  upgrade: [{from: 1, transform: LaunchesV1.upgraded}]\n"
        + "  description: How often the app was opened."))

  package static let releasedMigrationRemoved = Rule(
    "released-migration-removed", .releases,
    "A source that a release still needs stays the source of a migration.",
    why: "A user who skips releases still has the value at the old address.", bad: nil,
    good: .keys(
      "theme:\n  type: String\n  migration: {from: {name: old_theme}}\n"
        + "  description: The colour scheme the user chose."))

  package static let releasedNameReused = Rule(
    "released-name-reused", .releases, "A name that a release reserved is not used again.",
    why: "Values of the old key may still be stored under it.", bad: nil,
    good: .catalog(
      "\(Example.defaults)reserved: [{name: session, domain: userDefaults}]\nkeys:\n"
        + "  session: {name: session_2, type: String, description: The session of the user.}"))

  package static let releasedProtectionWeaker = Rule(
    "released-protection-weaker", .releases, .warning,
    "A value is protected as in each release, or a migration states the change.",
    why: "Users gave the value to a release that protected it better.", bad: nil,
    good: .keys(
      "note:\n  type: String\n  domain: keychain\n  security: {keychain: {accessibility: whenUnlocked}}\n"
        + "  description: What the user wrote."))

  package static let releasedMaxSizeLowered = Rule(
    "released-max-size-lowered", .releases, .warning,
    "A value may have at least as many bytes as in each release.",
    why: "A larger value that a release stored can no longer be read.", bad: nil,
    good: .keys("draft: {type: String, maxSize: 4096, description: What the user has not sent yet.}"))

  package static let releasedValidNarrowed = Rule(
    "released-valid-narrowed", .releases,
    "`valid` allows every value that a release could store.",
    why: "A stored value that is not valid any more is treated like damaged bytes.", bad: nil,
    good: .keys("speed: {type: Double, valid: {range: 0.5...3}, description: How fast episodes are played.}"),
    isAllowable: true)

  package static let releasesElsewhere = Rule(
    "releases-elsewhere", .releases, "Snapshots of releases are beside the catalogs that they describe.",
    why: "Catalogs are compared only with the snapshots beside them. Elsewhere, snapshots protect no value.", bad: nil,
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  package static let releasesMissing = Rule(
    "releases-missing", .releases, .warning, "If a package has releases, its catalogs have some.",
    why: "Changes of catalogs without releases are compared with nothing.", bad: nil,
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"), isOfDeclaration: false)

  package static let releasedSourceOrder = Rule(
    "released-source-order", .releases, "A migration reads the newest of its sources first.",
    why: "The first source that has a value provides it. An old value that was left behind would replace a newer one.",
    bad: nil,
    good: .keys(
      "theme:\n  name: theme_3\n  type: String\n  migration: [{from: {name: theme_2}}, {from: {name: theme}}]\n"
        + "  description: The colour scheme the user chose."), isAllowable: true)

  package static let releasedSourceField = Rule(
    "released-source-field", .releases, "All parts of a source are taken from the first release on that takes one.",
    why:
      "A release removes the source when each of its keys has its part. A part that is added later is lost then.",
    bad: nil,
    good: .keys(
      "oldSettings: {type: AnyCodable, legacy: true, description: The settings before version 2.}\n"
        + "theme: {type: String, migration: {from: {member: oldSettings, field: theme}}, "
        + "description: The colour scheme the user chose.}"), isAllowable: true)

  package static let releasedRetentionShortened = Rule(
    "released-retention-shortened", .releases, "A value or a record is kept at least as long as in each release.",
    why: "With the update, values and records are removed that users expect to find.", bad: nil,
    good: .keys("draft: {type: String, retention: {maxAge: 30d}, description: What the user has not sent yet.}"),
    isAllowable: true)

  package static let releasedAvailabilityNarrowed = Rule(
    "released-availability-narrowed", .releases, "A value can be read on every device that a release stored it on.",
    why: "A phone or a watch keeps the stored value and can no longer read it.", bad: nil,
    good: .keys("theme: {type: String, availability: all, description: The colour scheme the user chose.}"),
    isAllowable: true)

  package static let releasedDeviceBound = Rule(
    "released-device-bound", .releases, .warning,
    "A value that a backup took to a new device is still in the backup.",
    why: "A user who gets a new device no longer finds the value there.", bad: nil,
    good: .keys(
      "note:\n  type: String\n  domain: {fileSystem: {directory: documents}}\n  backup: true\n"
        + "  description: What the user wrote."))

  package static let releasedSyncRemoved = Rule(
    "released-sync-removed", .releases, .warning, "A value that was sent to the paired device is still sent.",
    why: "The phone and the watch keep different values from then on.", bad: nil,
    good: .keys("theme: {type: String, syncPolicy: manual, description: The colour scheme the user chose.}"))

  package static let releasedDefaultChanged = Rule(
    "released-default-changed", .releases, .warning, "A default is that of each release.",
    why: "Users who never set the value see another one after the update.", bad: nil,
    good: .keys("theme: {type: String, default: light, description: The colour scheme the user chose.}"))

  package static let releasedReviewOutdated = Rule(
    "released-review-outdated", .releases, .warning,
    "A key or a record whose protection has changed since its review has a new review.",
    why: "The reviewer has not seen how the value is protected now.", bad: nil,
    good: .keys(
      "draft: {type: String, review: {by: security, until: 2099-12-31}, description: What the user has not sent yet.}"))
}

/// Rules that compare today's databases and records with each snapshot of a release. The checks are in LocalDataComparison.
extension Rule {
  static let ofReleasedRecords: [Rule] = [
    releasedRecordRemoved, releasedFieldRemoved, releasedNumberReused, releasedFieldTypeChanged, releasedFieldRequired,
    releasedSourceRemoved, releasedKeyChanged, releasedUniqueAdded, releasedUniqueDefault, releasedReferenceAdded,
    releasedDatabaseMoved, releasedImportRemoved,
  ]

  package static let releasedRecordRemoved = Rule(
    "released-record-removed", .releases,
    "A released record is declared in the same database under its stored name, or reserved.",
    why: "Its rows stay on devices, and nothing can read or remove them.", bad: nil,
    good: .records("Visit:\n  name: History\n  \(fields())\n  description: One visit of the user."))

  package static let releasedFieldRemoved = Rule(
    "released-field-removed", .releases,
    "The number of a released field that is gone is reserved, in a record and in a struct that a record uses.",
    why: "Its values stay in the rows. A later field with the number would read them as its own.", bad: nil,
    good: .records("Visit:\n  \(fields())\n  reserved: {numbers: [6]}\n  description: One visit of the user."))

  package static let releasedNumberReused = Rule(
    "released-number-reused", .releases, "A field does not have the number of another field of a release.",
    why: "The number finds the values in a row, and those of the other field are stored there.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("icon: {type: Data, number: 14}"))\n  reserved: {numbers: [6]}\n"
        + "  description: One visit of the user."))

  package static let releasedFieldTypeChanged = Rule(
    "released-field-type-changed", .releases, "A field of a release keeps its type and its encryption.",
    why: "The stored values cannot be read in another form, and the app could not open the database.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("length: {type: Double, number: 14, from: {number: 5, type: Int, transform: Length.real}}"))\n"
        + "  reserved: {numbers: [5]}\n  description: One visit of the user."))

  package static let releasedFieldRequired = Rule(
    "released-field-required", .releases,
    "A field that rows of a release do not have is optional, has a default, or is made from others.",
    why: "A row without the value cannot be read.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("count: {type: Int32, number: 2, default: 0}"))\n  description: One visit of the user."))

  package static let releasedSourceRemoved = Rule(
    "released-source-removed", .releases,
    "What a field is made from is read from the rows of each release.",
    why: "A user may skip releases. The values of the earlier field would be lost.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("length: {type: Double, number: 14, from: [\(sources)]}"))\n"
        + "  reserved: {numbers: [2, 5]}\n  description: One visit of the user."))

  /// The entries of `from` in an example.
  private static let sources =
    "{number: 5, type: Int, transform: Length.real}, {number: 2, type: String, transform: Length.parsed}"

  package static let releasedKeyChanged = Rule(
    "released-key-changed", .releases, "A record has the key that it had in each release.",
    why: "Rows are stored, updated and referred to by their key, and the app could not open the database.", bad: nil,
    good: .records("Visit:\n  key: id\n  \(fields())\n  description: One visit of the user."))

  package static let releasedUniqueAdded = Rule(
    "released-unique-added", .releases,
    "What is unique in a record was unique in each release, or says in `existing` which rows stay.",
    why: "A release may have stored equal values, and the app could not open the database.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("page: {type: String, number: 2}"))\n  unique: [{fields: [page], existing: keepLast}]\n"
        + "  description: One visit of the user."))

  package static let releasedUniqueDefault = Rule(
    "released-unique-default", .releases, "A new field that is unique has no default for the rows of a release.",
    why: "All stored rows would get the same value, and all but one of them would be deleted.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("slot: {type: String?, number: 14, unique: true}"))\n  description: One visit of the user."))

  package static let releasedReferenceAdded = Rule(
    "released-reference-added", .releases,
    "A field of a release keeps its reference. One with a new reference has `onDelete: cascade` or `setNull`.",
    why: "Stored values may refer to nothing, and the app could not open the database.", bad: nil,
    good: .records("Visit:\n  \(fields("page: {type: String, number: 2}"))\n  description: One visit of the user."))

  package static let releasedImportRemoved = Rule(
    "released-import-removed", .releases, .warning, "A record that a release imports is still imported.",
    why: "The rows of a user who skips the releases with the import stay in the old store.", bad: nil,
    good: .records(
      "Visit:\n  importedFrom: {source: oldVisits, table: visit, fields: {id: {rowID: true}}}\n  \(fields())\n"
        + "  description: One visit of the user.",
      sources: "sources:\n  oldVisits:\n    domain: {fileSystem: {directory: documents, path: visits.sqlite}}\n"
        + "    form: sqlite\n    description: The visits of releases before 2.0.\n"))

  package static let releasedDatabaseMoved = Rule(
    "released-database-moved", .releases,
    "A database has the name and the domain that it had in each release, or lists them in `movedFrom`.",
    why: "Otherwise the app creates an empty file at another address. The rows stay in the old one.", bad: nil,
    good: .described("a database that lists its earlier addresses") {
      let domain = "{fileSystem: {directory: applicationSupport}}"
      let old = "[{domain: {fileSystem: {directory: documents}}}]"
      let main = "main: {domain: \(domain), movedFrom: \(old), description: What the app stores.}"
      return Array("\(Example.header)defaults: {owner: AppTeam}\ndatabases:\n  \(main)\n".utf8)
    })

  /// The fields of an example.
  private static func fields(_ more: String...) -> String {
    "fields: {\((["id: {type: UUID, number: 1, default: new}"] + more).joined(separator: ", "))}"
  }
}
