import LocalDataModel
import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary
import Testing

@testable import LocalDataDocuments

/// The audit as one page: what it shows, and that no text of a catalog becomes markup.
struct AuditPageTests {
  private static func page(_ catalogs: [ResolvedCatalog], _ context: AuditContext = AuditContext()) -> String {
    String(decoding: AuditPage(catalogs, context).bytes, as: UTF8.self)
  }

  /// The tags of a page, without the style and the script.
  private static func tags(_ page: String) -> [Substring] {
    page.replacing(/<(style|script)>[\s\S]*?<\/(style|script)>/, with: "").matches(of: /<[^>]*>/).map(\.output)
  }

  @Test(arguments: Samples.hostile)
  func hostileTextChangesNoMarkup(_ text: String) {
    func catalog(_ text: String) -> ResolvedCatalog {
      let key = Samples.key("theme", name: text, description: text) { descriptor in
        (descriptor.owner, descriptor.defaultValue, descriptor.migration) = (text, text, text)
      }
      let type = ResolvedType(
        name: "Mode", description: text, line: 3,
        form: .structure([.init(name: "a", type: .scalar(.int), defaultValue: .string(text), description: text)]))
      let reserved = ResolvedReservedName(
        name: text, domain: .userDefaults(suite: text), deletesLeftovers: true, note: text)
      return Samples.catalog(types: [type], keys: [key], reserved: [reserved])
    }
    func context(_ text: String) -> AuditContext {
      var findings = UndatedFindings()
      findings.open = [Diagnostic(rule: "some-rule", text, at: nil, key: "theme")]
      findings.allowances = [
        .init(rule: "some-rule", reason: text, until: "2027-01-31", key: "theme", messages: [text])
      ]
      let change = AuditHistory.Change(
        subject: "key", kind: "renamed", name: text, oldName: text, classes: ["source"],
        facts: [.init(path: text, before: text, now: text, classes: [])])
      let history = AuditHistory(releases: ["1.0"], keys: [:], records: [:], changes: [change])
      return AuditContext(findings: findings, history: history)
    }
    let page = Self.page([catalog(text)], context(text))
    let plain = Self.page([catalog("A harmless text.")], context("A harmless text."))
    // Only the address of the owner differs.
    func normal(_ page: String) -> [String] {
      Self.tags(page).map { String($0).replacing(/owner-[^"]*/, with: "owner") }
    }
    #expect(normal(page) == normal(plain))
    #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x202A...0x202E).contains($0.value) })
  }

  @Test func theOrderOfCatalogsMakesNoDifference() {
    let catalogs = ["B", "A", "C"].map { Samples.catalog($0, keys: [Samples.key("of\($0)")]) }
    #expect(Self.page(catalogs) == Self.page(catalogs.reversed()))
  }

  /// Catalogs of several runs can have keys of one name.
  @Test func everyAddressIsThereOnce() {
    let catalogs = ["A", "B", "B"].map { name in
      Samples.catalog(
        name, types: [ResolvedType(name: "Mode", description: "", line: 1, form: .swift(SwiftName("Mode")))],
        keys: [Samples.key("theme"), Samples.key("size")])
    }
    let page = Self.page(catalogs)
    let addresses = page.matches(of: /id="([^"]*)"/).map { String($0.output.1) }
    #expect(Set(addresses).count == addresses.count)
    for address in ["key-theme", "key-theme.B", "key-theme.B.2", "key-size", "type-Mode"] {
      #expect(addresses.contains(address), "\(address)")
    }
    let links = page.matches(of: /href="#([^"]*)"/).map { String($0.output.1) }
    #expect(Set(links).subtracting(addresses) == [])
  }

  /// The pieces are put together in their order, however many there are.
  @Test func everyKeyHasItsRowAndItsSection() throws {
    let keys = (0..<5_200).map { Samples.key("key\($0)") }
    let page = Self.page([Samples.catalog("A", keys: keys), Samples.catalog("B", keys: [Samples.key("last")])])
    let fates = try #require(page.firstRange(of: "<section id=\"fates\""))
    let rows = page[..<fates.lowerBound].matches(of: /<th scope="row"><a href="#key-([A-Za-z0-9]*)">/)
      .map { String($0.output.1) }
    let sections = page.matches(of: /<section id="key-([A-Za-z0-9]*)"/).map { String($0.output.1) }
    let names = keys.map(\.descriptor.member) + ["last"]
    #expect(rows == names)
    #expect(sections == names)
    let table = try #require(page.firstRange(of: "<a href=\"#key-last\">"))
    let declarations = try #require(page.firstRange(of: "<section id=\"declarations\">"))
    let first = try #require(page.firstRange(of: "<section id=\"key-"))
    #expect(table.lowerBound < declarations.lowerBound && declarations.upperBound < first.lowerBound)
  }

  @Test func aRunWithoutKeysHasAPage() {
    let page = Self.page([Samples.catalog("Empty")])
    #expect(page.contains("<title>Audit of Empty</title>"))
    #expect(page.contains("No rule has a finding that is not accepted."))
    #expect(page.hasSuffix("</body>\n</html>\n"))
  }

  @Test func acceptedFindingsAreListedByTheirEnds() throws {
    var findings = UndatedFindings()
    findings.allowances = [(nil, "c"), ("2027-02-01", "b"), ("2026-12-31", "a")].map { until, key in
      .init(rule: "terse-description", reason: "Reason \(key).", until: until, key: key, messages: ["it is short"])
    }
    let page = Self.page(
      [Samples.catalog(keys: ["a", "b", "c"].map { Samples.key($0) })], AuditContext(findings: findings))
    let places = try ["Reason a.", "Reason b.", "Reason c."].map { reason in
      try #require(page.firstRange(of: "<td>\(reason)</td><td>it is short</td>")).lowerBound
    }
    #expect(places == places.sorted())
    #expect(
      page.contains(
        "<td><span data-accepted=\"1\"><strong>accepted</strong> until <time datetime=\"2026-12-31\">2026-12-31</time>"
          + "</span></td><td><a href=\"#key-a\">a</a></td><td>Tests</td>"))
    // The section of the key says so too.
    #expect(
      page.contains(
        "<li><span data-accepted=\"1\"><strong>accepted</strong> until <time datetime=\"2027-02-01\">2027-02-01</time>"
          + "</span>: Reason b. "))
  }

  /// The master key of encrypted fields stays behind on a new device, where the plain fields arrive.
  @Test func thePageHasTheFatesOfEncryptedFields() throws {
    let page = Self.page(
      try Manifests.catalogs(
        """
        localdata: 1
        catalog: Diary
        defaults: {owner: Team, database: diary}
        databases: {diary: {domain: {fileSystem: {directory: documents}}, description: The diary of the user.}}
        records:
          Day:
            description: A day of the diary.
            fields: {id: {type: Int, number: 1}, text: {type: String, number: 2, encrypted: true}}
          Tag:
            description: A word that groups days.
            fields: {id: {type: Int, number: 1}}
        """))
    func outcomes(_ name: String) -> [String]? {
      let names = "<li><a href=\"[^\"]*\">\(name)</a></li>(?:\\n<li>.*</li>)*\\n</ul>"
      return page.firstMatch(of: try! Regex("\(names)</th>(.*)</tr>")).map { row in
        String(row.output[1].substring ?? "").matches(of: /data-fate="([a-zA-Z]*)"/).map { String($0.output.1) }
      }
    }
    let position = try #require(StorageEvent.events(of: []).shown.firstIndex(of: .iCloudRestore))
    #expect(try #require(outcomes("Day")).count == StorageEvent.events(of: []).shown.count)
    #expect(try #require(outcomes("Day"))[position] == "kept")
    #expect(try #require(outcomes("Day, encrypted fields"))[position] == "cannotBeOpened")
    #expect(outcomes("Tag, encrypted fields") == nil)
  }

  @Test func releasesHaveTheKeysThatTheyHadFirst() {
    let history = AuditHistory(
      releases: ["1.0", "1.2"], keys: ["a": 0, "b": 1], records: [:],
      changes: [
        .init(subject: "key", kind: "added", name: "c", oldName: nil, classes: ["privacy"], facts: []),
        .init(
          subject: "key", kind: "renamed", name: "b", oldName: "old", classes: ["source"],
          facts: [.init(path: "member", before: "old", now: "b", classes: ["source"])]),
      ])
    let page = Self.page(
      [Samples.catalog(keys: ["a", "b", "c"].map { Samples.key($0) })], AuditContext(history: history))
    #expect(page.contains("<dt>First in</dt><dd><a href=\"#release-1-2e2\">1.2</a></dd>"))
    #expect(page.contains("<dt>First in</dt><dd>not released yet</dd>"))
    #expect(page.contains("<strong>First in 1.0</strong> 1 declaration: internal 1"))
    #expect(page.contains("<h3>Since release 1.2</h3>"))
    #expect(
      page.contains(
        "<td>renamed</td><td>key</td><td><a href=\"#key-b\">b</a>, was old</td><td>member</td><td>old</td><td>b</td>"))
    #expect(page.contains("<td>added</td><td>key</td><td><a href=\"#key-c\">c</a></td><td></td><td></td><td></td>"))
  }

  @Test func anEntryWithoutAFindingAcceptsNothing() throws {
    var findings = UndatedFindings()
    findings.allowances = [
      .init(rule: "stale-rule", reason: "It was needed.", until: nil, key: "a", messages: []),
      .init(rule: "released-name", reason: "It is new.", until: nil, key: "b", messages: [], isUnchecked: true),
      .init(rule: "terse-description", reason: "Its name says it.", until: nil, key: "c", messages: ["it is short"]),
    ]
    let page = Self.page(
      [Samples.catalog(keys: ["a", "b", "c"].map { Samples.key($0) })], AuditContext(findings: findings))
    #expect(page.contains(">1 accepted finding</span>"))
    let accepted = try #require(page.firstMatch(of: /<table id="accepted">(?s:.*?)<\/table>/)).output
    #expect(accepted.contains("Its name says it.") && !accepted.contains("It was needed."))
    func table(_ title: String) throws -> Substring {
      let start = try #require(page.firstRange(of: "<caption>Entries of allow \(title)</caption>"))
      return page[start.upperBound...].split(separator: "</table>", maxSplits: 1)[0]
    }
    let stale = try table("without a finding")
    #expect(stale.contains("It was needed.") && !stale.contains("It is new."))
    #expect(try table("for rules that were not checked").contains("It is new."))
    // In the list, in the table of keys, and in the section of the key.
    #expect(page.ranges(of: "<strong>accepted</strong>").count == 3)
  }

  @Test func databasesHaveOwnersToo() {
    let catalogs = RecordSamples.packageRecords
    let page = Self.page(catalogs)
    for database in catalogs.flatMap(\.databases) {
      let link = "<a href=\"#database-\(database.member)\">\(database.member)</a>"
      #expect(page.contains("<li>\(link)</li>"), "the list of owners")
      #expect(page.contains("<th scope=\"row\">\(link)<small> database</small></th>"), "the table")
    }
  }
}
