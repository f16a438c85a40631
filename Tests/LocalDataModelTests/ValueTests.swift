import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary
import Testing

/// Types, defaults and migrations of good catalogs.
@Suite struct ValueTests {
  private static let head = """
    localdata: 1
    catalog: Test
    imports: [Models, Foundation]
    defaults: {owner: Team, domain: userDefaults, security: none}
    types:
      Theme: {enum: {light: lt, dark: {raw: dk, description: Easy on the eyes.}, plain: {description: As it is.}}}
      Level: {enum: {low: -1, high: 9}, raw: Int}
      Point: {fields: {x: Int, y: {type: "Int?", default: 3}, kids: [Point]}}
      Profile: {swift: Models.Profile}
    keys:

    """

  private func resolve(_ keys: String) throws -> ResolvedCatalog {
    let run = try Run(Self.head + keys)
    #expect(run.errors == "")
    return try #require(run.catalogs.first)
  }

  @Test(arguments: [
    ("String", "no", DefaultValue.string("no"), "no"),
    ("String", "\"a\\n\\\"b\\\"\"", .string("a\n\"b\""), "\"a\\n\\\"b\\\"\""),
    ("Bool", "true", .bool(true), "true"), ("UInt8", "255", .integer("255"), "255"),
    ("Double", "1.50", .floating("1.5"), "1.50"), ("Decimal", "3.133", .decimal("3.133"), "3.133"),
    ("Data", "AAEC", .data([0, 1, 2]), "AAEC"),
    ("Date", "1970-01-01T00:00:01Z", .date(seconds: 1, text: "1970-01-01T00:00:01Z"), "1970-01-01T00:00:01Z"),
    ("URL", "https://example.com/a#b", .url("https://example.com/a#b"), "https://example.com/a#b"),
    (
      "UUID", "01234567-89ab-cdef-0123-456789abcdef", .uuid("01234567-89AB-CDEF-0123-456789ABCDEF"),
      "01234567-89ab-cdef-0123-456789abcdef"
    ),
    ("Theme", "dark", .enumCase("dark"), "dark"),
    ("Profile", "{swift: Profile.empty}", .swift(SwiftName("Profile.empty")), "{swift: Profile.empty}"),
    ("[Int]", "[1, 2]", .list([.integer("1"), .integer("2")]), "[1, 2]"),
    ("\"[Int]\"", "[]", .list([]), "[]"),
    ("Set<Theme>", "[light, dark]", .list([.enumCase("light"), .enumCase("dark")]), "[light, dark]"),
    (
      "[Theme: [String]]", "{light: [\"a\"], dark: []}",
      .map([
        .init(key: .enumCase("light"), value: .list([.string("a")])), .init(key: .enumCase("dark"), value: .list([])),
      ]),
      "{light: [\"a\"], dark: []}"
    ),
    ("\"[Int: Bool]\"", "{1: true}", .map([.init(key: .integer("1"), value: .bool(true))]), "{1: true}"),
    ("[Point]", "[{swift: Point.zero}]", .list([.swift(SwiftName("Point.zero"))]), "[{swift: Point.zero}]"),
  ])
  func defaultOfType(_ type: String, _ text: String, _ want: DefaultValue, _ written: String) throws {
    let key = try #require(
      resolve("  one:\n    type: \(type)\n    default: \(text)\n    description: The first value.\n").keys.first)
    #expect(key.defaultValue == want)
    #expect(key.descriptor.defaultValue == written)
  }

  @Test(arguments: [
    ("[String: Int]", "[String: Int]"), ("\"[String: Int]\"", "[String: Int]"), ("Set<UUID>", "Set<UUID>"),
    ("[[Theme: Profile]]", "[[Theme: Models.Profile]]"), ("Models.Other", "Models.Other"),
    ("[Level: Set<Point>]", "[Level: Set<Point>]"),
  ])
  func swiftText(_ type: String, _ want: String) throws {
    let key = try #require(resolve("  one: {type: \(type), description: The first value.}\n").keys.first)
    #expect(key.descriptor.valueType == want)
    #expect(key.type.swiftText == want)
  }

  @Test func types() throws {
    let catalog = try resolve("  {}\n")
    #expect(catalog.imports == ["Models"])
    try #require(catalog.types.count == 4)
    guard case .stringEnum(let cases) = catalog.types[0].form else { return unexpected("no enum") }
    #expect(cases.map(\.raw) == ["lt", "dk", "plain"])
    #expect(cases.map(\.description) == [nil, "Easy on the eyes.", "As it is."])
    guard case .intEnum(let levels) = catalog.types[1].form else { return unexpected("no enum") }
    #expect(levels.map(\.raw) == [-1, 9])
    guard case .structure(let fields) = catalog.types[2].form else { return unexpected("no struct") }
    #expect(fields.map(\.type) == [.scalar(.int), .optional(.scalar(.int)), .list(.declared("Point"))])
    #expect(fields.map(\.defaultValue) == [nil, .integer("3"), nil])
    #expect(catalog.types.map(\.line) == [6, 7, 8, 9])
  }

  @Test func typesAreVisibleInEveryCatalog() throws {
    let other = """
      localdata: 1
      catalog: Other
      defaults: {owner: Team, domain: keychain, security: keychain}
      keys:
        two: {type: "[Profile]", description: The second value.}
        three: {type: Theme, description: The third value., default: dark}
      """
    let run = try Run([
      SourceFile(path: "Other.yaml", bytes: Array(other.utf8)),
      SourceFile(path: "Test.yaml", bytes: Array((Self.head + "  {}\n").utf8)),
    ])
    #expect(run.errors == "")
    try #require(run.catalogs.count == 2)
    #expect(run.catalogs[0].imports == ["Models"])
    #expect(run.catalogs[0].keys.map(\.descriptor.valueType) == ["[Models.Profile]", "Theme"])
  }

  @Test func privacyAndDeprecation() throws {
    let key = try #require(
      resolve(
        """
          one:
            type: String
            description: The first value.
            privacy: {collected: true, linked: true, dataType: photosOrVideos, purposes: [analytics, appFunctionality]}
            deprecated: {reason: Use two., renamedTo: two}
          two: {type: String, description: The second value.}

        """
      ).keys.first)
    #expect(
      key.privacy
        == ResolvedPrivacy(
          isCollected: true, isLinked: true, dataType: .photosOrVideos, purposes: [.analytics, .appFunctionality]))
    #expect(key.privacy?.dataType?.manifestName == "NSPrivacyCollectedDataTypePhotosorVideos")
    #expect(key.privacy?.purposes.first?.manifestName == "NSPrivacyCollectedDataTypePurposeAnalytics")
    #expect(key.deprecation?.renamedTo == "two")
    #expect(key.descriptor.deprecation == "Use two.")
  }
}
