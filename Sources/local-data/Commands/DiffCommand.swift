import LocalDataFiles
import ArgumentParser
import LocalDataComparison
import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax

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
    case text, markdown, json, html
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
  var diagnostics = FindingsFormat.text

  func run() throws {
    let checks = try catalogs.checks()
    let runs = try runs(checks)
    var comparisons: [Comparison] = []
    var report: FindingsReport?
    for run in runs {
      let resolution = try GeneratorPipeline.resolve(run.today.sources, checks.of(run.today.target)) { resolved in
        let comparison = Comparison(of: resolved, run.today, with: run.old)
        comparisons.append(comparison)
        return ReleaseFindings(comparison.diagnostics, areOfAllReleases: false)
      }
      report = report?.adding(resolution.report) ?? resolution.report
    }
    guard let report else { return }
    let isWhole = comparisons.count == runs.count
    if isWhole { try Terminal.write(document(comparisons, report)) }
    // A document has the findings about releases in it.
    let shown = format != .text && isWhole ? report.only { !Comparison.isFound($0) } : report
    GeneratorPipeline.printToError(shown, as: diagnostics, isColored: catalogs.isColored(on: .error))
    let isDenied = comparisons.flatMap(\.changes).contains { !Set($0.classes).isDisjoint(with: denied) }
    if isDenied || report.hasErrors { throw ToolExit.findings }
  }

  private func document(_ comparisons: [Comparison], _ report: FindingsReport) -> String {
    // What a key allows is not to be mended.
    let messages = Set(report.findings.map(\.message))
    if scaffold { return comparisons.map { $0.scaffold(of: $0.findings(in: messages)) }.joined() }
    let difference = DifferenceReport(
      changes: comparisons.flatMap(\.changes), findings: comparisons.flatMap { $0.findings(in: messages) },
      merges: comparisons.flatMap(\.merges), title: comparisons.first?.old.title ?? "'\(against)'")
    let found = report.only(Comparison.isFound)
    return switch format {
    case .text: SafeText.lines(difference.render(.text))
    case .markdown: SafeText.lines(difference.render(.markdown))
    case .json: SafeText.lines(difference.render(.json))
    case .html: String(decoding: DifferencePage(difference, comparisons.flatMap(\.fates)).render(), as: UTF8.self)
    case .github: FindingsFormat.github.render(found)
    case .sarif: FindingsFormat.sarif.render(found)
    }
  }

  // MARK: The earlier state

  /// Today's catalogs, and the state that they are compared with.
  private typealias Run = (old: CatalogState, today: Today)

  /// Returns the comparisons of this run. A file or a folder is compared with the catalogs of all targets; a release and a
  /// revision have those of each target.
  private func runs(_ checks: Checks) throws -> [Run] {
    let targets = try catalogs.targets(of: checks.project).map { target in
      let selection = try catalogs.selection(of: target)
      try selection.checkExists()
      return Today(target: target, selection: selection, sources: try GeneratorPipeline.read(selection))
    }
    if let old = try stateInFile() {
      var seen: Set<String> = []
      let sources = targets.flatMap(\.sources).filter { seen.insert($0.path).inserted }
      return [(old, Today(target: .init(), selection: CatalogSelection(), sources: sources))]
    }
    if let releases = try releases(targets, checks.project) { return releases }
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
  private func releases(_ targets: [Today], _ project: Project) throws -> [Run]? {
    guard let version = ReleaseVersion(checking: against) else { return nil }
    var title: String?
    let runs: [Run] = try targets.map { target in
      var old = CatalogState(title: "release \(version.text)")
      var today = target
      for folder in SnapshotFolder.all(of: target.selection) {
        let paths = [folder.file(version), folder.file(version, isRetired: true)]
        guard let state = try paths.first(where: { DiskFile.kind($0) == .file }).map(snapshot) else { continue }
        title = title ?? state.title
        old.add(state)
        today.recorded.append((folder, Set(state.catalogs.keys)))
      }
      if !today.recorded.isEmpty {
        today.shared = try SharedCatalogs.read(besides: target.selection, of: target.target, project)
      }
      return (old, today)
    }
    return title == nil ? nil : runs
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

/// Today's catalogs of a target, before they are checked.
private struct Today {
  var target: Project.Target
  var selection: CatalogSelection
  var sources: [SourceFile]
  /// The catalogs that other targets have in the same folders.
  var shared = SharedCatalogs()
  /// The names of the catalogs that the release recorded in each folder.
  var recorded: [(folder: SnapshotFolder, catalogs: Set<String>)] = []
}

/// Today's catalogs of a target, compared with those of an earlier state.
private struct Comparison {
  let old: CatalogState
  private let today: CatalogState
  /// The catalogs of both states that other targets compare.
  private let unread: Set<String>
  private let findings: [Finding]
  private let places: FindingPlaces

  init(of resolved: [ResolvedCatalog], _ run: Today, with old: CatalogState) {
    self.old = old
    let all = run.shared.catalogs + resolved
    today = CatalogState(all, title: "today")
    unread = run.recorded.reduce(Set(run.shared.catalogs.map(\.name))) { names, recorded in
      names.union(run.shared.unread(recorded.catalogs, in: recorded.folder, own: resolved))
    }
    findings = ReleaseComparison(today: today, unread: unread).findings(against: [Baseline(state: old)])
    places = FindingPlaces(today, all, run.sources + run.shared.sources)
  }

  var changes: [Change] {
    CatalogDifference.changes(from: old.without(unread), to: today.without(unread), findings)
  }

  /// The cells of the matrix of fates that differ.
  var fates: [FateChange] { FateDifference.changes(from: old.without(unread), to: today.without(unread), changes) }

  var merges: [MergeStatements] { MergeStatements.all(from: old.without(unread), to: today.without(unread)) }

  var diagnostics: [Diagnostic] { findings.map(places.diagnostic).sortedByPlace() }

  /// Returns the findings whose messages are in a report.
  func findings(in messages: Set<String>) -> [Finding] { findings.filter { messages.contains($0.text) } }

  /// Returns the YAML that makes the changes safe.
  func scaffold(of findings: [Finding]) -> String {
    Scaffold(findings, today, against: [Baseline(state: old)]).text(isFlow: places.isFlow) {
      places.path(of: .catalog($0))
    }
  }

  /// Returns true if a finding is about an earlier state.
  static func isFound(_ diagnostic: Diagnostic) -> Bool { ReleaseRule.allCases.contains { $0.id == diagnostic.rule } }
}

extension DifferencePage {
  /// The page of a difference.
  fileprivate init(_ difference: DifferenceReport, _ fates: [FateChange]) {
    self.init(
      summary: difference.summary,
      sections: difference.sections.map { section in
        Section(
          heading: section.heading,
          rows: section.rows.map {
            Row(declaration: $0.declaration, field: $0.field, before: $0.before, after: $0.after)
          })
      },
      fates: fates.map {
        FateRow(
          name: $0.name, event: $0.event, before: $0.before, after: $0.after, reason: $0.reason)
      },
      merges: difference.merges.map { Merge(database: $0.database, statements: $0.statements) },
      tasks: difference.findings.map { Task(text: $0.text, help: $0.help) })
  }
}

extension ChangeClass: ExpressibleByArgument {}
