import CatalogSyntax

/// The types of all catalogs of a run, by name.
struct TypeTable {
  /// A type of `types:`.
  struct Declared {
    var name: String
    var node: SyntaxNode
    var body: SyntaxNode
    var catalog: Int
    var access: AccessLevel
    /// What it is: known before anything that names it is decoded.
    var form: Form
    /// Whether it has findings, so that what names it is not checked further.
    var isBroken = false
  }

  enum Form {
    case stringEnum([ResolvedType.EnumCase<String>])
    case intEnum([ResolvedType.EnumCase<Int>])
    case structure([ResolvedType.Field])
    case swift(SwiftName, module: String?)
    case unknown
  }

  private(set) var all: [Declared] = []
  private var places: [String: Int] = [:]

  subscript(name: String) -> Declared? { places[name].map { all[$0] } }

  func index(of name: String) -> Int? { places[name] }

  /// Adds a type; its name's first place where another has it already.
  mutating func add(_ type: Declared) -> Declared? {
    if let first = places[type.name] { return all[first] }
    places[type.name] = all.count
    all.append(type)
    return nil
  }

  mutating func update(_ index: Int, _ change: (inout Declared) -> Void) { change(&all[index]) }

  var names: [String] { all.map(\.name) }
}

extension TypeTable.Form {
  var isEnum: Bool {
    switch self {
    case .stringEnum, .intEnum: true
    case .structure, .swift, .unknown: false
    }
  }

  /// The names of the cases of an enum, in order.
  var caseNames: [String] {
    switch self {
    case .stringEnum(let cases): cases.map(\.name)
    case .intEnum(let cases): cases.map(\.name)
    case .structure, .swift, .unknown: []
    }
  }

  func hasCase(_ name: String) -> Bool {
    switch self {
    case .stringEnum(let cases): cases.contains { $0.name == name }
    case .intEnum(let cases): cases.contains { $0.name == name }
    case .structure, .swift, .unknown: false
    }
  }
}
