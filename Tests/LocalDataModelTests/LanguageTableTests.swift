import LocalDataSyntax
import LocalDataVocabulary
import Testing

@testable import LocalDataModel

/// The table of the language agrees with what decodes it.
@Suite struct LanguageTableTests {
  /// The reader knows the fields of the first column by their names only.
  @Test func theReaderKnowsTheFieldsOfFiles() {
    #expect(RootField.names == Set((Language.file.entries + Language.project.entries).map(\.name)))
  }

  /// Types, modules and functions that the examples of the tables name.
  private static let header = """
    localdata: 1
    catalog: Test
    imports: [AccountModels]
    types:
      Theme: {enum: [light, dark]}
      ProfileGlance: {swift: ProfileGlance}
      Glance: {swift: Glance}
    """

  /// Fields whose nodes the tables only keep.
  private static let decodedLater: Set = ["localdata", "defaults", "raw"]

  /// Decodes `text` as a field of a table. Returns the findings, or nil if the field is not decoded.
  private func findings<Draft>(_ field: Field<Draft>, _ text: String, _ blank: Draft) throws -> [String]? {
    var run = CatalogResolver.link([try tree(Self.header)])
    let root = try #require(try tree(text).root)
    let value = try #require(root.onlyField?.value)
    var draft = blank
    let isDecoded = field.decode(value, &draft, &run.context)
    return isDecoded ? run.context.findings.all.map(\.message) : nil
  }

  private func tree(_ text: String) throws -> SyntaxTree {
    let (tree, diagnostics) = CatalogReader.read(SourceFile(path: "Test.yaml", bytes: Array(text.utf8)))
    return try #require(tree, "\(text): \(diagnostics.map(\.message))")
  }

  private func check<Draft>(_ table: FieldTable<Draft>, _ blank: Draft) throws {
    for field in table.fields {
      let entry = field.entry
      #expect(try findings(field, entry.written, blank) == [], "\(table.owner): \(entry.written)")
      // The words of other fields are never values of this one.
      guard entry.shape.isClosed, !Self.decodedLater.contains(entry.name) else { continue }
      #expect(try findings(field, "\(entry.name): nonsense", blank) == nil, "\(table.owner): \(entry.name)")
      if case .optional(let text) = entry.presence, entry.shape.words.contains(text) {
        #expect(try findings(field, "\(entry.name): \(text)", blank) == [], "\(table.owner): \(entry.name): \(text)")
      }
    }
  }

  @Test func examplesAndDefaultsDecode() throws {
    try check(Language.key, KeyDraft())
    try check(Language.file, FileDraft())
    try check(Language.reservedName, ReservedNameDraft())
    try check(Language.type, TypeDraft())
    try check(Language.migration, MigrationDraft())
    try check(Language.source, SourceDraft())
    try check(Language.upgrade, UpgradeDraft())
    try check(Language.watch, WatchDraft())
    try check(Language.deprecation, ResolvedKey.Deprecation(reason: "", renamedTo: nil))
    try check(Language.privacy, ResolvedPrivacy(isCollected: false))
    try check(Language.review, ReviewDraft())
    try check(Language.processing, Processing(.other))
    try check(Language.structField, StructFieldDraft())
    try check(Language.database, DatabaseDraft())
    try check(Language.record, RecordDraft())
    try check(Language.recordField, RecordFieldDraft())
    try check(Language.encryption, .blind)
    try check(Language.reservedFields, ReservedFields())
  }

  @Test func summariesAreSentences() {
    for concept in Language.concepts {
      for entry in concept.entries {
        #expect(entry.summary.hasSuffix("."), "\(concept.title): \(entry.name)")
        #expect(entry.summary.first?.isUppercase == true, "\(concept.title): \(entry.name)")
      }
    }
  }

