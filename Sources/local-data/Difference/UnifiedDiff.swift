/// Writes the difference of two files as `diff -u` does.
enum UnifiedDiff {
  private static let context = 3

  /// Returns the difference of two files, empty if they are the same. A file that does not exist is nil.
  static func write(old: [UInt8]?, new: [UInt8]?, path: String) -> [UInt8] {
    let oldLines = lines(of: old ?? [])
    let newLines = lines(of: new ?? [])
    var output = Array("--- \(old == nil ? "/dev/null" : path)\n+++ \(new == nil ? "/dev/null" : path)\n".utf8)
    let header = output.count
    for hunk in hunks(LineDifference.edits(oldLines, newLines)) { write(hunk, oldLines, newLines, to: &output) }
    return output.count == header && (old == nil) == (new == nil) ? [] : output
  }

  /// Returns the lines with their line ends. The last line may have none.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      lines.append(bytes[start...offset])
      start = offset + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }

  /// Returns groups of edits that are so near to each other that their context meets.
  private static func hunks(_ edits: [LineDifference.Edit]) -> [[LineDifference.Edit]] {
    var hunks: [[LineDifference.Edit]] = []
    for edit in edits {
      if let last = hunks.last?.last, edit.old.lowerBound - last.old.upperBound <= 2 * context {
        hunks[hunks.count - 1].append(edit)
      } else {
        hunks.append([edit])
      }
    }
    return hunks
  }

  private static func write(
    _ edits: [LineDifference.Edit], _ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>], to output: inout [UInt8]
  ) {
    guard let first = edits.first, let last = edits.last else { return }
    let before = min(context, first.old.lowerBound)
    let after = min(context, old.count - last.old.upperBound)
    let oldRange = first.old.lowerBound - before..<last.old.upperBound + after
    let newRange = first.new.lowerBound - before..<last.new.upperBound + after
    output += "@@ -\(position(oldRange)) +\(position(newRange)) @@\n".utf8

    var next = oldRange.lowerBound
    for edit in edits {
      write(old[next..<edit.old.lowerBound], " ", to: &output)
      write(old[edit.old], "-", to: &output)
      write(new[edit.new], "+", to: &output)
      next = edit.old.upperBound
    }
    write(old[next..<oldRange.upperBound], " ", to: &output)
  }

  /// Returns `start,count` as `diff` counts: the start of an empty range is the line before it.
  private static func position(_ range: Range<Int>) -> String {
    switch range.count {
    case 0: "\(range.lowerBound),0"
    case 1: "\(range.lowerBound + 1)"
    default: "\(range.lowerBound + 1),\(range.count)"
    }
  }

  private static func write(_ lines: ArraySlice<ArraySlice<UInt8>>, _ mark: Unicode.Scalar, to output: inout [UInt8]) {
    for line in lines {
      output.append(UInt8(ascii: mark))
      output += line
      if line.last != UInt8(ascii: "\n") { output += "\n\\ No newline at end of file\n".utf8 }
    }
  }
}
