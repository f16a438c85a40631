import CatalogSyntax

/// What stands above the keys of a catalog, and what its files must import.
struct CatalogHeader {
  /// Its place among the catalogs of the run.
  var index = 0
  var name = ""
  var nameNode: SyntaxNode?
  var access = AccessLevel.internal
  var imports: Set<String> = []
  /// Modules of types that other catalogs declare and this one uses.
  var borrowedModules: Set<String> = []
}
