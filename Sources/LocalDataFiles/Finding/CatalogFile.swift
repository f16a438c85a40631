package import LocalDataSyntax

/// The bytes of catalogs.
package enum CatalogFile {
  // A byte-order mark does not count, and one byte more shows the reader that the file is too large.
  private static let limit = CatalogReader.maximumSize + 4

  package static func read(_ path: String) throws -> SourceFile {
    let checked = try CheckedPath(path)
    do {
      return SourceFile(path: path, bytes: try DiskFile.read(checked, limit: limit))
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(path)': \(error.text)")
    }
  }

  package static func readStandardInput(as path: String) throws -> SourceFile {
    do {
      return SourceFile(path: path, bytes: try DiskFile.read(0, limit: limit))
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read standard input: \(error.text)")
    }
  }
}
