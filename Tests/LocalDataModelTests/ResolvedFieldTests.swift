import LocalDataModel
import Testing

/// Resolved keys as values: their fields, and what makes two of them equal.
@Suite struct ResolvedFieldTests {
  /// A key that has the field, by what a catalog writes, and the value as YAML writes it.
  struct Sample: Sendable, CustomTestStringConvertible {
    var field: ResolvedField
    var key: String
    var value: String
    /// Another spelling of the key, in which the field differs.
    var other: String

    init(_ field: ResolvedField, _ key: String, _ value: String, other: String = "{}") {
      (self.field, self.key, self.value, self.other) = (field, key, value, other)
    }

    var testDescription: String { field.path }
  }

  static let samples: [Sample] = [
    Sample(.name, "{name: 'user: theme'}", "\"user: theme\""),
    Sample(.type, "{type: '[String: Int]'}", "\"[String: Int]\""),
    Sample(.default, "{type: '[Int]', default: [1, -2]}", "[1, -2]", other: "{type: '[Int]', default: [1]}"),
    Sample(.access, "{access: public}", "public"),
    Sample(.parameters, "{parameters: {id: UUID, size: Int}}", "{id: UUID, size: Int}"),
    Sample(.domain, "{domain: keychain, security: recommended}", "keychain"),
    Sample(.domainSuite, "{domain: {userDefaults: {suite: com.example.a}}}", "com.example.a"),
    Sample(.domainIdentifier, "{domain: {appGroupUserDefaults: {identifier: group.a}}}", "group.a"),
    Sample(.domainService, "{domain: {keychain: {service: a}}, security: keychain}", "a"),
    Sample(.domainWithout, "{domain: {keychain: {without: service}}, security: keychain}", "service"),
    Sample(.domainAccessGroup, "{domain: {keychain: {accessGroup: a}}, security: keychain}", "a"),
    Sample(.domainSynchronizable, "{domain: {keychain: {synchronizable: true}}, security: keychain}", "true"),
    Sample(.domainDirectory, "{domain: {fileSystem: {directory: caches}}}", "caches"),
    Sample(.domainCustomDirectory, "{domain: {fileSystem: {directory: {custom: A/b}}}}", "A/b"),
    Sample(.domainPath, "{domain: {fileSystem: {directory: library, path: A/b}}}", "A/b"),
    Sample(.protection, "{domain: {fileSystem: {directory: caches}}, protection: none}", "none"),
    Sample(.security, "{security: recommended}", "recommended"),
    Sample(
      .accessibility, "{domain: keychain, security: {keychain: {accessibility: afterFirstUnlock}}}", "afterFirstUnlock"),
    Sample(.accessControl, "{domain: keychain, security: {keychain: {accessControl: biometryAny}}}", "biometryAny"),
    Sample(.algorithm, "{security: {encrypted: {algorithm: aes256GCM}}}", "aes256GCM"),
    Sample(.keyDerivation, "{security: {encrypted: {keyDerivation: {pbkdf2: {iterations: 600000}}}}}", "pbkdf2"),
    Sample(.iterations, "{security: {encrypted: {keyDerivation: {pbkdf2: {iterations: 700000}}}}}", "700000"),
    Sample(.keySource, "{security: {encrypted: {keySource: {external: pin}}}}", "external"),
    Sample(.externalKeySource, "{security: {encrypted: {keySource: {external: pin}}}}", "pin"),
    Sample(.serializer, "{serializer: propertyList}", "propertyList"),
    Sample(.dates, "{type: Date, dates: iso8601}", "iso8601", other: "{type: Date}"),
    Sample(
      .reads, "{type: Bool, reads: [Int]}", "[{type: Int, serializer: json}]", other: "{type: Bool}"),
    Sample(.validRange, "{type: Int, valid: {range: 1...}}", "1...", other: "{type: Int, valid: {range: 2...}}"),
    Sample(.validCount, "{valid: {count: 0...50}}", "0...50"),
    Sample(.customSerializer, "{serializer: {custom: Notes.Writer}}", "Notes.Writer"),
    Sample(.schema, "{schema: 2, upgrade: [{from: 1, transform: A.up}]}", "2"),
    Sample(.upgrade, "{schema: 2, upgrade: [{from: 1, transform: A.up}]}", "[{from: 1, transform: A.up}]"),
    Sample(
      .migration, "{migration: [{from: {name: b}, whenAppVersion: '<2.0'}, {custom: Move}]}",
      "[{from: {name: b, type: String, domain: userDefaults, security: none, serializer: json}, "
        + "whenAppVersion: \"<2.0\"}, {custom: Move}]"),
    Sample(.legacy, "{legacy: true}", "true"),
    Sample(.title, "{title: 'Colors: all'}", "\"Colors: all\""),
    Sample(.tags, "{tags: [look, player]}", "[look, player]"),
    Sample(.availability, "{availability: phoneOnly}", "phoneOnly"),
    Sample(.syncPolicy, "{syncPolicy: manual}", "manual"),
    Sample(.sync, "{security: recommended, syncPolicy: manual, sync: decrypted}", "decrypted"),
    Sample(.watchType, "{syncPolicy: manual, watch: {type: Int, transform: A.b}}", "Int"),
    Sample(.watchTransform, "{syncPolicy: manual, watch: {type: Int, transform: A.b}}", "A.b"),
    Sample(
      .watchSerializer, "{syncPolicy: manual, watch: {type: Int, transform: A.b, serializer: propertyList}}",
      "propertyList"),
    Sample(.watchSchema, "{syncPolicy: manual, watch: {type: Int, transform: A.b, schema: 3}}", "3"),
    Sample(.owner, "{owner: Team B}", "Team B"),
    Sample(
      .description, "{description: 'Another sentence, with \"quotes\".'}", #""Another sentence, with \"quotes\".""#),
    Sample(.sensitivity, "{sensitivity: health}", "health"),
    Sample(.maxAge, "{retention: {maxAge: 30d}}", "30d"),
    Sample(.retainedUntil, "{retention: {until: relaunch}}", "relaunch"),
    Sample(.onCorruption, "{default: a, onCorruption: useDefault}", "useDefault"),
    Sample(.maxSize, "{maxSize: 12}", "12"),
    Sample(.backup, "{domain: {fileSystem: {directory: caches}}, backup: false}", "false"),
    Sample(.deprecationReason, "{deprecated: {reason: Use other.}}", "Use other."),
    Sample(.renamedTo, "{deprecated: {reason: Use other., renamedTo: other}}", "other"),
    Sample(.isCollected, "{privacy: {collected: false}}", "false"),
    Sample(
      .isLinked, "{privacy: {collected: true, linked: true, dataType: name, purposes: [analytics]}}", "true"),
    Sample(
      .isTracking, "{privacy: {collected: true, tracking: true, dataType: name, purposes: [analytics]}}", "true"),
    Sample(.dataType, "{privacy: {collected: true, dataType: userID, purposes: [analytics]}}", "userID"),
    Sample(
      .purposes, "{privacy: {collected: true, dataType: name, purposes: [analytics, other]}}", "[analytics, other]"),
    Sample(.reviewer, "{review: {by: the team, until: 2099-01-31}}", "the team"),
    Sample(.reviewedUntil, "{review: {by: security, until: 2099-01-31}}", "2099-01-31"),
  ]

  @Test(arguments: samples)
  func aFieldIsReadAsItIsWritten(_ sample: Sample) throws {
    let key = try Self.key(sample.key)
    let other = try Self.key(sample.other)
    #expect(key[sample.field].description == sample.value)
    #expect(key[sample.field] != other[sample.field])
    #expect(key != other)
    #expect(try key == Self.key(sample.key))
  }

  /// The fields that only key pairs have.
  static let pairSamples: [Sample] = [
    Sample(.secureEnclave, "{secureEnclave: required}", "required"),
    Sample(.applicationTag, "{applicationTag: 'a: b'}", "\"a: b\""),
    Sample(.exportable, "{secureEnclave: never, exportable: true}", "true"),
    Sample(.signOut, "{signOut: keep}", "keep"),
    Sample(
      .accessibility, "{}", "whenUnlockedThisDeviceOnly",
      other: "{security: {keychain: {accessibility: afterFirstUnlockThisDeviceOnly}}}"),
    Sample(.accessControl, "{security: {keychain: {accessControl: biometryAny}}}", "biometryAny"),
    Sample(.domainService, "{domain: {keychain: {service: a}}}", "a"),
    Sample(.sensitivity, "{}", "credential", other: "{}"),
  ]

  @Test(arguments: pairSamples)
  func aFieldOfAPairIsReadAsItIsWritten(_ sample: Sample) throws {
    func pair(_ text: String) throws -> ResolvedKey {
      let body = text == "{}" ? "" : text.dropFirst().dropLast() + ", "
      let catalog = try Run(
        "localdata: 1\ncatalog: Test\ndefaults: {owner: Team}\nsigningKeys:\n"
          + "  pair: {\(body)description: The pair of the app.}\n")
      return try #require(catalog.catalogs.first?.keys.first)
    }
    #expect(try pair(sample.key)[sample.field].description == sample.value)
    if sample.other != sample.key { #expect(try pair(sample.key) != pair(sample.other)) }
  }

  @Test func everyFieldHasASample() throws {
    let untested = Set(ResolvedField.allCases).subtracting((Self.samples + Self.pairSamples).map(\.field))
    #expect(untested == [.catalog, .member])
    let key = try Self.key("{}")
    #expect(key[.catalog] == .text("Test"))
    #expect(key[.member] == .text("theme"))
  }

  @Test func placesDoNotCount() throws {
    let text = Self.catalog(
      "{schema: 2, upgrade: [{from: 1, transform: A.up}], migration: {from: {name: b}}, syncPolicy: manual, "
        + "watch: {type: Int, transform: A.b}}")
    let moved = "# A line that was not there.\n" + text
    let catalogs = try [text, moved].map { try #require(Run($0).catalogs.first) }
    #expect(catalogs[0] == catalogs[1])
    #expect(catalogs[0].keys[0].line != catalogs[1].keys[0].line)
    #expect(Set(catalogs).count == 1)
  }

  /// Each catalog declares what the other does not.
  @Test(arguments: [
    ("types: {A: {enum: [b, c]}}", "types: {A: {enum: [b, d]}}"),
    ("types: {A: {enum: {b: x}}}", "types: {A: {enum: {b: y}}}"),
    ("types: {A: {fields: {b: Int}}}", "types: {A: {fields: {b: {type: Int, default: 1}}}}"),
    ("types: {A: {swift: B}}", "types: {A: {swift: C}}"),
    ("reserved: [{name: a, domain: userDefaults}]", "reserved: [{name: a, domain: userDefaults, cleanup: delete}]"),
    ("access: public", "access: package"),
  ])
  func declarationsCount(one: String, two: String) throws {
    let catalogs = try [one, two].map { try #require(Run(Self.catalog("{}") + $0 + "\n").catalogs.first) }
    #expect(catalogs[0] != catalogs[1])
  }

  @Test(arguments: [
    ("plain", "plain"), ("two words", "two words"), ("1.10", "1.10"), ("no", "no"), ("", "\"\""), ("true", "\"true\""),
    ("null", "\"null\""), ("a: b", "\"a: b\""), ("a #b", "\"a #b\""), ("a#b", "a#b"), ("- a", "\"- a\""),
    ("{a}", "\"{a}\""), ("tab\t", "\"tab\\t\""), ("é", "\"é\""), ("\u{202E}", "\"\\u202E\""),
    ("\u{E0001}", "\"\\U000E0001\""), ("back\\slash", "\"back\\\\slash\""),
  ])
  func textIsReadBackAsWritten(text: String, yaml: String) throws {
    #expect(FieldValue.text(text).description == yaml)
    guard !text.isEmpty else { return }
    let description = "Says \(text) here."
    let key = try Self.key("{description: \(FieldValue.text(description))}")
    #expect(key[.description] == .text(description))
  }

  private static func key(_ fields: String) throws -> ResolvedKey {
    let run = try Run(catalog(fields))
    try #require(run.findings.split(separator: "\n").allSatisfy { !$0.contains(": error: ") }, "\(run.findings)")
    return try #require(run.catalogs.first?.keys.first)
  }

  private static func catalog(_ fields: String) -> String {
    """
    localdata: 1
    catalog: Test
    defaults: {type: String, domain: userDefaults, security: none, owner: Team}
    keys:
      theme: {description: The colour scheme., \(fields.dropFirst())
      other: {description: Another key.}

    """.replacing("The colour scheme., }", with: "The colour scheme.}").withoutRepeatedDescription
  }
}

extension String {
  /// The catalog without the usual description of a key that has its own.
  fileprivate var withoutRepeatedDescription: String {
    contains("scheme., description:") ? replacing("description: The colour scheme., ", with: "") : self
  }
}
