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
    let old = try oldState()
    let sources = try GeneratorPipeline.read(catalogs.existing())
    let resolved = try catalogs.resolved(diagnostics: diagnostics)
    let today = CatalogState(resolved, title: "today")
    let findings = ReleaseComparison(today: today).findings(against: [Baseline(state: old)])
    let changes = CatalogDifference.changes(from: old, to: today, findings)
    let places = FindingPlaces(today, resolved, sources)
    if scaffold {
      try Terminal.write(Scaffold(findings, today).text { places.path(of: .catalog($0)) })
    } else {
      try Terminal.write(document(changes, findings, old.title, places, sources))
    }
    let found = findings.map(places.diagnostic).sortedByPlace()
    if format == .text {
      let report = FindingsPass().report(found, files: sources)
      GeneratorPipeline.printToError(report, as: diagnostics, isColored: catalogs.findings.isColored(on: .error))
    }
    let isDenied = changes.contains { !Set($0.classes).isDisjoint(with: denied) }
    if isDenied || found.contains(where: { $0.severity == .error }) { throw ExitCode(.findings) }
  }

  private func document(
    _ changes: [Change], _ findings: [Finding], _ title: String, _ places: FindingPlaces, _ sources: [SourceFile]
  ) -> String {
    let difference = DifferenceReport(changes: changes, findings: findings, title: title)
    let report = FindingsPass().report(findings.map(places.diagnostic), files: sources)
    return switch format {
    case .text: SafeText.lines(difference.render(.text))
    case .markdown: SafeText.lines(difference.render(.markdown))
    case .json: SafeText.lines(difference.render(.json))
    case .github: DiagnosticRenderer.render(report, as: .github)
    case .sarif: DiagnosticRenderer.render(report, as: .sarif)
    }
  }

  // MARK: The earlier state

  private func oldState() throws -> CatalogState {
    switch DiskFile.kind(against) {
    case .folder: return try resolved(try sources(of: against), title: "'\(against)'")
    case .file, .other, .link:
      guard against.hasSuffix(".json") else {
        return try resolved(try sources(of: against), title: "'\(against)'")
      }
      return try snapshot(against)
    case nil: break
    }
    for folder in SnapshotFolder.all(beside: catalogs.paths) {
      guard let version = ReleaseVersion(checking: against) else { break }
      for path in [folder.file(version), folder.file(version, isRetired: true)] where DiskFile.kind(path) == .file {
        return try snapshot(path)
      }
    }
    let revision = GitRevision(name: against)
    return try resolved(try revision.catalogs(catalogs.paths), title: "revision \(against)")
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

extension ChangeClass: ExpressibleByArgument {}
