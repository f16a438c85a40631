import LocalDataEmission
import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// Rows of a CSV document (RFC 4180): commas, CR LF at the end of each row, and quotes around cells that need them.
///
/// Spreadsheets run a cell that begins like a formula, also in quotes. Such a cell begins with an apostrophe here, and so
/// does every cell whose text begins with one. A program that reads the document removes one apostrophe from the start of
/// a cell, and then has the text. Line ends and tabs stay in the text. Other invisible characters are written as their
/// numbers, for example `\u{202E}`, because a CSV file is also shown in terminals.
extension OutputBuffer {
  mutating func writeCSVRow(_ cells: [String]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { write(",") }
      writeCSVCell(cell)
    }
    write("\r\n")
  }

  private mutating func writeCSVCell(_ text: String) {
    let isMarked = CSVText.isMarked(text)
    guard isMarked || text.utf8.contains(where: Self.specialInCSV.contains) else { return write(text) }
    write("\"")
    if isMarked { write("'") }
    write(text, special: Self.specialInCSV) { output, scalar in
      switch scalar {
      case "\"": output.write("\"\"")
      case "\n": output.write("\n")
      case "\r": output.write("\r")
      case "\t": output.write("\t")
      case _ where InvisibleCharacter.contains(scalar): output.writeNumber(of: scalar)
      default: output.write(String(scalar))
      }
    }
    write("\"")
  }

  private static let specialInCSV = ASCIISet("\",")
}

/// Text that would be a formula in a spreadsheet.
enum CSVText {
  /// Returns true if a cell with this text begins with an apostrophe.
  ///
  /// Some spreadsheets ignore white space and quotes before a formula, and some take the wide signs of East Asian text for
  /// the ordinary ones.
  static func isMarked(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    if first == "'" || first == "\t" || first == "\r" || first == "\n" { return true }
    return text.unicodeScalars.first { !ignored.contains($0) }.map(starts.contains) ?? false
  }

  static let ignored: Set<Unicode.Scalar> = [
    "\"", "'", " ", "\t", "\r", "\n", "\u{A0}", "\u{3000}", "\u{FEFF}",
  ]
  static let starts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
}
