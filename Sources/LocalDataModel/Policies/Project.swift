package import LocalDataSyntax

/// The project file `local-data.yaml`: which catalogs a package has, and what it asks of them.
package struct Project: Sendable {
  /// Catalogs that are generated together into one folder.
  package struct Target: Sendable, Hashable {
    /// Files, or folders to search, relative to the folder in which the tool runs.
    package var catalogs: [String] = []
    package var output: String?
    /// Files and folders that are not searched.
    package var exclude: [String] = []
    /// The catalogs of the app on the paired device: files, or folders to search. Empty if they are not compared.
    package var pairedWith: [String] = []

    package init(catalogs: [String] = []) { self.catalogs = catalogs }
  }

  package var targets: [Target] = []
  /// The owners that a key may name; nil if a project does not list them.
  package var owners: [String]?
  /// The levels that the project gives to rules.
  package var severities = Severities()
  package var policies: [Policy] = []
  /// What the project says about each purpose for which data is processed.
  package var processing: [Processing] = []

  package init() {}

  /// Reads a project file.
  ///
  /// - Parameter tree: The parsed file.
  package static func decode(_ tree: SyntaxTree) -> (project: Project, diagnostics: [Diagnostic]) {
    var context = DecodingContext(rules: RuleCatalog.index)
    var draft = ProjectDraft()
    if let root = tree.root, context.mapping(root, Language.project.what, example: Language.project.example) {
      let read = Language.project.decode(root, into: &draft, &context)
      if Language.project.hasRequired(read, root, &context) {
        draft.project.targets = targets(draft.targets, &context)
        draft.project.policies = policies(draft.policies, &context)
        draft.project.processing = Processing.decode(draft.processing, &context)
        draft.project.severities = severities(draft.rules, draft.project.policies, &context)
      }
    }
    return (draft.project, FindingsPass().report(context.findings.all, files: [tree.source]).findings)
  }

  private static func targets(_ node: SyntaxNode?, _ context: inout DecodingContext) -> [Target] {
    guard let node, context.sequence(node, "a list of targets", example: "targets: [{catalogs: [Catalogs]}]") else {
      return []
    }
    return node.children.compactMap { Language.target.record($0, Target(), &context) }
  }

  private static func severities(
    _ node: SyntaxNode?, _ policies: [Policy], _ context: inout DecodingContext
  ) -> Severities {
    var severities = Severities()
    severities.add(ids: policies.map(\.id))
    guard let node, context.mapping(node, "a map of rules", example: "rules: {unused-legacy-key: deny}") else {
      return severities
    }
    for (rule, value) in node.fields {
      guard let level: Severities.Level = context.name(value, "a level", example: "\(rule.text): warn") else {
        continue
      }
      do {
        try severities.set(level, for: rule.text)
      } catch {
        context.findings.report(
          .unknownRule, error.message, at: rule, help: "run `local-data rules` for the list of rules")
      }
    }
    return severities
  }

  private static func policies(_ node: SyntaxNode?, _ context: inout DecodingContext) -> [Policy] {
    guard let node, context.sequence(node, "a list of policies", example: "policies: [\(Language.policy.example)]")
    else { return [] }
    var first: [String: SyntaxNode] = [:]
    return node.children.compactMap { child in
      guard let policy = PolicyDecoder.policy(child, &context) else { return nil }
      if let earlier = first.updateValue(child, forKey: policy.id) {
        context.findings.report(
          .duplicateEntry, "the policy '\(policy.id)' is declared twice", at: child, help: "rename one of the two",
          notes: [.init("the first one", at: earlier.start)])
      }
      return policy
    }
  }
}

extension Severities.Level: CaseName {
  static let names = NameTable<Self>()
}

/// A project file on its way from nodes.
struct ProjectDraft: Sendable {
  var project = Project()
  var versionNode: SyntaxNode?
  var targets: SyntaxNode?
  var rules: SyntaxNode?
  var policies: SyntaxNode?
  var processing: SyntaxNode?
}

