import LocalDataSyntax

/// A file in memory, with its path relative to the output folder.
package struct GeneratedFile: Sendable, Hashable {
  package var path: String
  /// The content in consecutive pieces. They are emitted concurrently, and joining some megabytes would take longer than
  /// writing them one after another.
  package var parts: [[UInt8]]

  package init(path: String, parts: [[UInt8]]) {
    self.path = path
    self.parts = parts
  }

  /// Returns the files of pieces, sorted by path. The pieces of one file follow each other.
  package static func joined(_ pieces: [GeneratedFile]) -> [GeneratedFile] {
    let files: [GeneratedFile] = pieces.reduce(into: []) { files, next in
      if let last = files.indices.last, files[last].path == next.path {
        files[last].parts += next.parts
      } else {
        files.append(next)
      }
    }
    return files.sorted { $0.path < $1.path }
  }

  /// The content in one piece.
  package var bytes: [UInt8] { parts.count == 1 ? parts[0] : parts.reduce(into: []) { $0 += $1 } }

  /// Returns true if the content is equal to `bytes`.
  package func holds(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var offset = 0
      for part in parts {
        guard part.withUnsafeBufferPointer({ bytes.hasEqual($0, at: offset) }) else { return false }
        offset += part.count
      }
      return offset == bytes.count
    }
  }
}
