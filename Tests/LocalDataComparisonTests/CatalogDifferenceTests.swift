@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import TestSupport
import Testing

/// The difference of two states.
@Suite struct CatalogDifferenceTests {
  private func changes(_ old: Today, _ new: Today) -> [Change] {
    let findings = ReleaseComparison(today: new.state).findings(against: [Baseline(state: old.state)])
    return CatalogDifference.changes(from: old.state, to: new.state, findings)
  }

  /// - Parameter isMigrated: Whether each key had a custom migration already.
  private func report(_ old: String, _ new: String, isMigrated: Bool = false) throws -> DifferenceReport {
    var (old, new) = (try Today(old), try Today(new))
    if isMigrated { (old, new) = (old.withCustomMigrations, new.withCustomMigrations) }
    var before = old.state
    before.title = "1.0"
    let findings = ReleaseComparison(today: new.state).findings(against: [Baseline(state: before)])
    return DifferenceReport(
      changes: CatalogDifference.changes(from: before, to: new.state, findings), findings: findings, title: "1.0")
  }

  private static func catalog(_ fields: String, member: String = "theme", rest: String = "") -> String {
    """
    localdata: 1
    catalog: Test
    defaults: {type: String, domain: userDefaults, security: none, owner: Team}
    \(rest)
    keys:
      \(member): {description: Says what it is., \(fields)}

    """.replacing(", }", with: "}")
  }

  /// A change of a struct is one of storage if the values that were stored no longer decode.
  @Test(arguments: [
    ("{street: String, zip: String}", "{road: String, zip: String}", [ChangeClass.source, .storage]),
    ("{street: String, zip: String}", "{street: String}", [.source]),
    ("{street: String}", "{street: String, zip: String?}", []),
    ("{street: String}", "{street: String, zip: String}", [.storage]),
  ])
  func aChangedStruct(_ old: String, _ new: String, _ classes: [ChangeClass]) throws {
    func catalog(_ fields: String) throws -> Today {
      try Today(
        Self.catalog(
          "type: \"[Person]\"", rest: "types: {Person: {fields: {address: Address}}, Address: {fields: \(fields)}}"))
    }
    let changes = try changes(catalog(old), catalog(new))
    #expect(changes.map(\.name) == ["Address"])
    #expect(changes.flatMap(\.classes) == classes)
  }

  // MARK: Unmanaged data

  private static func unmanaged(_ fields: String?) throws -> Today {
    let section = fields.map { "unmanaged: {logs: {\($0), description: What a framework writes.}}\n" } ?? ""
    return try Today("localdata: 1\ncatalog: Test\ndefaults: {owner: Team}\n\(section)keys: {}\n")
  }

  private static let logs = "domain: {fileSystem: {directory: documents, path: Logs/}}"
  private static let identity = "domain: keychain, security: {keychain: {accessibility: whenUnlockedThisDeviceOnly}}"

  private struct Unmanaged: Sendable {
    var old: String?
    var new: String?
    var classes: [ChangeClass]

    init(_ old: String?, _ new: String?, _ classes: [ChangeClass] = []) {
      self.old = old
      self.new = new
      self.classes = classes
    }
  }

  private static let collected =
    "\(logs), privacy: {collected: true, dataType: crashData, purposes: [analytics]}"
  private static let unmanagedCases: [Unmanaged] = [
    Unmanaged("\(logs), protection: complete", logs, [.security]),
    Unmanaged("\(logs), backup: false", logs, [.security]),
    Unmanaged(logs, "\(logs), protection: complete, backup: false"),
    Unmanaged(identity, "domain: keychain, security: {keychain: {accessibility: afterFirstUnlock}}", [.security]),
    Unmanaged(identity, "domain: userDefaults", [.security]),
    Unmanaged("\(logs), sensitivity: personal", logs, [.privacy]), Unmanaged(logs, collected, [.privacy]),
    Unmanaged("\(logs), retention: {maxAge: 30d}", "\(logs), retention: {maxAge: 60d}", [.privacy]),
    Unmanaged("\(logs), retention: {maxAge: 30d}", logs, [.privacy]),
    Unmanaged("\(logs), retention: {maxAge: 60d}", "\(logs), retention: {maxAge: 30d}"),
    Unmanaged(logs, "\(logs), title: Logs, tags: [support]"),
    Unmanaged(logs, "domain: {fileSystem: {directory: caches, path: Logs/}}"),
    Unmanaged(logs, nil), Unmanaged(nil, logs), Unmanaged(nil, collected, [.privacy]),
  ]

