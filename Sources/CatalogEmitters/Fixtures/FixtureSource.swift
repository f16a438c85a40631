package import CatalogModel
import StorageVocabulary

/// A catalog to the sources of its fixture test.
package struct FixtureSource: Sendable {
  /// `<Base>FixtureKeys.swift` and `<Base>FixtureTests.swift`, written anew whenever the catalog changes.
  package let tests: [GeneratedFile]
  /// `<Base>FixtureValues.swift`: written once, and the developer's from then on.
  package let values: GeneratedFile
  /// The values one by one, for those of keys that came later: a declaration, or a comment where only the app can give one.
  package let declarations: [(member: String, text: String)]

  /// The sources of each catalog of a run that has keys to read. `module` is the one that the generated keys are in.
  package static func emit(_ catalogs: [ResolvedCatalog], module: String) -> [FixtureSource] {
    let samples = SampleValues(catalogs)
    return catalogs.compactMap { FixtureSource($0, module: module, samples) }
  }

  private init?(_ catalog: ResolvedCatalog, module: String, _ samples: SampleValues) {
    let keys = catalog.keys.filter { !$0.descriptor.isLegacy }
    if keys.isEmpty { return nil }
    let emitter = FixtureEmitter(catalog: catalog, keys: keys, module: module, samples: samples)
    declarations = keys.map { ($0.descriptor.member, samples.declaration(of: $0)) }
    tests = [
      GeneratedFile(path: "\(catalog.baseName)FixtureKeys.swift", parts: [emitter.emitKeys()]),
      GeneratedFile(path: "\(catalog.baseName)FixtureTests.swift", parts: [emitter.emitTests()]),
    ]
    values = GeneratedFile(
      path: "\(catalog.baseName)FixtureValues.swift", parts: [emitter.emitValues(declarations.map(\.text))])
  }
}
