/// A catalog's bytes and the path under which diagnostics name it.
package final class SourceFile: Sendable {
  /// The path as the user gave it, relative where theirs was.
  package let path: String
  /// The whole file, without a leading byte-order mark.
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// The name that the outputs have: the file's name without folder, `.catalog` and `.yaml`.
  package var baseName: String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for suffix in [".yaml", ".yml", ".catalog"] where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
      name.removeLast(suffix.count)
    }
    return name
  }
}

extension SourceFile {
  /// The start of the file: the place of findings about the whole file.
  package var start: SourcePlace {
    let start = SourceLocation(line: 1, column: 1)
    return SourcePlace(file: self, range: SourceRange(start: start, end: start))
  }
}

/// A place between two characters. Lines and columns are 1-based; columns count Unicode scalars.
package struct SourceLocation: Hashable, Sendable, Comparable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// The characters from `start` up to, not including, `end`.
package struct SourceRange: Hashable, Sendable {
  package var start: SourceLocation
  package var end: SourceLocation

  package init(start: SourceLocation, end: SourceLocation) {
    self.start = start
    self.end = end
  }
}

/// A range in a file.
package struct SourcePlace: Sendable {
  package var file: SourceFile
  package var range: SourceRange

  package init(file: SourceFile, range: SourceRange) {
    self.file = file
    self.range = range
  }
}
