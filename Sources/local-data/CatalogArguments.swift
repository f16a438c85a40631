import LocalDataFiles
import ArgumentParser
import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax

/// The catalogs that every verb takes.
struct CatalogArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Catalogs, folders to search for them, or - for standard input.",
      discussion: """
        In a folder named Catalogs every .yaml file is a catalog, elsewhere every .catalog.yaml file. The default is the \
        targets of the project file. Without one, it is the folder Catalogs, and Sources/X/Catalogs or X/Catalogs of each \
        target X.
        """),
    completion: .file(extensions: ["yaml"]))
  var paths: [String] = []

  @Option(
    name: .customLong("path"),
    help: ArgumentHelp(
      "The path of the catalog that standard input contains, for findings and the names of outputs.",
      discussion: "If another argument selects this file too, standard input takes its place.", valueName: "file"),
    completion: .file(extensions: ["yaml"]))
  var inputPath: String?

  // The options for findings are no group within this one: in a debug build, the parser checks those again and again.
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Make findings of a rule errors; 'warnings' means all warnings.", valueName: "rule"),
    completion: Completions.rulesOrWarnings)
  var deny: [String] = []

  @Option(
    parsing: .singleValue, help: ArgumentHelp("Make findings of a rule warnings.", valueName: "rule"),
    completion: Completions.rules)
  var warn: [String] = []

  @Option(
    parsing: .singleValue, help: ArgumentHelp("Do not report findings of a rule.", valueName: "rule"),
    completion: Completions.rules)
  var allow: [String] = []

  @Option(
    help: ArgumentHelp(
      "The day on which allowed findings and reviews end or not (default: today, in UTC).", valueName: "date"))
  var today: CalendarDate?

  @Option(help: "Whether findings are coloured. 'auto' colours them on a terminal, unless NO_COLOR is set.")
  var color = ColorChoice.auto

  @Option(
    help: ArgumentHelp(
      "The project file (default: \(ProjectFile.name), if there is one).", valueName: "file"),
    completion: .file(extensions: ["yaml"]))
  var project: String?

  private static let standardInput = "-"

  func validate() throws {
    let count = paths.count { $0 == Self.standardInput }
    guard count <= 1 else { throw ValidationError("Standard input ('-') can be named only once.") }
    guard (inputPath == nil) == (count == 0) else {
      throw ValidationError("'-' and '--path' belong together, for example: validate - --path Catalogs/Account.yaml")
    }
    guard inputPath?.isEmpty != true else { throw ValidationError("'--path' needs the path of a catalog.") }
    // A rule that a project file declares is known only when that file is read.
    for id in deny + warn + allow where id.isEmpty { throw ValidationError("A rule has a name.") }
  }

  /// Returns the targets of the project file, or of the layout of the package, if the arguments name no catalogs. Otherwise
  /// returns one target with what they name.
  func targets(of project: Project) throws -> [Project.Target] {
    guard paths.isEmpty else { return [Project.Target(catalogs: paths)] }
    return project.targets.isEmpty ? try PackageLayout.targets() : project.targets
  }

  /// Returns the selected files of a target, some of which may be missing.
  func selection(of target: Project.Target) throws -> CatalogSelection {
    guard inputPath == nil else { return try selection() }
    return try CatalogFinder.find(target.catalogs, excluding: target.exclude)
  }

  /// Returns the selected files, some of which may be missing.
  func selection() throws -> CatalogSelection {
    guard let inputPath else { return try CatalogFinder.find(paths) }
    let others = paths.filter { $0 != Self.standardInput }
    var selection = others.isEmpty ? CatalogSelection() : try CatalogFinder.find(others)
    let replaced = DiskFile.identityIfKnown(inputPath)
    selection.paths.removeAll { path in replaced != nil && DiskFile.identityIfKnown(path) == replaced }
    selection.input = try CatalogFile.readStandardInput(as: inputPath)
    selection.locate()
    return selection
  }

  /// Returns the selected files, if there are some and none is missing.
  func existing() throws -> CatalogSelection {
    let selection = try selection()
    try selection.checkExists()
    return selection
  }

  /// Returns what the project file and the options ask of the catalogs.
  func checks() throws -> Checks {
    let project = try ProjectFile.read(project)
    return Checks(pass: pass(try severities(over: project.severities)), project: project)
  }

  /// Returns the targets with their checked catalogs, for verbs whose document is not the findings. The findings go to
  /// standard error. If one of them is an error, the run ends.
  func resolved(
    diagnostics format: FindingsFormat, againstReleases: Bool = false
  ) throws -> [ResolvedTarget] {
    let checks = try checks()
    var report: FindingsReport?
    var resolved: [ResolvedTarget] = []
    for target in try targets(of: checks.project) {
      let selection = try selection(of: target)
      try selection.checkExists()
      let sources = try GeneratorPipeline.read(selection)
      let resolution = try GeneratorPipeline.resolve(
        sources, againstReleases ? checks.of(target) : checks, releasesBeside: againstReleases ? selection : nil)
      report = report?.adding(resolution.report) ?? resolution.report
      resolved.append(
        ResolvedTarget(
          target: target, selection: selection, sources: sources, catalogs: resolution.catalogs ?? [],
          context: resolution.auditContext))
    }
    if let report {
      GeneratorPipeline.printToError(report, as: format, isColored: isColored(on: .error))
      if report.hasErrors { throw ToolExit.findings }
    }
    return resolved
  }

  /// Throws if a document would overwrite one of the catalogs or the project file.
  ///
  /// Files are compared, not paths: a link, or another letter case on a disk that ignores case, can name an input too.
  func checkIsNoInput(_ output: String, _ catalogs: [ResolvedCatalog]) throws {
    guard let status = DiskFile.status(output), status.kind == .file else { return }
    let inputs = catalogs.map(\.path) + [project ?? ProjectFile.name]
    guard let input = inputs.first(where: { DiskFile.identityIfKnown($0) == status.identity }) else { return }
    throw ToolFailure(
      .wrongUse, "'\(output)' would overwrite '\(input)', which this run reads",
      help: "choose another file with --output")
  }
}

/// A target with its catalogs, after all checks.
struct ResolvedTarget {
  var target: Project.Target
  var selection: CatalogSelection
  var sources: [SourceFile]
  var catalogs: [ResolvedCatalog]
  /// What a page about the catalogs shows besides their declarations.
  var context: AuditContext
}

extension [ResolvedTarget] {
  /// What a page about the catalogs of all targets shows besides their declarations.
  var auditContext: AuditContext {
    var result = AuditContext()
    for target in self {
      result.findings.open += target.context.findings.open
      result.findings.allowances += target.context.findings.allowances
      guard let history = target.context.history else { continue }
      if result.history == nil { result.history = history } else { result.history?.add(history) }
    }
    return result
  }

  /// The catalogs of all targets. A catalog that several targets have is in the list once.
  var allCatalogs: [ResolvedCatalog] {
    var seen: Set<String> = []
    return flatMap(\.catalogs).filter { seen.insert($0.path).inserted }
  }
}

extension ParsableArguments {
  /// Refuses an empty path: with a file name after it, it would name the root of the disk.
  func checkPath(_ path: String?, of option: String) throws {
    guard path?.isEmpty == true else { return }
    throw ValidationError("'\(option)' needs a path, for example: \(option) Generated")
  }
}

extension FindingsFormat: ExpressibleByArgument {}
