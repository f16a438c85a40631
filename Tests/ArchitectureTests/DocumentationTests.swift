import Foundation
import Testing

/// Tests that links of the documentation lead somewhere, and that the page on the architecture describes today's sources.
struct DocumentationTests {
  /// The README and the pages of the catalogs. `Tests/Consumers/check-documentation` checks the links to symbols.
  static let pages = [
    "README.md", "Sources/LocalData/LocalData.docc", "Sources/LocalDataRecords/LocalDataRecords.docc",
    "Sources/LocalDataImport/LocalDataImport.docc", "Sources/LocalDataBackup/LocalDataBackup.docc",
  ]
  .flatMap { path in
    let folder = SwiftFile.package.appendingPathComponent(path).path
    guard !path.hasSuffix(".md") else { return [path] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(path)/\($0)" }
  }

  private static let architecture = "Sources/LocalData/LocalData.docc/Architecture.md"

  @Test func thereArePages() {
    #expect(Self.pages.count > 15)
    #expect(Self.pages.contains(Self.architecture))
  }

  /// Links between files, with the headings that GitHub finds; and links to articles.
  @Test(arguments: pages) func linksLeadSomewhere(page: String) throws {
    let text = try Self.prose(of: page)
    let folder = SwiftFile.package.appendingPathComponent(page).deletingLastPathComponent()
    let targets = text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    let articles = text.matches(of: /<doc:([\w-]+)[#>]/).map { "doc:\($0.1)" }
    for target in targets + articles where !target.hasPrefix("https://") {
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts[0].hasPrefix("doc:") {
        // Headings of articles are checked by docc.
        let article = folder.appendingPathComponent("\(parts[0].dropFirst(4)).md")
        #expect(FileManager.default.fileExists(atPath: article.path), "\(page): \(target)")
        continue
      }
      let file = parts[0].isEmpty ? page : folder.appendingPathComponent(parts[0]).standardizedFileURL.path
      let path = parts[0].isEmpty ? SwiftFile.package.appendingPathComponent(page).path : file
      #expect(FileManager.default.fileExists(atPath: path), "\(page): \(target)")
      if parts.count == 2 {
        #expect(try Self.anchors(of: path).contains(parts[1]), "\(page): \(target)")
      }
    }
  }

  @Test func theArchitectureNamesFilesThatExist() throws {
    let names = try Self.prose(of: Self.architecture).matches(of: /`([\w.+-]+(?:\/[\w.+-]+)+)(?: [^`]*)?`/)
      .map { String($0.1) }.filter { !$0.hasPrefix("Catalogs/") && !$0.hasPrefix("Generated/") }
    #expect(names.count > 60)
    for name in names {
      let isBesideSources = name.hasPrefix("Tests/") || name.hasPrefix(".")
      let file = SwiftFile.package.appendingPathComponent(isBesideSources ? name : "Sources/\(name)")
      #expect(FileManager.default.fileExists(atPath: file.path), "\(name)")
    }
  }

  /// Every target is listed, with its size. A size may differ by a fifth, so that it is changed rarely.
  @Test func theArchitectureListsTheTargetsAndTheirSizes() throws {
    let rows = try Self.prose(of: Self.architecture).matches(of: /\n`([\w-]+)` \| ([\d,]+) \|/)
    let listed = Dictionary(
      uniqueKeysWithValues: rows.map { (String($0.1), Int($0.2.replacing(",", with: "")) ?? 0) })
    let sources = SwiftFile.package.appendingPathComponent("Sources").path
    let samples = ["ExampleModels", "storage-sample", "wallet-sample"]
    for target in try FileManager.default.contentsOfDirectory(atPath: sources) where !samples.contains(target) {
      let lines = try SwiftFile.all(in: target).flatMap(\.lines).map(Self.values(of:)).reduce(0, +)
      guard lines > 0 else { continue }
      let size = try #require(listed[target], "\(target) is not listed")
      #expect(abs(size - lines) <= 50 + lines / 5, "\(target) has \(lines) lines")
    }
  }

  @Test(arguments: [
    ("  // (a, b) = (1, 2)", 0), ("", 0), ("  let a = b", 1), ("  (self.a, self.b) = (a, b)", 2),
    ("    let (a, b, c) = (1, 2, 3)", 3), ("  let (a, b) = pair()", 1),
  ])
  func assignedValuesAreCounted(line: String, count: Int) { #expect(Self.values(of: line[...]) == count) }

  /// Returns how many lines of code a line counts as. One that assigns several values counts once for each.
  private static func values(of line: Substring) -> Int {
    let code = line.drop { $0 == " " }
    guard !code.isEmpty, !code.hasPrefix("//") else { return 0 }
    guard code.utf8.contains(UInt8(ascii: "(")),
      code.hasPrefix("(") || code.hasPrefix("let (") || code.hasPrefix("var ("),
      let assignment = code.prefixMatch(of: /(?:(?:let|var) )?\(([^()=]*)\) = \(/)
    else { return 1 }
    return assignment.1.count { $0 == "," } + 1
  }

  // MARK: Markdown

  /// The lines of a page that are not code.
  private static func prose(of page: String) throws -> String {
    let text = try String(contentsOf: SwiftFile.package.appendingPathComponent(page), encoding: .utf8)
    var isCode = false
    return text.components(separatedBy: "\n").filter { line in
      guard line.drop(while: { $0 == " " }).hasPrefix("```") else { return !isCode }
      isCode.toggle()
      return false
    }
    .joined(separator: "\n")
  }

  /// The names by which GitHub links to the headings of a file.
  private static func anchors(of path: String) throws -> Set<String> {
    let page = path.hasPrefix(SwiftFile.package.path) ? String(path.dropFirst(SwiftFile.package.path.count)) : path
    var anchors: Set<String> = []
    for line in try prose(of: page).split(separator: "\n") where line.hasPrefix("#") {
      let title = line.drop { $0 == "#" }.lowercased().trimmingCharacters(in: .whitespaces)
      let name = title.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
      // A heading that occurs again gets a number.
      let names = CollectionOfOne(name) + (1...9).map { "\(name)-\($0)" }
      if let free = names.first(where: { !anchors.contains($0) }) { anchors.insert(free) }
    }
    return anchors
  }
}
