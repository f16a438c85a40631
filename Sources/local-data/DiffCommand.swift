import ArgumentParser
import CatalogComparison
import CatalogModel
import CatalogSyntax

/// `diff`: what a change of the catalogs means.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare the catalogs with a release, a revision or other catalogs, field by field.",
    discussion: """
      Each change is in the classes source, storage, security, privacy and sync that it belongs to. The exit code is 1 if \
      stored values are lost, or if a change is in a class that --deny-class names.
      """)

  @Option(
    help: ArgumentHelp(
      "A release, a folder, a snapshot, a catalog or a Git revision.",
      discussion: "A folder or file comes before a release of the folder Releases, and that before a revision."))
  var against: String

  @OptionGroup var catalogs: CatalogArguments

  /// The forms of the document.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, markdown, json
    /// The findings alone, as a service for code review takes them.
    case github, sarif
  }

  @Option(help: "The form of the document. With 'github' and 'sarif', it contains the findings alone.")
  var format = Format.text

  @Option(
    name: .customLong("deny-class"), parsing: .upToNextOption,
    help: ArgumentHelp("Classes of changes that fail the run.", valueName: "class"))
  var denied: [ChangeClass] = []

  @Flag(help: "Print the YAML that makes each uncovered change safe.")
  var scaffold = false

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = DiagnosticRenderer.Format.text

  func run() throws {
    let targets = try catalogs.resolved(diagnostics: diagnostics)
    let comparisons = try pairs(of: targets).map(Comparison.init)
    let sources = targets.flatMap(\.sources)
    let found = comparisons.flatMap(\.diagnostics)
    if scaffold {
      for comparison in comparisons { try Terminal.write(comparison.scaffold) }
    } else {
      try Terminal.write(document(comparisons, found, sources))
    }
    if format == .text {
      let report = FindingsPass().report(found, files: sources)
      GeneratorPipeline.printToError(report, as: diagnostics, isColored: catalogs.findings.isColored(on: .error))
    }
    let isDenied = comparisons.flatMap(\.changes).contains { !Set($0.classes).isDisjoint(with: denied) }
    if isDenied || found.contains(where: { $0.severity == .error }) { throw ExitCode(.findings) }
  }

  private func document(_ comparisons: [Comparison], _ found: [Diagnostic], _ sources: [SourceFile]) -> String {
    let difference = DifferenceReport(
      changes: comparisons.flatMap(\.changes), findings: comparisons.flatMap(\.findings),
      title: comparisons.first?.old.title ?? "'\(against)'")
    let report = FindingsPass().report(found, files: sources)
    return switch format {
    case .text: SafeText.lines(difference.render(.text))
    case .markdown: SafeText.lines(difference.render(.markdown))
    case .json: SafeText.lines(difference.render(.json))
    case .github: DiagnosticRenderer.render(report, as: .github)
    case .sarif: DiagnosticRenderer.render(report, as: .sarif)
    }
  }

  // MARK: The earlier state

  /// Returns today's catalogs, each with the state that they are compared with. A file or a folder is compared with the
  /// catalogs of all targets; a release and a revision have those of each target.
  private func pairs(of targets: [ResolvedTarget]) throws -> [(old: CatalogState, today: ResolvedTarget)] {
    if let old = try stateInFile() {
      let whole = ResolvedTarget(
        target: .init(), selection: CatalogSelection(), sources: targets.flatMap(\.sources),
        catalogs: targets.allCatalogs)
      return [(old, whole)]
    }
    if let releases = try releases(targets) { return releases }
    let revision = GitRevision(name: against)
    let sources = try targets.map { try revision.catalogs($0.target) }
    guard sources.contains(where: { !$0.isEmpty }) else {
      throw ToolFailure(
        .wrongUse, "the revision '\(against)' has no catalogs where they are searched for",
        help: "name the folder in which that revision has its catalogs")
    }
    return try zip(sources, targets).map { (try resolved($0, title: "revision \(against)"), $1) }
  }

  private func stateInFile() throws -> CatalogState? {
    switch DiskFile.kind(against) {
    case .folder: try resolved(try sources(of: against), title: "'\(against)'")
    case .file, .other, .link:
      against.hasSuffix(".json") ? try snapshot(against) : try resolved(try sources(of: against), title: "'\(against)'")
    case nil: nil
    }
  }

  /// Returns the targets with what the release recorded; nil if there is no such release.
  private func releases(_ targets: [ResolvedTarget]) throws -> [(old: CatalogState, today: ResolvedTarget)]? {
    guard let version = ReleaseVersion(checking: against) else { return nil }
    let recorded = try targets.map { target in
      try SnapshotFolder.all(of: target.selection).compactMap { folder in
        let paths = [folder.file(version), folder.file(version, isRetired: true)]
        return try paths.first { DiskFile.kind($0) == .file }.map(snapshot)
      }
    }
    guard let title = recorded.joined().first?.title else { return nil }
    return zip(recorded, targets).map { states, target in
      var old = CatalogState(title: title)
      for state in states { old.add(state) }
      return (old, target)
    }
  }

  private func sources(of path: String) throws -> [SourceFile] {
    let selection = try CatalogFinder.find([path])
    try selection.checkExists()
    return try GeneratorPipeline.read(selection)
  }

  private func snapshot(_ path: String) throws -> CatalogState {
    try ReleaseCheck.baseline(path, besides: nil).state
  }

  private func resolved(_ sources: [SourceFile], title: String) throws -> CatalogState {
    let checks = Checks(pass: FindingsPass(), project: Project())
    let resolution = try GeneratorPipeline.resolve(sources, checks)
    guard let resolved = resolution.catalogs else {
      let first = resolution.report.findings.first { $0.severity == .error }
      let place = first?.place.map { "\($0.file.path):\($0.range.start.line): " } ?? ""
      throw ToolFailure(
        .cannotReadOrWrite, "the catalogs of \(title) have errors: \(place)\(first?.message ?? "")",
        help: "compare with a state whose catalogs `validate` accepts")
    }
    return CatalogState(resolved, title: title)
  }
}

/// Today's catalogs of a target, compared with those of an earlier state.
private struct Comparison {
  let old: CatalogState
  let findings: [Finding]
  let changes: [Change]
  let diagnostics: [Diagnostic]
  let scaffold: String

  init(_ old: CatalogState, _ target: ResolvedTarget) {
    let today = CatalogState(target.catalogs, title: "today")
    self.old = old
    findings = ReleaseComparison(today: today).findings(against: [Baseline(state: old)])
    changes = CatalogDifference.changes(from: old, to: today, findings)
    let places = FindingPlaces(today, target.catalogs, target.sources)
    diagnostics = findings.map(places.diagnostic).sortedByPlace()
    scaffold = Scaffold(findings, today).text { places.path(of: .catalog($0)) }
  }
}

extension ChangeClass: ExpressibleByArgument {}
