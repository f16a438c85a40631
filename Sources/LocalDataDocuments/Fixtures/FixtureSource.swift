package import LocalDataEmission
package import LocalDataModel
import LocalDataVocabulary

/// The sources of a catalog's fixture test.
package struct FixtureSource: Sendable {
  /// `<Base>FixtureKeys.swift` and `<Base>FixtureTests.swift`, which are replaced whenever the catalog changes.
  package let tests: [GeneratedFile]
  /// `<Base>FixtureValues.swift`, which is written once. The developer edits it.
  package let values: GeneratedFile
  /// The values one by one, for keys that are added later: a declaration, or a comment if only the app can make the value.
  package let declarations: [(member: String, text: String)]

  /// Returns the sources of each catalog that has keys or records to read.
  ///
  /// - Parameters:
  ///   - module: The module of the generated keys.
  ///   - releases: The releases that have rows in a database, by its member.
  package static func emit(
    _ catalogs: [ResolvedCatalog], module: String, releases: [String: [String]] = [:]
  ) -> [FixtureSource] {
    let samples = SampleValues(catalogs)
    let records = catalogs.flatMap(\.records)
    return catalogs.compactMap { catalog in
      let keys = catalog.keys.filter { !$0.descriptor.isLegacy && !$0.isSigningKey }
      let records = FixtureRecords(of: catalog, records)
      if keys.isEmpty, records.records.isEmpty { return nil }
      return FixtureSource(
        FixtureEmitter(
          catalog: catalog, keys: keys, records: records, module: module, samples: samples, releases: releases))
    }
  }

  private init(_ emitter: FixtureEmitter) {
    let catalog = emitter.catalog
    let keys = emitter.keys
    let records = emitter.records.records
    let declared =
      keys.map { emitter.samples.declaration(of: $0) } + records.map { emitter.samples.declaration(of: $0) }
    declarations = zip(keys.map(\.descriptor.member) + records.map(\.member), declared).map { ($0, $1.text) }
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