  @Test func unmanagedDataHasClasses() throws {
    for each in Self.unmanagedCases {
      let (before, now) = (try Self.unmanaged(each.old), try Self.unmanaged(each.new))
      let changes = changes(before, now)
      #expect(changes.map(\.name) == ["logs"])
      #expect(changes.flatMap(\.classes) == each.classes, "\(each.old ?? "") -> \(each.new ?? "")")
      #expect(self.changes(now, now).isEmpty)
      // A snapshot has all of it.
      let file = SourceFile(path: "1.0.json", bytes: Array(SnapshotWriter.write(now.state, release: "1.0").utf8))
      #expect(try SnapshotReader.read(file).state.unmanaged == now.state.unmanaged)
    }
  }

  @Test func theSignOutOfRowsHasClasses() throws {
    func record(_ signOut: String) throws -> Today {
      try Today(
        """
        localdata: 1
        catalog: Test
        defaults: {owner: Team}
        databases: {main: {domain: {fileSystem: {directory: documents}}, description: All that is stored.}}
        records:
          Note: {description: What the user wrote., \(signOut)fields: {id: {type: UUID, number: 1}}}
        keys: {}

        """)
    }
    let (all, kept, mine) = ("", "signOut: keep, ", "signOut: {by: id}, ")
    let cases: [(String, String, [ChangeClass])] = [
      (all, kept, [.privacy]), (kept, all, [.storage]), (all, mine, []), (mine, all, [.privacy]),
      (mine, kept, [.privacy]), (kept, mine, [.storage]),
    ]
    for (old, new, classes) in cases {
      #expect(try changes(record(old), record(new)).flatMap(\.classes) == classes, "\(old)-> \(new)")
    }
  }

  @Test func labelsHaveNoClass() throws {
    let labelled = "type: String, title: Colors, tags: [look, player]"
    let changes = try changes(Today(Self.catalog("type: String")), Today(Self.catalog(labelled)))
    #expect(changes.flatMap(\.facts).map(\.path) == ["title", "tags"])
    #expect(changes.flatMap(\.classes).isEmpty)
  }

  // MARK: Classes

  struct Case: Sendable, CustomTestStringConvertible {
    var old: String
    var new: String
    var classes: [ChangeClass]
    init(_ old: String, _ new: String, _ classes: ChangeClass...) {
      (self.old, self.new, self.classes) = (old, new, classes)
    }
    var testDescription: String { "\(old) -> \(new)" }
  }

