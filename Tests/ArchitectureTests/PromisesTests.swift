import Foundation
import Testing

/// The pages of promises name tests and scripts that exist. If one of them is renamed or removed, its promise has no test.
struct PromisesTests {
  /// An entry of a list.
  private struct Promise {
    let text: String
    /// The names of tests, for example `PromptGetTests/afterLockAValueIsReadInTurn`.
    let tests: [String]
    /// Scripts and checks, with the text that a check contains.
    let files: [(path: String, text: String?)]
  }

  private let promises: [Promise]
  private let gaps: String

  init() throws {
    let pages = try ["Promises", "ProtectionPromises"].map {
      try Self.text("Sources/LocalData/LocalData.docc/\($0).md").components(separatedBy: "\n## Not held by a test\n")
    }
    gaps = try #require(pages[0].dropFirst().first)
    promises = try pages.flatMap { $0[0].split(separator: "\n") }.filter { $0.hasPrefix("- ") }.map { entry in
      let names = entry.matches(of: /`(?!Tests\/)([\w.]+\/\w+)`/)
      let files = entry.matches(of: /`(Tests\/[^`]+)`(?: "([^"]+)")?/)
      let first = try #require((names.map(\.range) + files.map(\.range)).map(\.lowerBound).min(), "\(entry)")
      return Promise(
        text: String(entry[..<first]), tests: names.map { String($0.1) },
        files: files.map { (String($0.1), $0.2.map(String.init)) })
    }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: SwiftFile.package.appendingPathComponent(path), encoding: .utf8)
  }

  /// An entry in another form would not be read, so the numbers are checked.
  @Test func thePagesAreReadCompletely() {
    #expect(promises.count >= 191)
    #expect(promises.map(\.tests.count).reduce(0, +) >= 398)
    #expect(promises.map(\.files.count).reduce(0, +) >= 16)
    #expect(Set(promises.map(\.text)).count == promises.count)
    #expect(gaps.contains("\n- "))
  }

  @Test func eachNamedTestExists() throws {
    let targets = try TestIndex().targets
    try #require(targets.count >= 2_000)
    for promise in promises {
      for test in promise.tests {
        let parts = test.split(separator: ".")
        let found = targets[String(parts.last ?? "")] ?? []
        if parts.count == 2 {
          #expect(found.contains(String(parts[0])), "there is no test '\(test)'")
        } else {
          #expect(found.count == 1, "'\(test)' is a test of \(found.count) targets: \(found.sorted())")
        }
      }
    }
  }

  @Test func eachNamedScriptAndCheckExists() throws {
    for file in promises.flatMap(\.files) {
      let content = try? Self.text(file.path)
      #expect(content != nil, "there is no file '\(file.path)'")
      if let text = file.text, let content { #expect(content.contains("\"\(text)"), "\(file.path) has no '\(text)'") }
    }
  }

  @Test(
    arguments: [
      ("@Suite struct ATests {\n  @Test func a() {}\n}", ["ATests/a"]),
      (
        "struct ATests {\n  @Test(arguments: [\n    1\n  ])\n  private func a(_ b: Int) {}\n  func help() {}\n}",
        ["ATests/a"]
      ),
      ("extension Outer {\n  @Suite(\"A text\") struct ATests {\n    @Test func a() {}\n  }\n}", ["ATests/a"]),
      (
        "struct ATests {\n  struct Case {\n  }\n  @Test func a() {}\n}\nstruct BTests {\n  @Test func b() {}\n}",
        ["ATests/a", "BTests/b"]
      ),
      ("struct ATests {\n  // @Test func a() {}\n  func b() {}\n}", []),
    ] as [(String, Set<String>)])
  func testsAreFoundInSources(_ text: String, _ names: Set<String>) {
    #expect(TestIndex.names(in: text.split(separator: "\n", omittingEmptySubsequences: false)) == names)
  }
}

/// The tests of the package, by the form of their sources.
private struct TestIndex {
  /// The test targets that have a test, by the names of its suite and function.
  private(set) var targets: [String: Set<String>] = [:]

  init() throws {
    for file in try SwiftFile.all(in: "", below: "Tests") where !file.folder.contains("Cases") {
      let target = String(file.folder.prefix { $0 != "/" })
      guard target.hasSuffix("Tests") else { continue }
      for name in Self.names(in: file.lines) { targets[name, default: []].insert(target) }
    }
  }

  private static let types: Set<Substring> = ["struct", "class", "enum", "extension", "actor"]

  /// Returns the names of the tests in a source. The indentation shows which type a function belongs to.
  static func names(in lines: [Substring]) -> Set<String> {
    var names: Set<String> = []
    var types: [(indentation: Int, name: Substring)] = []
    var isTest = false
    for line in lines {
      let indentation = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
      let code = line.utf8.dropFirst(indentation)
      guard let first = code.first, first != UInt8(ascii: "/") else { continue }
      if first == UInt8(ascii: "}") { types.removeAll { $0.indentation >= indentation } }
      if code.starts(with: "@Test".utf8) { isTest = true }
      let words = Substring(code).split(separator: " ")
      if let keyword = words.dropLast().firstIndex(where: Self.types.contains) {
        types.removeAll { $0.indentation >= indentation }
        types.append((indentation, identifier(words[keyword + 1])))
      }
      guard isTest, let keyword = words.dropLast().firstIndex(of: "func") else { continue }
      isTest = false
      if let type = types.last(where: { $0.indentation < indentation }) {
        names.insert("\(type.name)/\(identifier(words[keyword + 1]))")
      }
    }
    return names
  }

  private static func identifier(_ word: Substring) -> Substring {
    word.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
