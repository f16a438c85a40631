/// `Audit/.manifest`: the files that the tool has written to an output folder, sorted, one on each line, with the
/// catalog that each was written from and its checksum.
///
/// The manifest is read from a working copy that anybody may have edited. Only lines of the shape that the tool writes
/// count. None of them makes the tool remove a file with another checksum, or one that does not say that the tool wrote it.
package struct OutputManifest: Equatable {
  package struct Entry: Hashable {
    /// The path of the output, relative to the output folder.
    package var path: String
    /// The path of the catalog, relative to the output folder.
    package var source: String
    var checksum: String
  }

  package static let name = ".manifest"
  private static let header = "# Written by local-data: each file, its catalog, its checksum.\n"

  /// Sorted by their lines.
  package private(set) var entries: [Entry]

  init(_ entries: some Sequence<Entry>) {
    self.entries = Set(entries).sorted { Self.line($0).utf8.lexicographicallyPrecedes(Self.line($1).utf8) }
  }

  /// Reads a manifest. `documents` is the one folder in the output folder that outputs can be in.
  init(_ bytes: [UInt8], documents: String) {
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    self.init(lines.compactMap { Self.entry(String(decoding: $0, as: UTF8.self), documents: documents) })
  }

  /// The manifest as a file, or nil if it has no entries: then there is no file.
  package var bytes: [UInt8]? { entries.isEmpty ? nil : Array((Self.header + entries.map(Self.line).joined()).utf8) }

  private static func line(_ entry: Entry) -> String {
    "\(entry.path)\t\(escaped(entry.source))\t\(entry.checksum)\n"
  }

  private static func entry(_ line: String, documents: String) -> Entry? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 3, isOutput(fields[0], documents: documents), fields[2].utf8.count == 16 else { return nil }
    return Entry(path: fields[0], source: unescaped(fields[1]), checksum: fields[2])
  }

  /// A file in the folder itself or in `documents`, neither hidden nor outside.
  private static func isOutput(_ path: String, documents: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty, !name.hasPrefix(".") else { return false }
    return parts.count == 1 || parts.count == 2 && parts[0] == documents
  }

  // MARK: - Line ends and tabs in the names of folders

  private static let escapes = ["%": "%25", "\t": "%09", "\n": "%0A", "\r": "%0D"]

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += escapes[String($1)] ?? String($1) }
  }

  private static func unescaped(_ text: String) -> String {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts.first ?? "")) { result, part in
      let original = escapes.first { $0.value.dropFirst() == part.prefix(2) }
      result += original.map { $0.key + part.dropFirst(2) } ?? "%" + part
    }
  }
}
