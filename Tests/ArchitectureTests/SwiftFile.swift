import Foundation

/// The package's own source, as the tests of its shape read it.
struct SwiftFile: Sendable {
  let name: String
  /// The path of its folder in the folder that was read.
  var folder = ""
  let lines: [Substring]

  /// The modules that it imports, whatever the access of the import.
  var imports: [String] {
    lines.filter { $0.contains("import ") }.compactMap { line in
      let pattern = /^\s*(?:@\S+ )*(?:(?:public|package|internal|private|fileprivate) )?import (\w+)/
      return line.firstMatch(of: pattern).map { String($0.1) }
    }
  }

  /// The texts between quotes, without those in comments.
  var literals: [Substring] {
    lines.filter { $0.utf8.contains(UInt8(ascii: "\"")) && !$0.contains(/^\s*\/\//) }
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

  /// All files of a folder below `Sources`, or below another folder of the package.
  static func all(in folder: String, below root: String = "Sources") throws -> [SwiftFile] {
    let start = package.appendingPathComponent(root).appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
    return try paths.sorted().filter { $0.hasSuffix(".swift") }.map { path in
      let text = String(decoding: try Data(contentsOf: start.appendingPathComponent(path)), as: UTF8.self)
      return SwiftFile(
        name: start.appendingPathComponent(path).lastPathComponent,
        folder: path.split(separator: "/").dropLast().joined(separator: "/"),
        lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }
}
