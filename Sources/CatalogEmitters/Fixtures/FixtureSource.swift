package import CatalogModel
import StorageVocabulary

/// The sources of a catalog's fixture test.
package struct FixtureSource: Sendable {
  /// `<Base>FixtureKeys.swift` and `<Base>FixtureTests.swift`, which are replaced whenever the catalog changes.
  package let tests: [GeneratedFile]
  /// `<Base>FixtureValues.swift`, which is written once. The developer edits it.
  package let values: GeneratedFile
  /// The values one by one, for keys that are added later: a declaration, or a comment if only the app can make the value.
  package let declarations: [(member: String, text: String)]

  /// Returns the sources of each catalog that has keys to read. `module` is the module of the generated keys.
  package static func emit(_ catalogs: [ResolvedCatalog], module: String) -> [FixtureSource] {
    let samples = SampleValues(catalogs)
    return catalogs.compactMap { FixtureSource($0, module: module, samples) }
  }

  private init?(_ catalog: ResolvedCatalog, module: String, _ samples: SampleValues) {
    let keys = catalog.keys.filter { !$0.descriptor.isLegacy }
    if keys.isEmpty { return nil }
    let emitter = FixtureEmitter(catalog: catalog, keys: keys, module: module, samples: samples)
    let declared = keys.map { samples.declaration(of: $0) }
    declarations = zip(keys, declared).map { ($0.descriptor.member, $1.text) }
    tests = [
      GeneratedFile(path: "\(catalog.baseName)FixtureKeys.swift", parts: [emitter.emitKeys()]),
      GeneratedFile(path: "\(catalog.baseName)FixtureTests.swift", parts: [emitter.emitTests()]),
    ]
    values = GeneratedFile(
      path: "\(catalog.baseName)FixtureValues.swift",
      parts: [
        emitter.emitValues(
          declared.map(\.text), naming: declared.reduce(into: []) { $0.formUnion($1.types) })
      ])
  }
}
