import Foundation
import Testing

/// The folders of the runtime are layers: each uses only those before it.
struct LayerTests {
  /// From the lowest to the highest. The first is the target's own folder, with the public nouns.
  static let layers = [
    "", "Support", "POSIX", "SQLite", "Layout", "Envelope", "Stores", "Stores/Files", "Stores/Keychain",
    "Stores/Preferences", "Encryption", "Records", "Values", "Migration", "Sync", "Router", "MigrationTypes",
    "Maintenance",
  ]

  /// The most functions of a type.
  static let mostFunctions = 40

  /// A reference of a lower folder to a type of a higher one.
  private struct Violation: Hashable, CustomStringConvertible {
    let file: String
    let line: Int
    let type: String
    let folders: [String]

    var description: String {
      let names = folders.map { $0.isEmpty ? "the target's own folder" : $0 }
      return "\(file):\(line): '\(type)' of \(names[1]) is used in \(names[0]), which is a lower layer"
    }
  }

  private static func violations(_ files: [(file: SwiftFile, types: SwiftTypes)]) -> [Violation] {
    var folders: [String: Set<String>] = [:]
    for (file, types) in files { for type in types.visible { folders[type, default: []].insert(file.folder) } }
    return files.flatMap { file, types in
      types.mentions.filter { !types.all.contains($0.name) }.flatMap { mention in
        (folders[mention.name] ?? []).sorted().compactMap { folder in
          isLower(file.folder, than: folder)
            ? Violation(file: file.name, line: mention.line, type: mention.name, folders: [file.folder, folder]) : nil
        }
      }
    }
  }

  private static func isLower(_ folder: String, than other: String) -> Bool {
    guard let one = layers.firstIndex(of: folder), let two = layers.firstIndex(of: other) else { return false }
    return one < two
  }

  private static func runtime() throws -> [(file: SwiftFile, types: SwiftTypes)] {
    try SwiftFile.all(in: "LocalData").map { ($0, SwiftTypes($0.lines.joined(separator: "\n"))) }
  }

  @Test func everyFolderIsALayer() throws {
    let folders = Set(try SwiftFile.all(in: "LocalData").map(\.folder))
    #expect(folders.subtracting(Self.layers) == [], "they are not in the list of layers")
    #expect(Set(Self.layers).subtracting(folders) == [], "they have no files")
  }

  @Test func noFolderUsesAHigherOne() throws {
    for violation in Self.violations(try Self.runtime()) { Issue.record("\(violation)") }
  }

  @Test func noTypeHasTooManyFunctions() throws {
    var functions: [String: Int] = [:]
    for (_, types) in try Self.runtime() { functions.merge(types.functions, uniquingKeysWith: +) }
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
