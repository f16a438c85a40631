/// `Audit/.manifest`: the files of an output folder that are ours, sorted, a line each.
///
/// It is read from a working copy that anybody may have edited, so that only paths of the shape we write count.
struct OutputManifest: Equatable {
  static let path = "Audit/.manifest"

  /// Sorted, relative to the output folder.
  var paths: [String]

  init(paths: some Sequence<String>) {
    self.paths = Set(paths).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  init(_ bytes: [UInt8]) {
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    self.init(paths: lines.map { String(decoding: $0, as: UTF8.self) }.filter(Self.isOutput))
  }

  var bytes: [UInt8] { paths.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] } }

  /// A file in the folder itself or in `Audit`, neither hidden nor outside.
  private static func isOutput(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty, !name.hasPrefix(".") else { return false }
    return parts.count == 1 || parts.count == 2 && parts[0] == "Audit"
  }
}
