/// What the outputs of a catalog are named after, and what they import in any case.
enum OutputName {
  static let standingImports: Set<String> = ["Swift", "Foundation", "LocalData", "StorageVocabulary"]

  /// The file's name without folder, `.catalog` and `.yaml`.
  static func baseName(_ path: String) -> String {
    var name = path.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init) ?? path
    for suffix in [".yaml", ".yml", ".catalog"] where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
      name.removeLast(suffix.count)
    }
    return name
  }
}