  @Test(arguments: [
    Case("owner: A", "owner: B"), Case("", "signOut: keep", .privacy), Case("signOut: keep", "", .storage),
    Case("default: a", "default: b", .behavior), Case("", "maxSize: 10"),
    Case("maxSize: 20", "maxSize: 10", .storage), Case("", "default: a", .source, .behavior),
    Case("", "onCorruption: quarantine", .behavior), Case("access: public", "access: internal", .source),
    Case("type: Int", "type: Int64", .source), Case("type: Int", "type: String", .source, .storage),
    Case(
      "type: Int", "type: String, schema: 2, upgrade: [{from: 1, transform: A.up}]", .source),
    Case("name: a", "name: b", .storage), Case("name: a", "name: b, migration: {from: {name: a}}"),
    Case("", "serializer: propertyList", .storage), Case("", "security: recommended", .storage),
    Case("", "security: recommended, migration: {from: {security: none}}"),
    Case("security: recommended", "security: none, migration: {from: {security: recommended}}", .security),
    Case(
      "domain: keychain, security: keychain",
      "domain: keychain, security: recommended, migration: {from: {security: keychain}}"),
    Case(
      "domain: keychain, security: keychain",
      "domain: keychain, security: {keychain: {accessibility: afterFirstUnlock}}",
      .security),
    Case(
      "domain: keychain, security: {keychain: {accessibility: afterFirstUnlock}}",
      "domain: keychain, security: keychain"),
    Case(
      "domain: keychain, security: {keychain: {accessControl: biometryAny}}",
      "domain: keychain, security: {keychain: {accessControl: userPresence}}", .security),
    Case(
      "domain: {fileSystem: {directory: documents}}, backup: false", "domain: {fileSystem: {directory: documents}}",
      .security),
    Case(
      "domain: keychain, security: keychain", "domain: {keychain: {synchronizable: true}}, security: keychain",
      .storage,
      .security),
    Case(
      "domain: {keychain: {synchronizable: true}}, security: keychain", "domain: keychain, security: keychain", .storage
    ),
    Case(
      "domain: keychain, security: recommended, syncPolicy: never",
      "domain: keychain, security: recommended, syncPolicy: manual, sync: decrypted", .security, .sync),
    Case("sensitivity: health", "sensitivity: personal", .privacy),
    Case("sensitivity: personal", "sensitivity: health"),
    Case("retention: {maxAge: 1d}", "retention: {maxAge: 2d}", .privacy),
    Case("retention: {maxAge: 2d}", "retention: {maxAge: 1d}", .storage),
    Case("retention: {maxAge: 1d}", "", .privacy), Case("retention: {until: relaunch}", "", .privacy),
    Case("", "retention: {maxAge: 1d}", .storage),
    Case("availability: all", "availability: phoneOnly", .storage),
    Case("availability: phoneWithWatchSync", "availability: watchOnly", .storage),
    Case(
      "domain: keychain, security: keychain",
      "domain: keychain, security: {keychain: {accessibility: whenUnlockedThisDeviceOnly}}", .storage),
    Case(
      "domain: {fileSystem: {directory: documents}}", "domain: {fileSystem: {directory: documents}}, backup: false",
      .storage),
    Case(
      "privacy: {collected: false}", "privacy: {collected: true, dataType: name, purposes: [analytics]}", .privacy),
    Case(
      "privacy: {collected: true, dataType: name, purposes: [analytics, other]}",
      "privacy: {collected: true, dataType: name, purposes: [analytics]}"),
    Case(
      "privacy: {collected: true, dataType: name, purposes: [analytics]}",
      "privacy: {collected: true, dataType: name, purposes: [other]}", .privacy),
    Case(
      "privacy: {collected: true, dataType: name, purposes: [analytics, other]}",
      "privacy: {collected: true, dataType: name, purposes: [other, analytics]}"),
    Case("", "syncPolicy: manual", .sync), Case("syncPolicy: automaticSmall", "syncPolicy: manual", .sync),
    Case("syncPolicy: manual", "", .sync),
    Case("availability: phoneOnly", "availability: all", .sync),
  ])
  func aChangeIsInItsClasses(_ sample: Case) throws {
    for isMigrated in [false, true] {
      let report = try report(Self.catalog(sample.old), Self.catalog(sample.new), isMigrated: isMigrated)
      #expect(report.changes.count == 1)
      #expect(report.changes.first?.classes == sample.classes, "\(report.render(.text))")
    }
  }