extension Language {
  /// The fields of the project file.
  static let project = FieldTable<ProjectDraft>(
    "a project file", what: "a map of the fields of a project file", example: "localdata: 1",
    [
      Field(
        "localdata", .word("the version of the language", of: [version]), .required, "The version of the language.",
        example: version
      ) { _, _ in },
      Field(
        "targets", "a list of targets", .list(of: target.shape), .optional("the folder Catalogs"),
        "Catalogs that are generated together, and where to.",
        example: "[{catalogs: [Catalogs], output: Sources/App/Generated}]"
      ) { $0.targets = $1 },
      Field(
        "owners", .texts("a list of owners"), .optional("any owner"), "The owners that keys may name.",
        example: "[AccountTeam]"
      ) { $0.project.owners = $1 },
      Field(
        "rules", "a map of rules", .map(of: .word(Severities.Level.names.texts)), .optional("none"),
        "The levels of rules: `deny` makes a finding an error, `warn` a warning, and `allow` hides it.",
        example: "{unused-legacy-key: deny}"
      ) { $0.rules = $1 },
      Field(
        "policies", "a list of policies", .list(of: policy.shape), .optional("none"), "Rules of the project's own.",
        example: "[{id: no-plain-secrets, forbid: sensitivity = credential and security = none, message: seal it}]"
      ) { $0.policies = $1 },
      Field(
        "processing", "a list of purposes", .list(of: processing.shape), .optional("none"),
        "For each purpose of collected data, what a record of processing needs besides the catalogs.",
        example: "[{purpose: appFunctionality, basis: contract, subjects: [customers]}]"
      ) { $0.processing = $1 },
    ])

  /// The fields of a target.
  static let target = FieldTable<Project.Target>(
    "a target", what: "a map with 'catalogs'", example: "{catalogs: [Catalogs], output: Sources/App/Generated}",
    [
      Field(
        "catalogs", .paths("a list of catalogs"), .required, "Catalogs, or folders to search for them.",
        example: "[Catalogs]"
      ) { $0.catalogs = $1 },
      Field(
        "output", .path("a folder"), .optional("Generated"), "The folder of the generated files.",
        example: "Sources/App/Generated"
      ) { $0.output = $1 },
      Field(
        "exclude", .paths("a list of paths"), .optional("none"), "Catalogs and folders that are left out.",
        example: "[Catalogs/Drafts]"
      ) { $0.exclude = $1 },
      Field(
        "pairedWith", .texts("a list of catalogs"), .optional("none"),
        "Catalogs of the app on the paired device. Each key that is sent must have its counterpart there.",
        example: "[Catalogs/Watch]"
      ) { $0.pairedWith = $1 },
    ])
}

extension ValueShape where Value == String {
  /// One of these words.
  static func word(_ what: String, of words: [String]) -> Self {
    Self(what: what, shape: .word(words)) { node, entry, context in
      guard let text = context.scalar(node, what, example: entry.written) else { return nil }
      if words.contains(text) { return text }
      context.findings.report(
        .unknownCase, "'\(text)' is not \(what)", at: node, help: "use one of \(words.listing)")
      return nil
    }
  }

  /// A path that is not empty, and stays in the folder of the project.
  fileprivate static func path(_ what: String) -> Self {
    Self(what: what, shape: .text) { node, entry, context in
      guard let text = context.scalar(node, what, example: entry.written) else { return nil }
      if !text.isEmpty { return context.isInProject(text, entry, at: node) ? text : nil }
      context.findings.report(
        .unexpectedNull, "'\(entry.name)' is empty", at: node,
        help: "write it as in `\(entry.written)`, or leave the field out")
      return nil
    }
  }
}

extension DecodingContext {
  /// Returns true if a path stays in the folder of the project. Reports it if it does not.
  fileprivate mutating func isInProject(_ path: String, _ entry: FieldEntry, at node: SyntaxNode) -> Bool {
    var depth = 0
    let parts = path.split(separator: "/").filter { $0 != "." }
    let isInside = parts.allSatisfy { part in
      depth += part == ".." ? -1 : 1
      return depth >= 0
    }
    guard path.hasPrefix("/") || !isInside else { return true }
    findings.report(
      .outsideProject, "'\(entry.name)' leads out of the project's folder: '\(path)'", at: node,
      help: "name a path in the folder in which the tool runs, as in `\(entry.written)`; other folders can be named on "
        + "the command line")
    return false
  }
}

extension ValueShape where Value == [String] {
  /// A list of paths that are not empty, and stay in the folder of the project.
  fileprivate static func paths(_ what: String) -> Self {
    let texts = texts(what)
    return Self(what: what, shape: texts.shape) { node, entry, context in
      guard let paths = texts.decode(node, entry, &context) else { return nil }
      let isInside = zip(paths, node.children).map { context.isInProject($0, entry, at: $1) }
      return isInside.contains(false) ? nil : paths
    }
  }

  /// A list of texts that are not empty.
  static func texts(_ what: String) -> Self {
    Self(what: what, shape: .list(of: .text)) { node, entry, context in
      guard context.sequence(node, what, example: entry.written) else { return nil }
      var result: [String] = []
      var isSound = true
      for child in node.children {
        guard let text = context.scalar(child, what, example: entry.written) else {
          isSound = false
          continue
        }
        if text.isEmpty {
          context.findings.report(
            .unexpectedNull, "'\(entry.name)' has an empty entry", at: child,
            help: "remove it, or write it as in `\(entry.written)`")
          isSound = false
        }
        result.append(text)
      }
      return isSound ? result : nil
    }
  }
}
