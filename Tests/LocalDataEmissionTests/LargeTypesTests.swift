import LocalDataDocuments
import LocalDataEmission
import LocalDataModel
import LocalDataVocabulary
import Testing

/// Types of any size and depth are emitted in time that grows with the output, and without a deep stack.
struct LargeTypesTests {
  private static func structure(_ name: String, _ fields: [(name: String, type: ValueType)]) -> ResolvedType {
    ResolvedType(
      name: name, description: "", line: 1,
      form: .structure(
        fields.map { ResolvedType.Field(name: $0.name, type: $0.type, defaultValue: nil, description: nil) }))
  }

  /// A chain of structs, each with so many fields of the next one.
  private static func chain(_ length: Int, fields: [String]) -> [ResolvedType] {
    (0..<length).map { index in
      let next = index + 1 < length ? ValueType.declared("S\(index + 1)") : .scalar(.int)
      return structure("S\(index)", fields.map { ($0, next) })
    }
  }

  private static func sample(_ types: [ResolvedType], of type: String = "S0") throws -> String {
    let catalog = Samples.catalog(types: types, keys: [Samples.key("key", .declared(type))])
    return try #require(FixtureSource.emit([catalog], module: "App").first?.declarations.first?.text)
  }

  private static let comment = "// The app's own type: var key: S0 { … }"

  @Test(.timeLimit(.minutes(30))) func aTreeOfStructsHasNoSampleWhenItIsTooLarge() throws {
    #expect(try Self.sample(Self.chain(30, fields: ["a", "b"])) == Self.comment)
    #expect(try Self.sample(Self.chain(3, fields: ["a", "b"])).contains("S2(a: -5, b: -5)"))
  }

  /// Optional fields are left out of a sample that would be too large, and the search for it ends.
  @Test(.timeLimit(.minutes(30))) func aTreeOfOptionalStructsEnds() throws {
    let types = (0..<40).map { index in
      let next = ValueType.optional(index < 39 ? .declared("S\(index + 1)") : .scalar(.int))
      return Self.structure("S\(index)", [("a", next), ("b", .list(next)), ("c", next)])
    }
    #expect(try Self.sample(types).count < 10_000)
  }

  @Test(.timeLimit(.minutes(30))) func aChainOfManyStructsIsEmitted() throws {
    let types = Self.chain(50_000, fields: ["next"])
    #expect(try Self.sample(types) == Self.comment)
    let catalog = Samples.catalog(types: types, keys: [Samples.key("key", .declared("S0"))])
    let files = CatalogEmitter.emit([catalog])
    #expect(files.map(\.path) == ["Audit/Sample.json", "Audit/Sample.md", "Sample.keys.swift"])
  }

  @Test(.timeLimit(.minutes(30))) func aStructOfManyFieldsIsEmitted() throws {
    let fields = (0..<100_000).map { (name: "field\($0)", type: ValueType.scalar(.int)) }
    let types = [Self.structure("S0", fields)]
    #expect(try Self.sample(types) == Self.comment)
    let files = CatalogEmitter.emit([Samples.catalog(types: types, keys: [Samples.key("key", .declared("S0"))])])
    let swift = try #require(files.last)
    #expect(swift.bytes.count { $0 == UInt8(ascii: "\n") } > 300_000)
  }
}
