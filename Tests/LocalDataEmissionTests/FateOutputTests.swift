import LocalDataModel
import LocalDataSyntax
import Foundation
import LocalDataVocabulary
import Testing

@testable import LocalDataDocuments

/// The fates and the weaknesses in the documents of a catalog.
struct FateOutputTests {
  private struct Document: Decodable {
    struct Catalog: Decodable {
      var fates: [String: [String: Cell]]
      var fateRules: [[String: String]]
      var masvs: Answers?
      var keys: [Key]
    }
    struct Cell: Decodable { var outcome, rule, reason: String }
    struct Answers: Decodable { var answers: [String: [String: Answer]] }
    struct Answer: Decodable {
      var state: String
      var acceptedUntil: String?
      var allowed: String?
    }
    struct Key: Decodable {
      var member, fate: String
      var masvs: String?
    }
    var catalogs: [Catalog]
  }

  private func json(_ catalog: ResolvedCatalog) throws -> Document.Catalog {
    let bytes = AuditFormat.json.render([catalog])
    return try #require(try JSONDecoder().decode(Document.self, from: Data(bytes)).catalogs.first)
  }

  private let sealed = Samples.key("sealed", security: .recommended) { $0.sensitivity = .personal }
  private let plain = Samples.key("plain") { $0.sensitivity = .personal }

  @Test(arguments: [AuditFormat.markdown, .text, .html, .csv, .json])
  func anAuditNamesTheReviewOfAKey(_ format: AuditFormat) throws {
    let yaml = """
      localdata: 1
      catalog: Reviewed
      defaults: {owner: Team, domain: keychain, security: keychain}
      keys:
        code: {type: String, review: {by: privacy team, until: 2027-01-01}, description: The code of the door.}
      """
    let tree = try #require(CatalogReader.read(SourceFile(path: "Reviewed.yaml", bytes: Array(yaml.utf8))).0)
    let text = String(decoding: format.render(CatalogResolver.resolve([tree]).0), as: UTF8.self)
    #expect(text.contains("privacy team") && text.contains("2027-01-01"), "\(text)")
  }

  @Test func markdownGroupsTheAnswers() throws {
    let text = String(decoding: AuditFormat.markdown.render([Samples.catalog(keys: [sealed, plain])]), as: UTF8.self)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| MASWE-0001: ") }
    #expect(rows.count == 2)
    #expect(rows.first?.contains("| violated |") == true && rows.first?.hasSuffix("| plain |") == true, "\(rows)")
    #expect(rows.last?.contains("| met by the declaration |") == true, "\(rows)")
  }

  @Test func aKeyNamesItsFatesAndItsAnswers() throws {
    let found = try json(Samples.catalog(keys: [sealed, plain]))
    #expect(found.keys.map(\.fate) == ["userDefaults-sealed", "userDefaults"])
    #expect(found.fates["userDefaults-sealed"]?["iCloudRestore"]?.outcome == "cannotBeOpened")
    #expect(found.fates["userDefaults"]?["iCloudRestore"]?.outcome == "kept")
    let rules = Set(found.fates.values.flatMap(\.values).map(\.rule))
    #expect(Set(found.fateRules.compactMap { $0["id"] }) == rules)
    let name = try #require(found.keys.last?.masvs)
    #expect(found.masvs?.answers[name]?["MASWE-0001"]?.state == "violated")
  }

  @Test func anAllowedFindingIsInTheAnswersOfItsKeyAlone() throws {
    let start = SourceLocation(line: 1, column: 1)
    let place = SourcePlace(file: SourceFile(path: "a", bytes: []), range: SourceRange(start: start, end: start))
    var catalog = Samples.catalog(keys: [plain, Samples.key("other") { $0.sensitivity = .personal }])
    catalog.allowances = [
      Allowance(
        rule: "personal-data-in-plain-store", reason: "It is shown to all.", until: CalendarDate("2026-12-31"),
        key: "plain", place: place)
    ]
    let found = try json(catalog)
    let answers = try #require(found.masvs?.answers)
    let names = found.keys.compactMap(\.masvs)
    try #require(names.count == 2)
    #expect(answers[names[0]]?["MASWE-0001"]?.acceptedUntil == "2026-12-31")
    #expect(answers[names[0]]?["MASWE-0001"]?.allowed == "It is shown to all.")
    #expect(answers[names[1]]?["MASWE-0001"]?.state == "violated")
  }

  @Test func manyKeysShareTheirFates() {
    let keys = (0..<1_000).map { Samples.key("key\($0)", security: $0.isMultiple(of: 2) ? .none : .recommended) }
    #expect(CatalogFates(Samples.catalog(keys: keys)).profiles.map(\.name) == ["userDefaults", "userDefaults-sealed"])
  }

  @Test func equalFatesShareARowOfThePage() {
    let others = [Samples.key("other") { $0.sensitivity = .personal }, Samples.key("shown")]
    let catalog = Samples.catalog(keys: [sealed, plain] + others)
    let text = String(decoding: AuditFormat.html.render([catalog]), as: UTF8.self)
    let names = "#key-plain\">plain</a></li>\n<li><a href=\"#key-other\">other</a></li>\n</ul></th><td>personal</td>"
    #expect(text.contains(names), "\(text)")
    #expect(!text.contains("#key-shown\">shown</a></li>\n<li>"))
  }

  @Test func equalFatesShareARowOfTheTable() {
    let others = [Samples.key("other") { $0.sensitivity = .personal }, Samples.key("shown")]
    let catalog = Samples.catalog(keys: [sealed, plain] + others)
    let text = String(decoding: AuditFormat.markdown.render([catalog]), as: UTF8.self)
    #expect(text.contains("\n| Values | Sensitivity | Device locked | Relaunch |"))
    for row in ["sealed | personal", "plain, other | personal", "shown | internal"] {
      #expect(text.contains("\n| \(row) | kept | kept |"))
    }
    #expect(!text.contains("| Sign-out |") && text.contains("\n## Sign-out\n"))
    #expect(!text.contains("icloud-keychain"), "it lists a rule that no cell has")
  }
}
