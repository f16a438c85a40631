import CatalogSyntax

/// The fields above the keys of a catalog, and the modules that its outputs import.
struct CatalogHeader {
  /// Modules that generated code imports by itself where it needs them, or that none may import.
  static let standingImports: Set<String> = ["Swift", "Foundation", "LocalData", "StorageVocabulary"]

  /// Its place among the catalogs of the run.
  var index = 0
  var name = ""
  var nameNode: SyntaxNode?
  var access = AccessLevel.internal
  var imports: Set<String> = []
  /// Modules of types that other catalogs declare and this one uses.
  var borrowedModules: Set<String> = []
}
