package import CatalogModel

/// Checked catalogs to files in memory.
package enum CatalogEmitter {
  /// The Swift and audit files of all catalogs of a run, in the order of their paths.
  package static func emit(_ catalogs: [ResolvedCatalog]) -> [GeneratedFile] { [] }
}
