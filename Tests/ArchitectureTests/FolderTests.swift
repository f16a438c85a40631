import Testing

/// The folders of a target have one order: each uses only those before it. A folder that is used by what it uses is no layer.
struct FolderTests {
  @Test func foldersHaveOneOrder() throws {
    let targets = Dictionary(grouping: try SwiftFile.all(in: "")) { $0.folder.prefix { $0 != "/" } }
    let circles = targets.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.circle(in: $0.value))" }
    #expect(circles.filter { !$0.hasSuffix(": []") } == [])
  }

  /// Each file of the core is in one of the folders.
  @Test func coreHasNoLooseFiles() throws {
    let folders = try SwiftFile.all(in: "LocalData").map(\.folder)
    try #require(folders.count > 100)
    #expect(folders.filter(\.isEmpty) == [])
  }

  @Test(
    arguments: [
      ("struct A {\n  var b: B\n}", "struct B {}", []),
      ("struct A {\n  var b: B\n}", "package struct B {\n  let a = A()\n}", ["One", "Two"]),
      ("struct A {\n  // B\n  let text = \"B\"\n}", "struct B {\n  let a = A()\n}", []),
      ("struct A {\n  let b = Other.B()\n}", "struct B {\n  let a = A()\n}", []),
      ("struct A {\n  struct B {}\n  let b = B()\n}", "struct B {\n  let a = A()\n}", []),
      ("#if os(Linux)\n  struct A {\n    let b: B\n  }\n#endif", "struct B {\n  let a = A()\n}", ["One", "Two"]),
      ("#if DEBUG\n#endif\nstruct A {\n  struct B {}\n  let b = B()\n}", "struct B {\n  let a = A()\n}", []),
    ] as [(String, String, [String])])
  func circlesAreFound(one: String, two: String, circle: [String]) {
    #expect(Self.circle(in: Self.files(["One": one, "Two": two])) == circle)
  }

  @Test func longCirclesAreFound() {
    let files = Self.files([
      "One": "struct A {\n  var b: B\n}", "Two": "struct B {\n  var c: C\n}", "Three": "struct C {\n  var a: A\n}",
      "Above": "struct D {\n  var a: A\n}",
    ])
    #expect(Self.circle(in: files) == ["One", "Three", "Two"])
  }

  private static func files(_ texts: [String: String]) -> [SwiftFile] {
    texts.map { folder, text in
      SwiftFile(
        name: "\(folder).swift", folder: "Target/\(folder)",
        lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  /// Returns the folders of a target that use each other, also through further ones. Files outside of all folders are not counted.
  private static func circle(in files: [SwiftFile]) -> [String] {
    let files = files.compactMap { file in
      file.folder.split(separator: "/").dropFirst().first.map { (folder: String($0), file: file) }
    }
    var homes: [Substring: Set<String>] = [:]
    for (folder, file) in files {
      for type in file.outerTypes { homes[type, default: []].insert(folder) }
    }
    var uses: [String: Set<String>] = [:]
    for (folder, file) in files {
      for word in file.unqualifiedWords.subtracting(file.innerTypes) {
        guard let home = homes[word], !home.contains(folder) else { continue }
        uses[folder, default: []].formUnion(home)
      }
    }
    var users: [String: Set<String>] = [:]
    for (folder, used) in uses {
      for other in used { users[other, default: []].insert(folder) }
    }
    return remainder(of: remainder(of: Set(files.map(\.folder)), uses), users).sorted()
  }

  /// Returns the folders that are left when those with no way to another one are taken away, again and again.
  private static func remainder(of folders: Set<String>, _ ways: [String: Set<String>]) -> Set<String> {
    let left = folders.filter { ways[$0].map { !$0.isDisjoint(with: folders) } ?? false }
    return left.count == folders.count ? left : remainder(of: left, ways)
  }
}

extension SwiftFile {
  /// The names of all types that the file declares.
  var typeNames: [Substring] { types.map(\.name) }

  /// The names of the types that the file declares, with whether other types contain them. What is in a condition has a
  /// further indentation.
  private var types: [(name: Substring, isInner: Bool)] {
    var conditions = 0
    return lines.compactMap { line in
      if line.utf8.contains(UInt8(ascii: "#")) {
        let code = line.drop { $0 == " " }
        if code.hasPrefix("#endif") { conditions -= 1 }
        if code.hasPrefix("#if ") { conditions += 1 }
      }
      guard Self.typeWords.contains(where: { line.contains($0) }) else { return nil }
      return line.firstMatch(of: /^( *)(?:[@a-z]\S* )*?(?:struct|enum|class|actor|protocol|typealias) (\w+)/)
        .map { ($0.2, $0.1.count > 2 * conditions) }
    }
  }

  private static let typeWords = ["struct ", "enum ", "class ", "actor ", "protocol ", "typealias "]

  /// The types that the file declares outside of all others, and that other files can use.
  fileprivate var outerTypes: [Substring] { types.filter { !$0.isInner }.map(\.name) }

  /// The types that the file declares in others.
  fileprivate var innerTypes: Set<Substring> { Set(types.filter(\.isInner).map(\.name)) }

  /// The words outside of comments and texts that no point precedes.
  fileprivate var unqualifiedWords: Set<Substring> {
    var words: Set<Substring> = []
    for line in lines {
      let code = line.utf8.drop { $0 == UInt8(ascii: " ") }
      guard !code.starts(with: "//".utf8) else { continue }
      // A text can contain an expression, and few do that name a type.
      let parts = code.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() where index.isMultiple(of: 2) {
        for path in part.split(whereSeparator: { !$0.isPartOfPath }) {
          let end = path.firstIndex(of: UInt8(ascii: ".")) ?? path.endIndex
          if end > path.startIndex { words.insert(Substring(path[..<end])) }
        }
      }
    }
    return words
  }
}

extension UInt8 {
  /// Returns true for the bytes of names, and for the point between them.
  fileprivate var isPartOfPath: Bool {
    let letter = self | 0x20
    return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
      || self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9")
      || self == UInt8(ascii: "_") || self == UInt8(ascii: ".") || self >= 0x80
  }
}
