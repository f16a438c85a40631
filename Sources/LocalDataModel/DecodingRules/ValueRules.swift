import LocalDataSyntax

/// Rules of the values of single fields, which the decoder checks.
extension Rule {
  static let unknownDomain = Rule(
    "unknown-domain", .values, "A domain is one that the library knows.",
    why: "The domain decides where a value is stored.",
    bad: .keys("theme: {type: String, domain: keychian, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, domain: userDefaults, description: The colour scheme the user chose.}"))

  static let unknownType = Rule(
    "unknown-type", .values, "A type is built in, declared in `types`, or of a module in `imports`.",
    why: "The emitted code names the type.",
    bad: .keys("theme: {type: Theme, description: The colour scheme the user chose.}"),
    good: .catalog(
      "\(Example.defaults)types: {Theme: {enum: [light, dark]}}\n"
        + "keys:\n  theme: {type: Theme, description: The colour scheme the user chose.}"))

  static let unknownCase = Rule(
    "unknown-case", .values, "A value is one of those that its field can have.",
    why: "A misspelt value must not fall back to another.",
    bad: .keys("theme: {type: String, sensitivity: secret, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, sensitivity: public, description: The colour scheme the user chose.}"))

  static let invalidNumber = Rule(
    "invalid-number", .values, "A number of bytes, of iterations or of a schema is whole and within its bounds.",
    why: "Sizes and versions are compared at run time.",
    bad: .keys("theme: {type: String, maxSize: 4 KiB, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, maxSize: 4096, description: The colour scheme the user chose.}"))

  static let invalidFlag = Rule(
    "invalid-flag", .values, "A flag is `true` or `false`.",
    why: "Parsers of YAML disagree on what `yes` and `on` mean.",
    bad: .keys("oldTheme: {type: String, legacy: yes, description: The colour scheme before version 2.}"),
    good: .keys(
      "oldTheme: {type: String, legacy: true, description: The colour scheme before version 2.}\n"
        + "theme: {type: String, migration: {from: oldTheme}, description: The colour scheme the user chose.}"))

  static let invalidDuration = Rule(
    "invalid-duration", .values, "A duration is a whole number and one of s, m, h, d and w.",
    why: "The duration decides when a value is too old.",
    bad: .keys("query: {type: String, retention: {maxAge: 30 days}, description: What the user searched for.}"),
    good: .keys("query: {type: String, retention: {maxAge: 30d}, description: What the user searched for.}"))

  static let invalidDate = Rule(
    "invalid-date", .values, "A date is a day of the calendar.", why: "The date decides when a review has ended.",
    bad: .keys(
      "street: {type: String, review: {by: security, until: 2027-02-30}, description: A part of the address.}"),
    good: .keys(
      "street: {type: String, review: {by: security, until: 2027-02-28}, description: A part of the address.}"))

  static let invalidContainer = Rule(
    "invalid-container", .values,
    "A suite, app group, keychain service, access group or key source has a name that the system accepts, or a configured name "
      + "whose pattern has a '*'.",
    why: "At run time the value could not be stored, or would be stored in another place.",
    bad: .keys(
      "theme: {type: String, domain: {userDefaults: {suite: a/b}}, description: The colour scheme the user chose.}"),
    good: .keys(
      "theme: {type: String, domain: {userDefaults: {suite: com.example.a}}, "
        + "description: The colour scheme the user chose.}"))

  static let itemAttributes = Rule(
    "item-attributes", .combinations,
    "An item without a service has no `service`, and one without an account no `name`.",
    why: "The item is found by the absence of the attribute, so the value of the attribute would have no meaning.",
    bad: .keys(
      "secretKey: {type: Data, domain: {keychain: {service: app, without: service}}, security: keychain, "
        + "description: The key of the old store.}"),
    good: .keys(
      "secretKey: {type: Data, domain: {keychain: {without: service}}, security: keychain, "
        + "description: The key of the old store.}"))

  static let invalidDirectory = Rule(
    "invalid-directory", .values,
    "A custom directory is a path below application support, and no part of it is hidden.",
    why: "At run time the value could not be stored, or would be stored outside the library's folders.",
    bad: .keys(
      "report: {type: Data, domain: {fileSystem: {directory: {custom: ../Reports}}}, "
        + "description: The report that was opened last.}"),
    good: .keys(
      "report: {type: Data, domain: {fileSystem: {directory: {custom: Reports}}}, "
        + "description: The report that was opened last.}"))

