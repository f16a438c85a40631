import LocalDataSyntax
import LocalDataVocabulary

/// The types of all catalogs of a run, by name.
struct TypeTable {
  /// A type of `types:`.
  struct Declared {
    var name: String
    var node: SyntaxNode
    var body: SyntaxNode
    var catalog: Int
    var access: AccessLevel
    /// The form of the type. It is known before anything that names the type is decoded.
    var form: Form
    /// The numbers and names that no field of a struct may use again.
    var reserved: [ReservedFields] = []
    /// A Boolean value that indicates whether the type has findings. What names it is then not checked further.
    var isBroken = false
    /// The findings that the type accepts.
    var allowances: [Allowance] = []
    /// The names of the cases of an enum, in order, and to look one up.
    fileprivate(set) var cases: [String] = []
    fileprivate(set) var caseNames: Set<String> = []
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
  /// Names that no type can have. Uses of them are not reported again.
  private var refused: Set<String> = []

  subscript(name: String) -> Declared? { places[name].map { all[$0] } }

  func index(of name: String) -> Int? { places[name] }

  /// Adds a type. Returns the type that already has the name, if there is one.
  mutating func add(_ type: Declared) -> Declared? {
    if let first = places[type.name] { return all[first] }
    places[type.name] = all.count
    var type = type
    type.cases = type.form.caseNames
    type.caseNames = Set(type.cases)
    all.append(type)
    return nil
  }

  mutating func refuse(_ name: String) { refused.insert(name) }

  func isRefused(_ name: String) -> Bool { refused.contains(name) }

  mutating func update(_ index: Int, _ change: (inout Declared) -> Void) { change(&all[index]) }

  var names: [String] { all.map(\.name) }
}

extension Findings {
  /// Makes the findings of a closure findings of a type.
  mutating func about(_ type: TypeTable.Declared, _ report: (inout Findings) -> Void) {
    let outer = key
    key = Key(member: type.node, body: type.body)
    report(&self)
    key = outer
  }
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
}

extension TypeTable {
  /// Reports each type of `types` in a type that is less visible than what shows it.
  func checkAccess(
    _ access: AccessLevel, of type: ValueType, what: @autoclosure () -> String, at node: @autoclosure () -> SyntaxNode,
    _ findings: inout Findings
  ) {
    type.forEachDeclared { name in
      guard let declared = self[name], declared.access.rank < access.rank else { return }
      findings.report(
        .typeAccess, "\(what()) is \(access.text), its type '\(name)' is \(declared.access.text)", at: node(),
        help: "write `access: \(access.text)` in the catalog of '\(name)', or less access here",
        notes: [.init("the type", at: declared.node.place)])
    }
  }
}

extension TypeTable {
  /// Returns true if a type is a list or a set of an enum of `types`.
  func isListOfEnums(_ type: ValueType?) -> Bool {
    switch type {
    case .list(.declared(let name)), .set(.declared(let name)): self[name]?.form.isEnum ?? false
    default: false
    }
  }
}

extension AccessLevel {
  /// The wider, the higher.
  var rank: Int {
    switch self {
    case .internal: 0
    case .package: 1
    case .public: 2
    }
  }
}

/// Numbers and names that no field may use again, with their places.
struct ReservedFields: Sendable {
  var numbers: [Int] = []
  var names: [String] = []
  var cleanup = StorageReservedName.Cleanup.keep
}
