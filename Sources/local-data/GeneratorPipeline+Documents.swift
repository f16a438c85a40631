import LocalDataModel
import LocalDataSyntax
import LocalDataDocuments
import LocalDataEmission
import LocalDataFiles

/// The stages of runs that print findings in any form, and write documents beside the Swift files.
extension GeneratorPipeline {
  /// Prints the findings to standard error and returns the catalogs.
  ///
  /// - Throws: The exit code for findings, if one of them is an error.
  static func report(
    _ resolution: CatalogResolution, as format: FindingsFormat, isColored: Bool
  ) throws -> [ResolvedCatalog] {
    printToError(resolution.report, as: format, isColored: isColored)
    guard let catalogs = resolution.catalogs else { throw ToolExit.findings }
    return catalogs
  }

  /// Prints findings to standard error. If there are none, only a form that is one document is printed.
  static func printToError(_ report: FindingsReport, as format: FindingsFormat, isColored: Bool) {
    guard !report.findings.isEmpty || format.isDocument else { return }
    Terminal.writeError(format.render(report, isColored: isColored))
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
}

extension CatalogResolution {
  /// What a page about the catalogs shows besides their declarations.
  var auditContext: AuditContext {
    AuditContext(findings: report.undated, history: releases.flatMap(ReleaseHistory.init).map(AuditHistory.init))
  }
}

extension ReleaseHistory {
  /// The history of today's declarations in the snapshots; nil if there are none.
  init?(_ check: ReleaseCheck) {
    guard let today = check.today, !check.baselines.isEmpty else { return nil }
    self.init(
      check.baselines.map { ($0.version.text, $0.baseline) }, today: today, check.findings, unread: check.unread)
  }
}
