import LocalDataEmission
import LocalDataFiles
import ArgumentParser
import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax

/// `rules`: all rules.
struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List all rules with their severity and what they ask.")

  @Option(help: "The form of the list.")
  var format = RuleText.Format.text

  func run() throws {
    try Terminal.write(RuleText.list(RuleCatalog.all, as: format))
  }
}

/// `explain`: a rule, a key, a database, a record, or unmanaged data.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: """
      Say what a rule asks and why; where each field of a key or of unmanaged data got its value, and where it is stored; \
      or how a record or a database is stored and protected.
      """)

  @Argument(
    help:
      "The id of a rule, as a finding ends with it, for example unknown-domain; a key, a record, a database or unmanaged data.",
    completion: Completions.subjects)
  var subject: String

  @OptionGroup var catalogs: CatalogArguments

  func run() throws {
    if let rule = RuleCatalog.rule(subject) {
      try Terminal.write(RuleText.explanation(of: rule))
    } else {
      try explainDeclaration()
    }
  }

  private func explainDeclaration() throws {
    let rule = RuleCatalog.nearest(to: subject)
    // Without catalogs the subject can only be a rule.
    let hasCatalogs = try !catalogs.paths.isEmpty || !PackageLayout.folders().isEmpty
    let sources = hasCatalogs ? try GeneratorPipeline.read(catalogs.existing()) : []
    let trees = sources.concurrentMap { CatalogReader.read($0) }.compactMap(\.tree)
    let project = try catalogs.checks().project
    let (key, member) = KeyExplanation.explain(subject, in: trees, project: project)
    let records =
      RecordExplanation.explain(subject, in: trees, project: project)
      + UnmanagedExplanation.explain(subject, in: trees, project: project)
    if !records.isEmpty { try Terminal.write(records.joined(separator: "\n")) }
    guard let key else {
      if !records.isEmpty { return }
      let suggestion =
        (member ?? RecordExplanation.nearest(to: subject, in: trees)
        ?? UnmanagedExplanation.nearest(to: subject, in: trees) ?? rule).map { "; did you mean '\($0)'?" } ?? ""
      throw ToolFailure(
        .wrongUse, "'\(SafeText.escaped(subject))' is no key, record, database, unmanaged data or rule\(suggestion)",
        help: "`local-data rules` lists all rules")
    }
    try Terminal.write(records.isEmpty ? "" : "\n")
    try Terminal.write(key.text + swift(of: key.key, declaredIn: key.place.file.path))
  }

  /// The declaration that the generator emits for a key.
  private func swift(of key: ResolvedKey, declaredIn path: String) -> String {
    let catalog = ResolvedCatalog(
      name: key.catalog, path: path, baseName: key.catalog, access: key.access, imports: [], types: [], keys: [key],
      reserved: [])
    guard let file = CatalogEmitter.emit([catalog]).first(where: { $0.path.hasSuffix(".swift") }) else { return "" }
    let lines = String(decoding: file.parts.joined(), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { $0.contains("extension ") } ?? 0
    let end = lines[start...].firstIndex { $0 == "}" } ?? lines.count - 1
    return "\n" + lines[start...end].map { "  \($0)\n" }.joined()
  }
}

extension RuleText.Format: ExpressibleByArgument {}
