/// What the outputs of a catalog import in any case.
enum OutputName {
  static let standingImports: Set<String> = ["Swift", "Foundation", "LocalData", "StorageVocabulary"]
}
