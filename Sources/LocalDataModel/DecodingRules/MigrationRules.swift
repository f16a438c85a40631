import LocalDataSyntax

/// Rules of migrations, which the decoder checks once all keys are known.
extension Rule {
  private static let legacyNote =
    "oldNote: {type: String, legacy: true, description: What the user wrote before version 2.}\n"

  static let invalidMigration = Rule(
    "invalid-migration", .migrations, "The parts of a migration fit together.",
    why: "The migration could not be emitted, or would do something else than it says.",
    bad: .keys("\(legacyNote)note: {type: String, migration: {from: [oldNote]}, description: What the user wrote.}"),
    good: .keys("\(legacyNote)note: {type: String, migration: {from: oldNote}, description: What the user wrote.}"))

  static let invalidVersionCondition = Rule(
    "invalid-version-condition", .migrations, "A condition on a version is a comparison and a version.",
    why: "The running app's version is compared with it.",
    bad: .keys(
      "\(legacyNote)note: {type: String, migration: {from: oldNote, whenAppVersion: 2.0}, "
        + "description: What the user wrote.}"),
    good: .keys(
      "\(legacyNote)note: {type: String, migration: {from: oldNote, whenAppVersion: \"<2.0\"}, "
        + "description: What the user wrote.}"))

  static let migrationSource = Rule(
    "migration-source", .migrations, "A source is declared with `legacy: true`, and is not the key itself.",
    why: "A source that is still written would lose its value to the migration.",
    bad: .keys("note: {type: String, migration: {from: oldNote}, description: What the user wrote.}"),
    good: .keys("\(legacyNote)note: {type: String, migration: {from: oldNote}, description: What the user wrote.}"))

  static let migrationType = Rule(
    "migration-type", .migrations, "A source without `transform` has the type of the key.",
    why: "The stored bytes could not be decoded as the key's type.",
    bad: .keys(
      "oldCount: {type: Int, legacy: true, description: The count before version 2.}\n"
        + "launches: {type: String, migration: {from: oldCount}, description: How often the app was opened.}"),
    good: .keys(
      "oldCount: {type: Int, legacy: true, description: The count before version 2.}\n"
        + "launches: {type: Int, migration: {from: oldCount}, description: How often the app was opened.}"))

  static let migrationParameters = Rule(
    "migration-parameters", .migrations, "A source has the parameters of the key.",
    why: "Each member of a family is migrated from the member with the same parameters.",
    bad: .keys(
      "oldText: {type: String, legacy: true, parameters: {id: UUID}, description: The text before version 2.}\n"
        + "text: {type: String, migration: {from: oldText}, description: The text of a document.}"),
    good: .keys(
      "oldText: {type: String, legacy: true, parameters: {id: UUID}, description: The text before version 2.}\n"
        + "text: {type: String, parameters: {id: UUID}, migration: {from: oldText}, "
        + "description: What the user wrote.}"))

  static let migrationCycle = Rule(
    "migration-cycle", .migrations, "Migrations do not lead back to where they started.",
    why: "Each key would take the value of the other.",
    bad: .keys(
      "first: {type: String, migration: {from: second}, description: What came first.}\n"
        + "second: {type: String, migration: {from: first}, description: What came next.}"),
    good: .keys(
      "first: {type: String, legacy: true, description: What came first.}\n"
        + "second: {type: String, migration: {from: first}, description: What came next.}"))

  private static let legacySettings =
    "oldSettings:\n  type: AnyCodable\n  serializer: propertyList\n  legacy: true\n"
    + "  description: The settings before version 2.\n"

  static let sourceField = Rule(
    "source-field", .migrations, "A field is a path in a legacy key of JSON or of a property list.",
    why: "Only such a value has named parts. In a family, the parameters in the path find the part of a member.",
    bad: .keys(
      "\(legacyNote)title: {type: String, migration: {from: {member: oldNote, field: title}}, "
        + "description: The title the user wrote.}"),
    good: .keys(
      "\(legacySettings)title: {type: String, migration: {from: {member: oldSettings, field: note.title}}, "
        + "description: The title the user wrote.}"))

