import LocalDataDocuments
import LocalDataFiles
import LocalDataModel
import LocalDataSyntax

/// A property list of an app: its privacy manifest or its entitlements.
struct AppFile {
  let path: String
  /// The bytes on the disk, or nil if there is no such file.
  private(set) var bytes: [UInt8]?

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Reads a file, which may be missing.
  static func readIfPresent(_ path: String) throws -> AppFile {
    let checked = try CheckedPath(path)
    switch DiskFile.kind(path) {
    case nil: return AppFile(path: path, bytes: nil)
    case .file: break
    case .folder, .link, .other: throw ToolFailure(.wrongUse, "'\(path)' is not a file")
    }
    do {
      return AppFile(path: path, bytes: try DiskFile.read(checked, limit: PropertyListReader.maximumSize + 4))
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(path)': \(error.text)")
    }
  }

  /// Reads a file.
  static func read(_ path: String) throws -> AppFile {
    let file = try readIfPresent(path)
    guard file.bytes != nil else { throw ToolFailure(.cannotReadOrWrite, "there is no file '\(path)'") }
    return file
  }

  /// Returns the property list.
  ///
  /// - Parameter text: The text of a file that does not exist.
  func propertyList(orNew text: String = "") throws(PropertyListFailure) -> PropertyList {
    try PropertyListReader.read(SourceFile(path: path, bytes: bytes ?? Array(text.utf8)))
  }

  /// Returns text as the bytes of this file: with a byte-order mark if the file has one.
  func encoded(_ text: [UInt8]) -> [UInt8] {
    bytes?.starts(with: Self.byteOrderMark) == true ? Self.byteOrderMark + text : text
  }
}

extension FindingsReport {
  /// The findings in files of an app.
  init(_ findings: [Diagnostic], inFiles files: Int, of catalogs: Int, _ arguments: CatalogArguments) throws {
    var order: [SourceFile] = []
    for file in findings.compactMap({ $0.place?.file }) where !order.contains(where: { $0 === file }) {
      order.append(file)
    }
    self = try arguments.checks().pass.report(findings, files: order)
    self.catalogs = catalogs
    self.files = files
  }
}
