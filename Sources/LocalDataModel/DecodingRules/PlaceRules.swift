import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let parameterEncoding = Rule(
    "parameter-encoding", .places, "No parameter is verbatim in the name of a file.",
    why: "The name of a file is escaped, so that no value leaves its folder. A `path` says what is on the disk.",
    bad: .keys(
      "draft:\n  type: String\n  domain: {fileSystem: {directory: documents}}\n"
        + "  parameters: {id: {type: UUID, encoding: verbatim}}\n  description: What the user wrote."),
    good: .keys(
      "draft:\n  type: String\n  domain: userDefaults\n"
        + "  parameters: {id: {type: UUID, encoding: verbatim}}\n  description: What the user wrote."))
}

/// Verbatim parameters in the names of files.
enum VerbatimFile {
  static let help = "remove `encoding: verbatim`, or write the `path` of the file"

  static func problem(_ parameters: [ResolvedKey.Parameter], in domain: StorageDomain) -> String? {
    guard domain.kind.isFile, !domain.isExact, let name = parameters.first(where: { $0.encoding == .verbatim })?.name
    else { return nil }
    return "the parameter '\(name)' is verbatim, and the library names the file"
  }
}

/// The security of files with a path.
enum PathSecurity {
  static let problem = "a file with a 'path' is stored as it is, because other code reads it"
  static let help = "write `security: none`, or remove `path`"
}