  static let sharedSource = Rule(
    "shared-source", .migrations, "A source belongs to one key, or each key says which part it takes.",
    why:
      "The key that is read first takes the value away from the others. A source of which each key takes a `field`, or a "
      + "part by a `transform`, is removed when each key has its part.",
    bad: .keys(
      "\(legacyNote)note: {type: String, migration: {from: oldNote}, description: What the user wrote.}\n"
        + "copy: {type: String, migration: {from: oldNote}, description: Another place for it.}"),
    good: .keys(
      "\(legacySettings)note: {type: String, migration: {from: {member: oldSettings, field: note}}, "
        + "description: What the user wrote.}\n"
        + "title: {type: String, migration: {from: {member: oldSettings, field: title}}, "
        + "description: The title the user wrote.}"))

  static let nameParameters = Rule(
    "name-parameters", .places, "The stored name of a family names each parameter once.",
    why: "Without a parameter, two members of the family would have one place.",
    bad: .keys("text: {type: String, parameters: {id: UUID}, name: text, description: What the user wrote.}"),
    good: .keys(
      "text: {type: String, parameters: {id: UUID}, name: \"text_{id}\", description: What the user wrote.}"))
}

/// Rules of keys that hold for the sources of migrations too, which the decoder checks.
extension Rule {
  static let legacyField = Rule(
    "legacy-field", .combinations, "A legacy key has no field that is about writing.",
    why: "A legacy key is only read, as the source of a migration, so the field would have no effect.",
    bad: .keys(
      "oldTheme: {type: String, legacy: true, default: light, description: The colour scheme before 2.0.}\n"
        + "theme: {type: String, migration: {from: oldTheme}, description: The colour scheme the user chose.}"),
    good: .keys(
      "oldTheme: {type: String, legacy: true, description: The colour scheme before 2.0.}\n"
        + "theme: {type: String, migration: {from: oldTheme}, description: The colour scheme the user chose.}"))

  static let serializerType = Rule(
    "serializer-type", .combinations,
    "The serializer `data` is used with Data or String, `keyedArchive` with built-in types, and `jsonText` in preferences that "
      + "are not encrypted.",
    why:
      "`data` stores bytes as they are, and values of other types are not bytes. A keyed archive has classes of Foundation. "
      + "Only preferences have texts.",
    bad: .keys("volume: {type: Double, serializer: data, description: How loud sounds are played.}"),
    good: .keys("volume: {type: Double, serializer: json, description: How loud sounds are played.}"))

  static let dateForm = Rule(
    "date-form", .combinations,
    "`dates` is for values with dates, in JSON, or in a property list that consists of dates alone.",
    why: "Foundation's coders of property lists have one form of dates. Elsewhere the field would have no effect.",
    bad: .keys("trip: {type: Data, dates: secondsSince1970, description: The last trip of the user.}"),
    good: .keys("expiry: {type: Date, dates: secondsSince1970, description: When the subscription ends.}"))

  static let readForm = Rule(
    "read-form", .combinations,
    "`reads` has forms that become the declared value, of values that are not encrypted and have one schema.",
    why: "A read tries one form after the other. Values of earlier schemas have upgrades, and those that move a "
      + "migration.",
    bad: .keys("isDark: {type: Bool, reads: [String], description: Whether the icon is dark.}"),
    good: .keys(
      "isDark: {type: Bool, reads: [Int, {type: String, transform: Flag.parse}], description: Whether the icon is dark.}"
    ))

  static let keychainSecurity = Rule(
    "keychain-security", .combinations, "`security: keychain` is used with the domain `keychain`.",
    why: "Only the keychain protects a value by itself. In another domain the value would be stored as it is.",
    bad: .keys("code: {type: String, security: keychain, description: What the user typed last.}"),
    good: .keys(
      "code: {type: String, domain: keychain, security: keychain, description: What the user typed last.}"))

  static let unsecuredDomain = Rule(
    "unsecured-domain", .combinations, "A value in the keychain or in encrypted files is secured.",
    why: "Both domains protect every value, so `security: none` would not say what happens.",
    bad: .keys("note: {type: String, domain: keychain, security: none, description: What the user wrote.}"),
    good: .keys("note: {type: String, domain: keychain, security: keychain, description: What the user wrote.}"))
}
