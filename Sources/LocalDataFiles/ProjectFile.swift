package import LocalDataModel
import LocalDataSyntax

/// The file that says what a project asks of its catalogs.
package enum ProjectFile {
  package static let name = "local-data.yaml"

  /// Reads the project file of the current folder, or the one that was named.
  ///
  /// - Returns: An empty project if no file was named and there is none.
  /// - Throws: The exit code for findings, after they are printed, if the file has errors.
  package static func read(_ path: String?) throws -> Project {
    guard path != nil || DiskFile.kind(name) != nil else { return Project() }
    let source = try CatalogFile.read(path ?? name)
    let (tree, diagnostics) = CatalogReader.read(source)
    let decoded = tree.map { Project.decode($0) }
    let report = FindingsPass().report(diagnostics + (decoded?.diagnostics ?? []), files: [source])
    guard let decoded, !report.hasErrors else {
      GeneratorPipeline.printToError(report, in: .text)
      throw ToolExit.findings
    }
    // Before anything is written.
    for output in decoded.project.targets.compactMap(\.output) { _ = try CheckedPath(output) }
    return decoded.project
  }
}