  static let invalidStoredName = Rule(
    "invalid-stored-name", .values, "A stored name has 1 to 200 characters, and none is a control character.",
    why: "The name is part of the address of the value.",
    bad: .keys("theme: {type: String, name: \"\", description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, name: user_theme, description: The colour scheme the user chose.}"))

  static let missingOwner = Rule(
    "missing-owner", .values, "A key has an owner.",
    why: "The audit says who answers for each value.",
    bad: .catalog(
      "keys:\n  theme: {type: String, domain: userDefaults, security: none, "
        + "description: The colour scheme the user chose.}"),
    good: .catalog(
      "keys:\n  theme: {type: String, domain: userDefaults, security: none, owner: ExampleTeam, "
        + "description: The colour scheme the user chose.}"))

  static let missingDescription = Rule(
    "missing-description", .values, "A key has a description.",
    why: "The audit and the documentation of the emitted code say what each value is.",
    bad: .keys("theme: {type: String}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let vagueDescription = Rule(
    "vague-description", .values, "A description is a sentence, not a single word or a reminder.",
    why: "The audit and the documentation of the emitted code say what each value is.",
    bad: .keys("theme: {type: String, description: Theme}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let invalidPrivacy = Rule(
    "invalid-privacy", .values, "The parts of `privacy` fit together.",
    why: "They become entries of the app's privacy manifest.",
    bad: .keys("email: {type: String, privacy: {collected: true}, description: Where receipts are sent to.}"),
    good: .keys(
      "email: {type: String, privacy: {collected: true, dataType: emailAddress, purposes: [appFunctionality]}, "
        + "description: Where receipts are sent to.}"))
}

/// Rules of types and defaults, which the decoder checks.
extension Rule {
  static let invalidType = Rule(
    "invalid-type", .types, "A type is written as a type, and can be used in its place.",
    why: "The type is emitted as Swift code.",
    bad: .keys("recent: {type: Array<String>, description: What the user searched for.}"),
    good: .keys("recent: {type: [String], description: What the user searched for.}"))

  static let misplacedOptional = Rule(
    "misplaced-optional", .types, "A type ends in `?` in fields of structs only.",
    why: "A key without a default is optional already.",
    bad: .keys("recent: {type: String?, description: What the user searched for.}"),
    good: .keys("recent: {type: String, description: What the user searched for.}"))

  static let invalidMapKey = Rule(
    "invalid-map-key", .types, "The keys of a map are of String, Int or an enum of `types`.",
    why: "JSON and property lists have maps with text as keys only.",
    bad: .keys("seen: {type: \"[Date: Int]\", description: How often each day was opened.}"),
    good: .keys("seen: {type: \"[String: Int]\", description: How often each day was opened.}"))

  static let invalidRawValue = Rule(
    "invalid-raw-value", .types, "A case of an enum of Int has a whole number.",
    why: "The number is what is stored, so it cannot depend on the order of the cases.",
    bad: .catalog("types:\n  Level: {raw: Int, enum: [low, high]}"),
    good: .catalog("types:\n  Level: {raw: Int, enum: {low: 1, high: 2}}"))

  static let typeAccess = Rule(
    "type-access", .types, "A key, a parameter or a field is not more visible than its type.",
    why: "Swift refuses a public declaration with an internal type.",
    bad: .files([
      ("A.yaml", "localdata: 1\ncatalog: A\ntypes:\n  Theme: {enum: [light, dark]}"),
      (
        "B.yaml",
        "localdata: 1\ncatalog: B\naccess: public\n\(Example.defaults)"
          + "keys:\n  theme: {type: Theme, description: The colour scheme the user chose.}"
      ),
    ]),
    good: .files([
      ("A.yaml", "localdata: 1\ncatalog: A\naccess: public\ntypes:\n  Theme: {enum: [light, dark]}"),
      (
        "B.yaml",
        "localdata: 1\ncatalog: B\naccess: public\n\(Example.defaults)"
          + "keys:\n  theme: {type: Theme, description: The colour scheme the user chose.}"
      ),
    ]))

  static let wrongDefault = Rule(
    "wrong-default", .types, "A default is a value of its type.",
    why: "The default is emitted as a Swift literal.",
    bad: .keys("volume: {type: Int, default: 0.5, description: How loud sounds are played.}"),
    good: .keys("volume: {type: Double, default: 0.5, description: How loud sounds are played.}"))
}
