import ArgumentParser
import CatalogComparison
import LocalDataDocuments
import CatalogModel
import CatalogSyntax

/// The stages of a run, from arguments to files. Each stage takes the value that the one before returned:
///
///     arguments → CatalogSelection → [SourceFile] → CatalogResolution → [ResolvedCatalog] → [Output] → OutputPlan
///
/// A stage looks at all catalogs. If it finds an error in one, no later stage runs.
enum GeneratorPipeline {
  /// Finds the files of a target: what the arguments name, or what the project file does.
  static func find(_ arguments: CatalogArguments, _ target: Project.Target) throws -> CatalogSelection {
    try arguments.selection(of: target)
  }

  /// Reads the selected files.
  static func read(_ selection: CatalogSelection) throws -> [SourceFile] {
    let sources = try selection.paths.map(CatalogFile.read) + [selection.input].compactMap { $0 }
    return sources.sorted { ($0.baseName, $0.path) < ($1.baseName, $1.path) }
  }

  /// Parses, decodes and checks catalogs, and compares them with the snapshots of releases.
  ///
  /// - Parameters:
  ///   - selection: The selected files, beside which the snapshots are; nil if catalogs are not compared with them.
  ///   - withHistory: Whether the run needs to know which release had each declaration first.
  static func resolve(
    _ sources: [SourceFile], _ checks: Checks, releasesBeside selection: CatalogSelection? = nil,
    withHistory: Bool = false
  ) throws -> CatalogResolution {
    var history: ReleaseHistory?
    var resolution = try resolve(sources, checks) { catalogs in
      guard let selection else { return nil }
      let check = try ReleaseCheck(catalogs, sources, selection, checks, withHistory: withHistory)
      history = check.history
      return ReleaseFindings(check.diagnostics, areOfAllReleases: true)
    }
    resolution.history = history
    return resolution
  }

  /// Parses, decodes and checks catalogs.
  ///
  /// - Parameter comparison: A comparison of catalogs without errors with earlier states.
  static func resolve(
    _ sources: [SourceFile], _ checks: Checks, comparison: ([ResolvedCatalog]) throws -> ReleaseFindings?
  ) throws -> CatalogResolution {
    let results = sources.concurrentMap { CatalogReader.read($0) }
    let trees = results.compactMap(\.tree)
    guard trees.count == sources.count else {
      return CatalogResolution(report: checks.pass.report(results.flatMap(\.diagnostics), files: sources))
    }
    let paired = try PairedCatalogs.read(of: checks.target, checks.project)
    let (catalogs, report) = try CatalogResolver.resolve(
      trees, checks.pass, project: checks.project, paired: paired.catalogs
    ) { catalogs in
      let found = try comparison(catalogs)
      guard let problem = paired.problem else { return found }
      return ReleaseFindings([problem] + (found?.findings ?? []), areOfAllReleases: found?.areOfAllReleases ?? false)
    }
    return CatalogResolution(report: report, catalogs: report.hasErrors ? nil : catalogs)
  }

  /// Prints the findings to standard error and returns the catalogs.
  ///
  /// - Throws: The exit code for findings, if one of them is an error.
  static func report(
    _ resolution: CatalogResolution, as format: DiagnosticRenderer.Format, isColored: Bool
  ) throws -> [ResolvedCatalog] {
    printToError(resolution.report, as: format, isColored: isColored)
    guard let catalogs = resolution.catalogs else { throw ExitCode(.findings) }
    return catalogs
  }

  /// Prints findings to standard error. If there are none, only a form that is one document is printed.
  static func printToError(_ report: FindingsReport, as format: DiagnosticRenderer.Format, isColored: Bool) {
    guard !report.findings.isEmpty || format.isDocument else { return }
    Terminal.writeError(DiagnosticRenderer.render(report, as: format, isColored: isColored))
  }

  /// Emits the files of the catalogs, in the order of their paths.
  ///
  /// - Parameter page: The page about all catalogs, or nil if it is not written.
  static func emit(
    _ catalogs: [ResolvedCatalog], as formats: Set<CatalogEmitter.Format>, page: AuditPage?
  ) -> [Output] {
    let paths = catalogs.flatMap { catalog in CatalogEmitter.paths(of: catalog).map { ($0, catalog.path) } }
    // The page belongs to all catalogs. It is recorded with the first one, and removed when that one and all others are gone.
    let first = catalogs.map(\.path).min() ?? ""
    let sources = Dictionary(paths) { first, _ in first }
    return CatalogEmitter.emit(catalogs, as: formats, page: page).map { file in
      Output(file: file, source: sources[file.path] ?? first)
    }
  }

  /// Compares the files with those in the output folder.
  ///
  /// - Parameter isRemovable: Returns true if the run may remove an earlier output, from its path and whether its catalog is
  ///   gone.
  static func plan(
    _ outputs: [Output], of selection: CatalogSelection, for folder: OutputFolder,
    isRemovable: (_ path: String, _ isGone: Bool) -> Bool = { _, _ in true }
  ) throws -> OutputPlan {
    let plan = try folder.plan(for: outputs, of: selection, isRemovable: isRemovable)
    for path in plan.edited {
      Terminal.writeError(
        "local-data: note: '\(SafeText.escaped(folder.file(path)))' is an output of a catalog that is gone, but was "
          + "edited; remove it if it is not needed\n")
    }
    return plan
  }
}

/// The checks of a run besides the rules of the language.
struct Checks {
  var pass: FindingsPass
  var project: Project
  /// The target of the project that is checked. Its keys are compared with those of its paired device.
  var target = Project.Target()

  /// Returns the checks of one target of the project.
  func of(_ target: Project.Target) -> Checks {
    var checks = self
    checks.target = target
    return checks
  }
}

/// The catalogs of a run after all checks, and what the checks found.
struct CatalogResolution {
  var report: FindingsReport
  /// The checked catalogs, or nil if a finding is an error.
  var catalogs: [ResolvedCatalog]?
  /// What the snapshots of releases say, if the run asked.
  var history: ReleaseHistory?

  /// What a page about the catalogs shows besides their declarations.
  var auditContext: AuditContext {
    AuditContext(findings: report.undated, history: history.map(AuditHistory.init))
  }
}
