import ArgumentParser
import CatalogEmitters
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
  /// - Parameter selection: The selected files, beside which the snapshots are; nil if catalogs are not compared with them.
  static func resolve(
    _ sources: [SourceFile], _ checks: Checks, releasesBeside selection: CatalogSelection? = nil
  ) throws -> CatalogResolution {
    try resolve(sources, checks) { catalogs in
      guard let selection else { return nil }
      let found = try ReleaseCheck.diagnostics(catalogs, sources, selection, checks)
      return ReleaseFindings(found, areOfAllReleases: true)
    }
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
  static func emit(_ catalogs: [ResolvedCatalog]) -> [Output] {
    let paths = catalogs.flatMap { catalog in CatalogEmitter.paths(of: catalog).map { ($0, catalog.path) } }
    let sources = Dictionary(paths) { first, _ in first }
    return CatalogEmitter.emit(catalogs).map { file in
      Output(file: file, source: sources[file.path] ?? "")
    }
  }

  /// Compares the files with those in the output folder.
  static func plan(
    _ outputs: [Output], of selection: CatalogSelection, for folder: OutputFolder
  ) throws -> OutputPlan {
    let plan = try folder.plan(for: outputs, of: selection)
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
}
