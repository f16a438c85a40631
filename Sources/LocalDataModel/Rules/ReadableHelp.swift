import LocalDataSyntax

/// The check that help texts propose YAML that can be read.
enum ReadableHelp {
  /// Returns the findings without the help texts whose proposals cannot be read. A user who pasted one would get another error.
  ///
  /// Findings beyond those that are printed are not examined.
  static func checked(_ findings: [Diagnostic]) -> [Diagnostic] {
    var findings = findings
    for index in findings.indices.prefix(FindingsReport.limit) {
      guard let help = findings[index].help, !proposals(in: help).allSatisfy(canBeRead) else { continue }
      findings[index].help = nil
    }
    return findings
  }

  /// Returns the parts of a help text between backticks that are fields or maps of a catalog.
  private static func proposals(in help: String) -> [Substring] {
    guard help.utf8.contains(UInt8(ascii: "`")) else { return [] }
    return help.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) && ($0.element.contains(": ") || $0.element.hasPrefix("{")) }
      .map(\.element)
  }

  private static func canBeRead(_ proposal: Substring) -> Bool {
    CatalogReader.read(SourceFile(path: "", bytes: Array(proposal.utf8))).tree != nil
  }
}
