package import CatalogModel
import StorageVocabulary

/// A catalog to the sources of its fixture test.
package struct FixtureSource: Sendable {
  /// `<Base>FixtureTests.swift`: the test, written anew whenever the catalog changes.
  package let test: GeneratedFile
  /// `<Base>FixtureValues.swift`: the values, written once, and the developer's from then on.
  package let values: GeneratedFile
  /// The values one by one, for those of keys that came later; the declaration, or where only the app can give a value,
  /// a comment that says so.
  package let declarations: [(member: String, text: String)]

  /// The sources of each catalog of a run. `module` is the one that the generated keys are in.
  package static func emit(_ catalogs: [ResolvedCatalog], module: String) -> [FixtureSource] {
    let samples = SampleValues(catalogs)
    return catalogs.map { FixtureSource($0, module: module, samples) }
  }

  private init(_ catalog: ResolvedCatalog, module: String, _ samples: SampleValues) {
    let keys = catalog.keys.filter { !$0.descriptor.isLegacy }
    let test = FixtureTestEmitter(catalog: catalog, keys: keys, module: module, samples: samples)
    declarations = keys.map { key in (key.descriptor.member, samples.declaration(of: key)) }
    self.test = GeneratedFile(path: "\(catalog.baseName)FixtureTests.swift", bytes: test.emit())
    values = GeneratedFile(
      path: "\(catalog.baseName)FixtureValues.swift", bytes: test.emitValues(declarations.map(\.text)))
  }
}