  @Test func renamesAreRecognised() throws {
    let byAddress = try report(Self.catalog("name: a"), Self.catalog("name: a", member: "other"))
    #expect(
      byAddress.render(.text).hasPrefix(
        "renamed key 'other' from 'theme' [source]\n  member: theme -> other [source]\n"))
    let byMigration = try report(
      Self.catalog(""), Self.catalog("migration: {from: {name: theme}}", member: "other"))
    #expect(byMigration.render(.text).hasPrefix("renamed key 'other' from 'theme' [source]\n"))
    #expect(byMigration.findings.isEmpty)
    let neither = try report(Self.catalog(""), Self.catalog("", member: "other"))
    #expect(neither.changes.map(\.kind) == [.added, .removed])
    #expect(neither.changes.map(\.classes) == [[], [.source, .storage]])
  }

  /// Each key would read the values of the other one.
  @Test func exchangedPlacesAreLost() throws {
    let (home, work) = ("home: {description: Says one.", "work: {description: Says two.")
    func catalog(_ first: String, _ second: String) -> String {
      Self.catalog("").replacing(
        "keys:\n", with: "keys:\n  \(home), name: \(first)}\n  \(work), name: \(second)}\n")
    }
    let report = try report(catalog("home", "work"), catalog("work", "home"))
    #expect(
      report.render(.text) == """
        changed key 'home' [storage]
          name: home -> work [storage]
        changed key 'work' [storage]
          name: work -> home [storage]
        2 changed since 1.0

        """)
    #expect(report.findings.map(\.rule) == [.addressChanged, .addressChanged])
  }

  @Test func typesAndReservedNamesAreCompared() throws {
    let old = Self.catalog("type: T", rest: "types: {T: {enum: [a, b]}, S: {fields: {x: Int}}}")
    let new = Self.catalog(
      "type: T",
      rest: "types: {T: {enum: [a, c]}, S: {fields: {x: Int, y: Int}}}\nreserved: [{name: z, domain: userDefaults}]")
    #expect(
      try report(old, new).render(.text) == """
        changed type 'S'
          fields.y: (none) -> {type: Int}
        changed type 'T' [source, storage]
          enum.b: b -> (none) [source, storage]
          enum.c: (none) -> c
        added reserved name 'z'
          domain: (none) -> userDefaults
        1 added, 2 changed since 1.0

        """)
  }

  /// The order of cases and fields is part of the Swift API, and the catalog decides the access.
  @Test func aTypeSaysWhatChanged() throws {
    let old = Self.catalog(
      "type: T", rest: "types: {T: {enum: [a, b]}, S: {fields: {x: Int, y: {type: Int, default: 1}}}}")
    let new = Self.catalog(
      "type: T", rest: "types: {T: {enum: [b, a]}, S: {fields: {y: {type: Int, default: 2}, x: Int}}}")
    #expect(
      try report(old, new).render(.text) == """
        changed type 'S' [source, behavior]
          fields.y: {type: Int, default: 1} -> {type: Int, default: 2} [source, behavior]
          order: [x, y] -> [y, x] [source]
        changed type 'T' [source]
          order: [a, b] -> [b, a] [source]
        2 changed since 1.0

        """)
  }

  /// A key that is written in braces gets its fields in braces.
  @Test func aProposalHasTheStyleOfItsKey() throws {
    let today = try Today(Self.catalog("name: b"))
    let baselines = try today.baselines([("1.0", Array(Self.catalog("name: a").utf8))])
    let findings = ReleaseComparison(today: today.state).findings(against: baselines)
    let places = FindingPlaces(today.state, today.resolved, [today.source])
    let text = Scaffold(findings, today.state, against: baselines).text(isFlow: places.isFlow) { $0 }
    #expect(text.contains("\n  theme: {migration: {from: {name: a}}}\n"), "\(text)")
    let block = try Today(Self.catalog("name: b").replacing("theme: {", with: "theme:\n    {"))
    let blockPlaces = FindingPlaces(block.state, block.resolved, [block.source])
    #expect(!blockPlaces.isFlow(.key("theme")))
  }

  @Test func documentsAreWritten() throws {
    let report = try report(Self.catalog("name: a, owner: 'A|B'"), Self.catalog("name: b, owner: '<b>'"))
    #expect(
      report.render(.markdown) == """
        ## Storage catalogs

        1 changed since 1.0.

        ### Storage: stored values are lost

        | declaration | field | before | after |
        |---|---|---|---|
        | changed key 'theme' | name | a | b |

        ### To do before a release

        - 1\\.0 stored 'theme' as 'a' in userDefaults, and it is looked for as 'b' in userDefaults now: add \\`migration: \
        {from: {name: a}}\\` to 'theme', or go back to the old place

        """)
    #expect(
      report.render(.json) == """
        {
          "version": 1,
          "against": "1.0",
          "changes": [
            {"subject": "key", "change": "changed", "name": "theme", "catalog": "Test", "classes": ["storage"], \
        "fields": [{"field": "name", "before": "a", "after": "b", "classes": ["storage"]}, {"field": "owner", \
        "before": "A|B", "after": "<b>", "classes": []}]}
          ],
          "merges": [],
          "findings": [
            {"rule": "released-address-changed", "severity": "error", "message": "1.0 stored 'theme' as 'a' in \
        userDefaults, and it is looked for as 'b' in userDefaults now", "help": "add `migration: {from: {name: a}}` to \
        'theme', or go back to the old place", "keys": ["theme"]}
          ]
        }

        """)
  }

  // MARK: Properties

  /// Random catalogs: `diff` of one with itself is empty, and both directions name the same declarations.
  @Test(arguments: 0..<200)
  func bothDirectionsNameTheSame(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let (one, two) = (try Today(Self.random(&random)), try Today(Self.random(&random)))
    for state in [one, two] {
      #expect(changes(state, state).isEmpty)
      #expect(ReleaseComparison(today: state.state).findings(against: [Baseline(state: state.state)]).isEmpty)
    }
    #expect(Self.names(changes(one, two)) == Self.names(changes(two, one)))
  }

  private static func names(_ changes: [Change]) -> Set<String> {
    Set(changes.flatMap { change in [change.name, change.oldName ?? change.name].map { "\(change.subject) \($0)" } })
  }

  private static func random(_ random: inout SeededRandom) -> String {
    let fields: [[String]] = [
      ["type: Int", "type: String", "type: T", "type: S", "type: '[T: S]'"],
      ["", "schema: 2, upgrade: [{from: 1, transform: A.up}]"],
      ["", "name: x", "name: y"], ["", "serializer: propertyList"], ["", "access: public"],
      [
        "", "security: recommended", "domain: keychain, security: keychain",
        "domain: {fileSystem: {directory: caches}}, backup: false",
      ],
      ["", "migration: {from: {name: x1}}", "migration: {custom: M}", "legacy: true"], ["", "retention: {maxAge: 1d}"],
      ["", "sensitivity: health"], ["", "parameters: {id: Int}, name: 'z_{id}'"],
    ]
    var keys = ""
    var usedNames: Set<String> = []
    for member in ["one", "two", "three", "four"] where Bool.random(using: &random) {
      var chosen = fields.map { $0.randomElement(using: &random) ?? "" }
      if chosen[6] == "legacy: true" { (chosen[4], chosen[7]) = ("", "") }
      if !chosen[9].isEmpty { chosen[2] = "" }
      // Two keys cannot have one place.
      if !chosen[2].isEmpty || !chosen[9].isEmpty, !usedNames.insert(chosen[2] + chosen[9]).inserted {
        (chosen[2], chosen[9]) = ("", "")
      }
      // Sources are read by one key only.
      if chosen[6].contains("x1") { chosen[6] = "migration: {from: {name: \(member)_old}}" }
      if chosen[6].contains("from"), !chosen[9].isEmpty { chosen[6] = "" }
      keys += "  \(member): {description: Says what it is., \(chosen.filter { !$0.isEmpty }.joined(separator: ", "))}\n"
    }
    let types =
      ["{enum: [a, b]}", "{enum: [a]}", "{enum: [a, c]}", "{raw: Int, enum: {a: 1}}"].randomElement(using: &random)
      ?? ""
    let structs = ["{fields: {x: Int}}", "{fields: {x: Int, y: String?}}"].randomElement(using: &random) ?? ""
    return """
      localdata: 1
      catalog: Test
      access: public
      defaults: {domain: userDefaults, security: none, owner: Team}
      types: {T: \(types), S: \(structs)}
      reserved: [{name: r\(Int.random(in: 0...1, using: &random)), domain: userDefaults}]
      keys: \(keys.isEmpty ? "{}" : "")
      \(keys)
      """
  }
}
