import LocalDataModel
import Foundation
import LocalDataVocabulary
import Testing

@testable import LocalDataDocuments

/// The audit as CSV, read back by a reader of RFC 4180.
struct CSVAuditTests {
  /// Returns the cells of each row, or nil if the bytes are not CSV as RFC 4180 has it.
  private static func rows(_ bytes: [UInt8]) -> [[String]]? {
    var rows: [[String]] = []
    var row: [String] = []
    var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    while !rest.isEmpty {
      guard let cell = cell(&rest) else { return nil }
      row.append(cell)
      switch rest.popFirst() {
      case ",": continue
      case "\r" where rest.popFirst() == "\n":
        rows.append(row)
        row = []
      default: return nil
      }
    }
    return row.isEmpty ? rows : nil
  }

  private static func cell(_ rest: inout Substring.UnicodeScalarView) -> String? {
    var text = String.UnicodeScalarView()
    guard rest.first == "\"" else {
      while let next = rest.first, next != ",", next != "\r" {
        guard next != "\"", next != "\n" else { return nil }
        text.append(next)
        rest.removeFirst()
      }
      return String(text)
    }
    rest.removeFirst()
    while let next = rest.popFirst() {
      guard next == "\"" else {
        text.append(next)
        continue
      }
      guard rest.first == "\"" else { return String(text) }
      text.append("\"")
      rest.removeFirst()
    }
    return nil
  }

  /// The text that a reader has after it removed the apostrophe.
  private static func text(_ cell: String) -> String { cell.hasPrefix("'") ? String(cell.dropFirst()) : cell }

  /// The text with the characters that are written as their numbers.
  private static func shown(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
          guard !["\n", "\r", "\t"].contains(scalar),
            scalar.value < 0x20
              || [.control, .format, .lineSeparator, .paragraphSeparator].contains(
                scalar.properties.generalCategory),
            ![0x200C, 0x200D].contains(scalar.value)
          else { return [scalar] }
          return Array("\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
        }))
  }

  private static let formulas = [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\"=1", "\"\"=1", " =1", "'=1", "'", "''", "＝1", "－1",
    "=HYPERLINK(\"http://x\",\"y\")", "=cmd|' /C calc'!A0", "\u{FEFF}=1", "a\r\n=1", "a,=1", "a\",=1,\"", "",
  ]

  @Test(arguments: Samples.hostile + formulas)
  func textComesBack(_ text: String) throws {
    let key = Samples.key("key", name: text, description: text) { $0.owner = text }
    let rows = try #require(Self.rows(AuditFormat.csv.render([Samples.catalog(keys: [key])])))
    #expect(rows.map(\.count) == [CSVAudit.columns.count, CSVAudit.columns.count])
    for column in ["storedName", "owner", "description"] {
      let cell = rows[1][try #require(CSVAudit.columns.firstIndex(of: column))]
      #expect(Self.text(cell) == Self.shown(text), "\(column)")
      #expect(!["=", "+", "-", "@", "\t", "\r", "\n"].contains { cell.hasPrefix($0) }, "\(column)")
      let start = cell.drop { "\" \t\r\n".contains($0) }
      #expect(!["=", "+", "-", "@"].contains { start.hasPrefix($0) }, "\(column)")
    }
  }

  /// What spreadsheets ignore before a formula.
  private static let ignored: Set<Unicode.Scalar> = [
    "\"", "'", " ", "\t", "\r", "\n", "\u{A0}", "\u{3000}", "\u{FEFF}",
  ]
  private static let starts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

  @Test func noIgnoredCharacterHidesAFormula() throws {
    #expect(CSVText.ignored == Self.ignored && CSVText.starts == Self.starts)
    for start in Self.starts {
      for prefix in [""] + Self.ignored.map(String.init) {
        for text in ["\(prefix)\(start)1", "\(prefix)\(prefix)\(start)1", " \(prefix)\(start)1"] {
          let key = Samples.key("key", description: text)
          let rows = try #require(Self.rows(AuditFormat.csv.render([Samples.catalog(keys: [key])])))
          let cell = rows[1][try #require(CSVAudit.columns.firstIndex(of: "description"))]
          #expect(cell.hasPrefix("'"), "\(text.debugDescription)")
        }
      }
    }
  }

  @Test func unmanagedDataHasRows() throws {
    let catalogs = try #require(try GoldenCase.all.first { $0.name == "Unmanaged" }).resolve()
    let rows = try #require(Self.rows(AuditFormat.csv.render(catalogs))).filter { $0[0] == "unmanaged" }
    #expect(rows.map { $0[2] } == ["episodes", "crashes", "identity", "installation"])
    #expect(rows.map { $0[3] } == ["Episodes/", "Crashes/log.txt", "", "FIRInstallationID"])
    #expect(rows.map { $0[8] } == ["internal", "personal", "credential", "internal"])
    #expect(rows.allSatisfy { $0.count == CSVAudit.columns.count })
    #expect(rows[0].contains("90d after the last write") && rows[0].contains { $0.hasPrefix("excluded") })
    #expect(rows[1].contains("crashData") && rows[1].contains("none, stored as it is, file protection complete"))
    let processing = try #require(Self.rows(ProcessingRecord.emit(catalogs, [])))
    #expect(processing.first { $0[0] == "analytics" }?[2] == "crashes")
    #expect(processing.first { $0[0] == ProcessingRecord.notDeclared }?[2] == "identity")
  }

  @Test func aRowHasWhatAReviewerAsks() throws {
    let rows = try #require(Self.rows(AuditFormat.csv.render(RecordSamples.packageRecords)))
    #expect(rows.first == CSVAudit.columns)
    let fields = RecordSamples.packageRecords.flatMap { $0.records.flatMap(\.fields) }
    let keys = RecordSamples.packageRecords.flatMap(\.keys)
    let databases = RecordSamples.packageRecords.flatMap(\.databases)
    #expect(rows.count == 1 + keys.count + fields.count + databases.count)
    #expect(rows.dropFirst().allSatisfy { $0.count == CSVAudit.columns.count })
    func cell(_ name: String, _ column: String) throws -> String {
      let row = try #require(rows.first { $0[2] == name })
      return row[try #require(CSVAudit.columns.firstIndex(of: column))]
    }
    let sealed = try #require(
      RecordSamples.packageRecords.flatMap { catalog in
        catalog.records.flatMap { record in record.fields.map { (record, $0) } }
      }.first { $0.1.encryption == .sealed })
    let name = "\(sealed.0.name).\(sealed.1.name)"
    #expect(try cell(name, "kind") == "field")
    #expect(try cell(name, "security").contains("encrypted") || cell(name, "security").contains("recommended"))
    #expect(try cell(name, "owner") == sealed.0.owner)
    let database = try #require(databases.first)
    #expect(try cell(database.member, "kind") == "database")
    #expect(try cell(database.member, "owner") == database.owner)
  }
}
