import Foundation
import Testing

/// The folders of the runtime are layers: each uses only those before it.
struct LayerTests {
  /// From the lowest to the highest. The first is the target's own folder, with the public nouns.
  static let layers = [
    "", "Support", "POSIX", "SQLite", "Layout", "Envelope", "Stores", "Stores/Files", "Stores/Keychain",
    "Stores/Preferences", "Encryption", "Records", "Values", "Migration", "Sync", "Router", "MigrationTypes",
  ]

  /// The most functions of a type.
  static let mostFunctions = 40

  /// Members of the standard library that extensions of the runtime declare too.
  static let foreignMembers: Set<String> = ["removeAll"]

  /// A reference of a lower folder to a type of a higher one, or to a member of an extension in a higher one.
  private struct Violation: Hashable, CustomStringConvertible {
    let file: String
    let line: Int
    let name: String
    let folders: [String]

    var description: String {
      let names = folders.map { $0.isEmpty ? "the target's own folder" : $0 }
      return "\(file):\(line): '\(name)' of \(names[1]) is used in \(names[0]), which is a lower layer"
    }
  }

  private static func violations(_ files: [(file: SwiftFile, types: SwiftTypes)]) -> [Violation] {
    var folders: [String: Set<String>] = [:]
    for (file, types) in files { for type in types.visible { folders[type, default: []].insert(file.folder) } }
    return files.flatMap { file, types in
      types.mentions.filter { !types.all.contains($0.name) }.flatMap { mention in
        (folders[mention.name] ?? []).sorted().compactMap { folder in
          isLower(file.folder, than: folder)
            ? Violation(file: file.name, line: mention.line, name: mention.name, folders: [file.folder, folder]) : nil
        }
      }
    }
  }

  /// Finds the uses of members of extensions by their names alone: a use is a violation if every file that contains the name
  /// as a declaration, a parameter or a label is in a higher folder.
  private static func memberViolations(_ files: [(file: SwiftFile, types: SwiftTypes)]) -> [Violation] {
    let members = Set(files.flatMap { $0.types.extensionMembers })
    var folders: [String: Set<String>] = [:]
    for (file, types) in files {
      for name in types.names.intersection(members) { folders[name, default: []].insert(file.folder) }
    }
    return files.flatMap { file, types in
      types.uses.compactMap { use in
        guard let others = folders[use.name], others.allSatisfy({ isLower(file.folder, than: $0) }),
          let lowest = layers.first(where: others.contains)
        else { return nil }
        return Violation(file: file.name, line: use.line, name: use.name, folders: [file.folder, lowest])
      }
    }
  }

  private static func isLower(_ folder: String, than other: String) -> Bool {
    guard let one = layers.firstIndex(of: folder), let two = layers.firstIndex(of: other) else { return false }
    return one < two
  }

  private static func runtime(_ folder: String = "LocalData") throws -> [(file: SwiftFile, types: SwiftTypes)] {
    try SwiftFile.all(in: folder).map { ($0, SwiftTypes($0.lines.joined(separator: "\n"))) }
  }

  @Test func everyFolderIsALayer() throws {
    let folders = Set(try SwiftFile.all(in: "LocalData").map(\.folder))
    #expect(folders.subtracting(Self.layers) == [], "they are not in the list of layers")
    #expect(Set(Self.layers).subtracting(folders) == [], "they have no files")
  }

  @Test func noFolderUsesAHigherOne() throws {
    for violation in Self.violations(try Self.runtime()) { Issue.record("\(violation)") }
  }

  @Test func noFolderUsesAMemberOfAHigherOne() throws {
    let vocabulary = try Self.runtime("StorageVocabulary").map { (SwiftFile(name: $0.file.name, lines: []), $0.types) }
    let found = Self.memberViolations(vocabulary + (try Self.runtime()))
    for violation in found where !Self.foreignMembers.contains(violation.name) { Issue.record("\(violation)") }
    #expect(Self.foreignMembers.subtracting(found.map(\.name)) == [], "they are no exceptions any more")
  }