  /// A plain field is one line of the table and one property of the resolved model: it is decoded, checked, named in
  /// messages and described without any other change.
  @Test func aNewPlainFieldNeedsOnlyItsLine() throws {
    struct Draft: Sendable { var level = 0 }
    let table = FieldTable<Draft>(
      "a key", example: "theme: {level: 3}",
      [
        Field("level", .integer("a level", 1...5), .optional("1"), "How loud the value is.", example: "3") {
          $0.level = $1
        }
      ])
    func decode(_ text: String) throws -> (level: Int, findings: [Diagnostic]) {
      var context = DecodingContext(rules: RuleCatalog.index)
      var draft = Draft()
      _ = table.decode(try #require(try tree(text).root), into: &draft, &context)
      return (draft.level, context.findings.all)
    }
    #expect(try decode("level: 4").level == 4)
    let tooHigh = try #require(try decode("level: 6").findings.first)
    #expect(tooHigh.message == "'6' is not a level from 1 to 5")
    #expect(tooHigh.help == "write a whole number from 1 to 5: `level: 3`")
    let misspelt = try #require(try decode("levl: 4").findings.first)
    #expect(misspelt.message == "'levl' is not a field of a key; did you mean 'level'?")
    #expect(table.entries.map(\.name) == ["level"])
  }

  // MARK: Inheritance

  private func key(_ text: String) throws -> (key: DecodedKey, defaults: SyntaxNode?) {
    let run = CatalogResolver.link([try tree("localdata: 1\ncatalog: Test\n" + text)])
    return (try #require(run.documents.first?.keys.first), run.documents.first?.defaults)
  }

  @Test func aPartIsInheritedFromTheSameCaseOnly() throws {
    let defaults = "defaults: {security: {keychain: {accessibility: afterFirstUnlock, accessControl: userPresence}}}\n"
    func policy(_ security: String) throws -> SecurityPolicy {
      try key(defaults + "keys: {a: {security: \(security)}}").key.resolved.descriptor.security
    }
    #expect(
      try policy("{keychain: {accessControl: biometryAny}}")
        == .keychain(accessibility: .afterFirstUnlock, accessControl: .biometryAny))
    #expect(
      try policy("{keychain: {accessControl: none}}") == .keychain(accessibility: .afterFirstUnlock))
    #expect(try policy("none") == SecurityPolicy.none)
  }

  @Test func noneTakesBackWhatDefaultsSay() throws {
    let text = """
      defaults: {maxSize: 10, retention: {maxAge: 1d}, privacy: {collected: false}}
      keys: {a: {domain: userDefaults, maxSize: none, retention: none, privacy: none}}
      """
    let resolved = try key(text).key.resolved
    #expect(resolved.descriptor.maxSize == StorageDomain.Kind.userDefaults.defaultMaxSize)
    #expect(resolved.descriptor.retention == nil)
    #expect(resolved.privacy == nil)
  }

  @Test func anOriginIsTheKeyTheDefaultsOrTheLanguage() throws {
    let (key, defaults) = try key(
      """
      defaults:
        owner: Team
        security: {keychain: {accessibility: afterFirstUnlock}}
        domain: {keychain: {service: shop}}
      keys:
        a:
          security: {keychain: {accessControl: userPresence}}
          domain: userDefaults
      """)
    func line(_ path: String...) -> String {
      switch key.origin(of: path, defaults: defaults) {
      case .key(let place): "key \(place.range.start.line)"
      case .defaults(let place): "defaults \(place.range.start.line)"
      case .language: "language"
      }
    }
    #expect(line("owner") == "defaults 4")
    #expect(line("security") == "key 9")
    #expect(line("security", "accessControl") == "key 9")
    #expect(line("security", "accessibility") == "defaults 5")
    #expect(line("domain") == "key 10")
    #expect(line("domain", "service") == "language")
    #expect(line("serializer") == "language")
  }
}

extension Shape {
  /// The words that the shape takes.
  fileprivate var words: [String] {
    switch self {
    case .word(let words): words
    case .flag: ["true", "false"]
    case .choice(let alternatives): alternatives.map(\.name)
    default: []
    }
  }

  /// A Boolean value that indicates whether the decoder of the shape itself refuses other words.
  fileprivate var isClosed: Bool {
    switch self {
    case .word, .flag, .choice, .integer, .duration, .record: true
    default: false
    }
  }
}
