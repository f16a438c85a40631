/// A rule that a catalog can break, with everything that a reader of its findings may ask for.
package struct Rule: Sendable {
  /// The stable name, in lower-case words joined by `-`.
  package let id: String
  package let category: Category
  /// The severity of a finding, unless the check reports another or the user sets one.
  package let severity: Diagnostic.Severity
  /// The demand of the rule, in one sentence.
  package let purpose: String
  /// The reason for the rule: what goes wrong if it is broken.
  package let why: String
  /// A catalog that breaks this rule and no other. `nil` if the rule does not depend on what a catalog says.
  package let bad: Example?
  /// A catalog without findings that says the same in a correct way.
  package let good: Example
  /// A Boolean value that indicates whether a finding may be turned into a warning or allowed. An error that leaves the
  /// catalog without a meaning, or whose output would not compile or would lose data, may not.
  package let isAllowable: Bool
  /// A Boolean value that indicates whether each finding is about a declaration, which can accept it with `allow`.
  package let isOfDeclaration: Bool

  /// - Parameters:
  ///   - isAllowable: True for warnings and false for errors, unless the rule says otherwise.
  ///   - isOfDeclaration: False if findings are about other files, about a run as a whole, or about `allow` itself.
  package init(
    _ id: String, _ category: Category, _ severity: Diagnostic.Severity, _ purpose: String, why: String,
    bad: Example?, good: Example, isAllowable: Bool? = nil, isOfDeclaration: Bool = true
  ) {
    self.id = id
    self.category = category
    self.severity = severity
    self.purpose = purpose
    self.why = why
    self.bad = bad
    self.good = good
    self.isAllowable = isAllowable ?? (severity == .warning)
    self.isOfDeclaration = isOfDeclaration
  }

  /// A rule whose findings are errors.
  package init(
    _ id: String, _ category: Category, _ purpose: String, why: String, bad: Example?, good: Example,
    isAllowable: Bool = false
  ) {
    self.init(id, category, .error, purpose, why: why, bad: bad, good: good, isAllowable: isAllowable)
  }
}

extension Rule {
  /// The subject of a rule, in the order in which rules are listed.
  package enum Category: String, Sendable, CaseIterable {
    case file, document, names, values, types, combinations, places, migrations, records, releases, protection, clarity,
      project, appStore

    /// The heading of the category in a list of rules.
    package var title: String {
      switch self {
      case .file: "The file"
      case .document: "The document"
      case .names: "Names in Swift"
      case .values: "Values of fields"
      case .types: "Types and defaults"
      case .combinations: "Fields that do not fit together"
      case .places: "Stored names and places"
      case .migrations: "Migrations"
      case .records: "Databases and records"
      case .releases: "Releases"
      case .protection: "Protection of values"
      case .clarity: "Clarity"
      case .project: "The project file"
      case .appStore: "The App Store"
      }
    }
  }
}

extension Rule {
  /// One or more catalogs. The example shows what matters, and completes it to whole files.
  package struct Example: Sendable {
    /// The text that explains the rule to a reader.
    package let shown: String
    private let files: @Sendable () -> [SourceFile]

    private init(_ shown: String, _ files: @escaping @Sendable () -> [SourceFile]) {
      self.shown = shown
      self.files = files
    }

    /// The complete files.
    package var sources: [SourceFile] { files() }

    /// A complete file.
    package static func file(_ text: String, path: String = "Example.yaml") -> Example {
      Example(text) { [SourceFile(path: path, bytes: Array(text.utf8))] }
    }

    /// Creates an example from the text that follows the version and the name of a catalog.
    package static func catalog(_ text: String) -> Example {
      Example(text) { [SourceFile(path: "Example.yaml", bytes: Array("\(header)\(text)".utf8))] }
    }

    /// Keys that share an owner and are stored in plain preferences.
    package static func keys(_ text: String) -> Example {
      Example(text) {
        let keys = text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
        let bytes = Array("\(header)\(defaults)keys:\n\(keys)".utf8)
        return [SourceFile(path: "Example.yaml", bytes: bytes)]
      }
    }

    /// Records that share an owner and a database.
    ///
    /// - Parameter sources: The section `sources`, if the records have any.
    package static func records(_ text: String, sources: String = "") -> Example {
      Example(sources + text) {
        let records = text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
        return [
          SourceFile(path: "Example.yaml", bytes: Array("\(header)\(database)\(sources)records:\n\(records)".utf8))
        ]
      }
    }

    /// Several complete files of one run.
    package static func files(_ files: [(path: String, text: String)]) -> Example {
      Example(files.map { "# \($0.path)\n\($0.text)" }.joined(separator: "\n\n")) {
        files.map { SourceFile(path: $0.path, bytes: Array($0.text.utf8)) }
      }
    }

    /// A file that is described instead of shown, because it is too large or is not text.
    package static func described(
      _ words: String, path: String = "Example.yaml", _ bytes: @escaping @Sendable () -> [UInt8]
    ) -> Example {
      Example(words) { [SourceFile(path: path, bytes: bytes())] }
    }

    /// The lines above the keys of a fragment.
    package static let header = "localdata: 1\ncatalog: Example\n"
    package static let defaults = "defaults: {owner: ExampleTeam, domain: userDefaults, security: none}\n"
    /// The lines above the records of a fragment.
    package static let database =
      "defaults: {owner: ExampleTeam}\ndatabases:\n  main:\n    domain: {fileSystem: {directory: applicationSupport}}\n"
      + "    description: Everything that the example stores.\n"
  }
}
