import Foundation

/// The package's own source, as the tests of its shape read it.
struct SwiftFile: Sendable {
  let name: String
  /// The path of its folder in the folder that was read.
  var folder = ""
  let lines: [Substring]

  /// The first bytes of imports: of attributes, access levels and the word itself.
  private static let beginnings = Set("@pif".utf8)

  /// The modules that it imports, whatever the access of the import.
  var imports: [String] {
    // Most lines are none, and a search takes long if it is not optimized.
    lines.filter { Self.beginnings.contains($0.firstByte ?? 0) && $0.contains("import ") }.compactMap { line in
      let pattern = /^\s*(?:@\S+ )*(?:(?:public|package|internal|private|fileprivate) )?import (\w+)/
      return line.firstMatch(of: pattern).map { String($0.1) }
    }
  }

  /// The words outside of lines that are comments.
  var words: Set<Substring> {
    Set(
      lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.flatMap { line in
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      })
  }

  /// The texts between quotes, without those in comments.
  var literals: [Substring] {
    lines.filter {
      $0.utf8.contains(UInt8(ascii: "\"")) && !$0.utf8.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8)
    }
    .flatMap { $0.matches(of: /"((?:[^"\\]|\\.)*)"/).map(\.1) }
  }

  /// The public types that it declares outside all others.
  var publicTypes: [String] {
    lines.filter { $0.hasPrefix("public ") || $0.hasPrefix("@") }.compactMap { line in
      let pattern = /^(?:@\S+ )*public (?:final |indirect )?(?:struct|enum|class|actor|protocol|typealias) (\w+)/
      return line.firstMatch(of: pattern).map { String($0.1) }
    }
  }

  /// The folder of the package.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The targets whose code an app can contain.
  static let runtime = [
    "LocalDataVocabulary", "LocalDataAudit", "LocalDataShapes", "LocalDataSystem", "LocalDataSQLite", "LocalDataStores",
    "LocalDataRecordKeys",
    "LocalData",
    "LocalDataMaintenance", "LocalDataRecords", "LocalDataImport", "LocalDataSigning",
    "LocalDataBackup",
    "LocalDataSync",
  ]

  /// All files below `Sources`, which many tests ask for.
  private static let sources = Result { try read("Sources") }

  /// All files of a folder below `Sources`, or below another folder of the package.
  static func all(in folder: String, below root: String = "Sources") throws -> [SwiftFile] {
    if root != "Sources" { return try read("\(root)/\(folder)") }
    if folder.isEmpty { return try sources.get() }
    return try sources.get().compactMap { file in
      guard "\(file.folder)/".hasPrefix("\(folder)/") else { return nil }
      return SwiftFile(name: file.name, folder: String(file.folder.dropFirst(folder.count + 1)), lines: file.lines)
    }
  }

  private static func read(_ folder: String) throws -> [SwiftFile] {
    let start = package.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
    return try paths.sorted().filter { $0.hasSuffix(".swift") }.map { path in
      let text = String(decoding: try Data(contentsOf: start.appendingPathComponent(path)), as: UTF8.self)
      return SwiftFile(
        name: start.appendingPathComponent(path).lastPathComponent,
        folder: path.split(separator: "/").dropLast().joined(separator: "/"),
        lines: text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) })
    }
  }
}

extension Substring {
  /// The first byte after the indentation.
  fileprivate var firstByte: UInt8? { utf8.first { $0 != UInt8(ascii: " ") } }
}