  @Test func noTypeHasTooManyFunctions() throws {
    var functions: [String: Int] = [:]
    for (_, types) in try Self.runtime() + Self.runtime("LocalDataMaintenance") {
      functions.merge(types.functions, uniquingKeysWith: +)
    }
    let largest = functions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    try #require(largest.count > 100)
    print("the largest types: " + largest.prefix(5).map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    for (type, count) in largest {
      #expect(count <= Self.mostFunctions, "'\(type)' has \(count) functions")
    }
  }

  /// Each text is in a file of a lower folder. The type `Higher` is declared in a higher one.
  @Test(arguments: [
    ("let a: Higher", 1), ("extension Higher {}", 1), ("func f(_: [Higher.Nested]) {}", 1), ("let a = Higher()", 1),
    (#"let a = "\(Higher.a) and \(f(b, Higher()))""#, 2),
    ("struct A {\n  private struct Higher {}\n}\nlet a: Higher", 0),
    ("// Higher", 0), ("/* a /* Higher */ Higher */ let a = 1", 0), (#"let a = "Higher""#, 0),
    ("let a = \"\"\"\n  Higher \"quoted\" Higher\n  \"\"\"", 0), (##"let a = #"\(Higher) " Higher"#"##, 0),
    ("let a: Other.Higher", 0), ("let a: Highest", 0),
    (#"let a = "\"" + "Higher""#, 0), ("/// ``Higher``\nlet a: Int\nlet b: Higher?", 1),
  ])
  func referencesAreFound(text: String, count: Int) throws {
    let lower = SwiftFile(name: "Lower.swift", folder: "Support", lines: [])
    let higher = SwiftFile(name: "Higher.swift", folder: "Router", lines: [])
    let found = Self.violations([
      (lower, SwiftTypes(text)), (higher, SwiftTypes("struct Higher {\n  struct Nested {}\n}")),
    ])
    #expect(found.count == count, "\(found)")
    // The other way round nothing is wrong.
    #expect(
      Self.violations([(higher, SwiftTypes(text)), (lower, SwiftTypes("struct Higher {}"))]).isEmpty)
  }

  /// Each text is in a file of a lower folder. The members `higher` and `both` are declared in an extension in a higher one.
  @Test(arguments: [
    ("let a = b.higher", 1), ("let a = higher()", 1), (#"let a = "\(b.higher)""#, 1), ("let a = B(c: .higher)", 1),
    ("let a = b.hidden", 0), ("let a = b.nested", 0), ("let a = b.one", 0), ("let a = b.both", 0),
    ("let a = higher", 0), ("// b.higher", 0), ("func higher() {}\nlet a = b.higher", 0),
    ("enum A {\n  case one, higher\n}\nlet a = A.higher", 0), ("func a(higher: Int) {}\nlet a = b.higher", 0),
  ])
  func usesOfMembersAreFound(text: String, count: Int) throws {
    let lower = SwiftFile(name: "Lower.swift", folder: "Support", lines: [])
    let higher = SwiftFile(name: "Higher.swift", folder: "Router", lines: [])
    let members = SwiftTypes(
      """
      extension Lower {
        var higher: Int { 1 }
        static func both() { let nested = 1 }
        private var hidden: Int { 1 }
        static func == (one: Lower, other: Lower) -> Bool { true }
      }
      """)
    #expect(members.extensionMembers == ["higher", "both"])
    let found = Self.memberViolations([
      (lower, SwiftTypes(text)), (lower, SwiftTypes("struct Lower {\n  let both = 1\n}")), (higher, members),
    ])
    #expect(found.count == count, "\(found)")
    #expect(Self.memberViolations([(higher, SwiftTypes(text)), (lower, members)]).isEmpty)
  }

  @Test func aReferenceIsNamedWithItsPlace() throws {
    let lower = SwiftFile(name: "Lower.swift", folder: "", lines: [])
    let higher = SwiftFile(name: "Higher.swift", folder: "Values", lines: [])
    let found = Self.violations([
      (lower, SwiftTypes("\n\nlet a: Higher")),
      (higher, SwiftTypes("package struct Higher {}\nfileprivate struct Hidden {}")),
      (lower, SwiftTypes("let a: Hidden")),
    ])
    #expect(
      found.map(\.description)
        == ["Lower.swift:3: 'Higher' of Values is used in the target's own folder, which is a lower layer"])
  }

  @Test func functionsAreCountedByType() {
    let types = SwiftTypes(
      """
      actor A<B> {
        func a() { func inner() {} }
        private static func b() { if c { d { } } }
        struct Nested { func a() {} }
      }
      extension A where B: C {
        func c() {}
      }
      extension A.Nested: D {
        func b() {}
      }
      func free() {}
      """)
    #expect(types.functions == ["A": 3, "A.Nested": 2])
    #expect(types.visible == ["A"])
  }
}
