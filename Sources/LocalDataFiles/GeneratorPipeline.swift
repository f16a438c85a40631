import LocalDataEmission
package import LocalDataModel
package import LocalDataSyntax

/// The stages of a run, from arguments to files. Each stage takes the value that the one before returned:
///
///     arguments → CatalogSelection → [SourceFile] → CatalogResolution → [ResolvedCatalog] → [Output] → OutputPlan
///
/// A stage looks at all catalogs. If it finds an error in one, no later stage runs.
package enum GeneratorPipeline {
  /// Reads the selected files.
  package static func read(_ selection: CatalogSelection) throws -> [SourceFile] {
    let sources = try selection.paths.map(CatalogFile.read) + [selection.input].compactMap { $0 }
    return sources.sorted { ($0.baseName, $0.path) < ($1.baseName, $1.path) }
  }

  /// Parses, decodes and checks catalogs, and compares them with the snapshots of releases.
  ///
  /// - Parameter selection: The selected files, beside which the snapshots are; nil if catalogs are not compared with them.
  package static func resolve(
    _ sources: [SourceFile], _ checks: Checks, releasesBeside selection: CatalogSelection? = nil
  ) throws -> CatalogResolution {
    var releases: ReleaseCheck?
    var resolution = try resolve(sources, checks) { catalogs in
      guard let selection else { return nil }
      let check = try ReleaseCheck(catalogs, sources, selection, checks)
      releases = check
      return ReleaseFindings(check.diagnostics, areOfAllReleases: true)
    }
    resolution.releases = releases
    return resolution
  }

  /// Parses, decodes and checks catalogs.
  ///
  /// - Parameter comparison: A comparison of catalogs without errors with earlier states.
  package static func resolve(
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

  /// Prints findings to standard error, if there are some.
  package static func printToError(_ report: FindingsReport, in format: DiagnosticRenderer.Format) {
    guard !report.findings.isEmpty else { return }
    Terminal.writeError(DiagnosticRenderer.render(report, as: format))
  }

  /// Emits the Swift files of the catalogs, in the order of their paths.
  package static func emitSwift(_ catalogs: [ResolvedCatalog]) -> [Output] {
    let sources = Dictionary(catalogs.map { ($0.swiftFileName, $0.path) }) { first, _ in first }
    return SwiftEmitter.emit(catalogs).map { Output(file: $0, source: sources[$0.path] ?? "") }
  }

  /// Compares the files with those in the output folder.
  ///
  /// - Parameter isRemovable: Returns true if the run may remove an earlier output, from its path and whether its catalog is
  ///   gone.
  package static func plan(
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
package struct Checks {
  package var pass: FindingsPass
  package var project: Project
  /// The target of the project that is checked. Its keys are compared with those of its paired device.
  package var target: Project.Target

  package init(pass: FindingsPass, project: Project, target: Project.Target = Project.Target()) {
    self.pass = pass
    self.project = project
    self.target = target
  }

  /// Returns the checks of one target of the project.
  package func of(_ target: Project.Target) -> Checks {
    var checks = self
    checks.target = target
    return checks
  }
}

/// The catalogs of a run after all checks, and what the checks found.
package struct CatalogResolution {
  package var report: FindingsReport
  /// The checked catalogs, or nil if a finding is an error.
  package var catalogs: [ResolvedCatalog]?
  /// The comparison with the snapshots of releases, if the run asked for it.
  package var releases: ReleaseCheck?
}
