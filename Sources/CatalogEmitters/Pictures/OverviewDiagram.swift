import CatalogModel
import StorageVocabulary

/// The flows of all keys and records, counted: by sensitivity, protection, container, and the places of copies.
struct OverviewDiagram {
  struct Node: Hashable {
    let column: Column
    let title: String
  }

  enum Column: Int, CaseIterable {
    case sensitivity, protection, container, copies

    var title: StaticString {
      switch self {
      case .sensitivity: "Sensitivity"
      case .protection: "Protection"
      case .container: "Container"
      case .copies: "Copies"
      }
    }
  }

  struct Link: Hashable {
    let from: Node
    let to: Node
  }

  /// The number of declarations of each node.
  private(set) var nodes: [Node: Int] = [:]
  /// The number of declarations that go from one node to another.
  private(set) var links: [Link: Int] = [:]
  /// The links with a declaration whose protection falls there.
  private(set) var falls: Set<Link> = []
  private(set) var total = 0

  init(_ catalogs: [ResolvedCatalog]) {
    for catalog in catalogs {
      for key in catalog.keys {
        let kind = key.descriptor.security.kind
        add([DataFlow(key)], key.descriptor.sensitivity, kind == .recommended ? .encrypted : kind)
      }
      for record in catalog.records {
        guard let database = catalog.database(of: record) else { continue }
        let flows = DataFlow.all(of: record, in: database)
        add(flows, record.sensitivity, flows.count > 1 ? nil : SecurityPolicy.Kind.none)
      }
    }
  }

  /// Adds a declaration.
  ///
  /// - Parameter security: The kind of its protection, or nil if some of its fields are encrypted.
  private mutating func add(_ flows: [DataFlow], _ sensitivity: Sensitivity, _ security: SecurityPolicy.Kind?) {
    guard let flow = flows.first else { return }
    let from = Node(column: .sensitivity, title: sensitivity.rawValue)
    let protection = Node(column: .protection, title: Self.title(security))
    let container = Node(column: .container, title: flow.container.title)
    total += 1
    for node in [from, protection, container] { nodes[node, default: 0] += 1 }
    add(Link(from: from, to: protection), falls: flows.contains(where: \.isExposed))
    add(Link(from: protection, to: container), falls: false)
    let copies = Dictionary(grouping: flows.flatMap(\.copies), by: \.place)
    for (place, copies) in copies {
      let node = Node(column: .copies, title: place.title)
      nodes[node, default: 0] += 1
      add(Link(from: container, to: node), falls: copies.contains { $0.exposure == .weaker })
    }
    guard copies.isEmpty else { return }
    let none = Node(column: .copies, title: "no copies")
    nodes[none, default: 0] += 1
    add(Link(from: container, to: none), falls: false)
  }

  private mutating func add(_ link: Link, falls isFalling: Bool) {
    links[link, default: 0] += 1
    if isFalling { falls.insert(link) }
  }

  private static func title(_ security: SecurityPolicy.Kind?) -> String {
    switch security {
    case nil: "some fields encrypted"
    case SecurityPolicy.Kind.none?: "not encrypted"
    case .keychain?: "by the keychain"
    case .recommended?, .encrypted?: "encrypted"
    }
  }

  /// Returns the nodes of a column, in the order of the vocabulary.
  func nodes(in column: Column) -> [Node] {
    nodes.keys.filter { $0.column == column }.sorted { Self.rank($0) < Self.rank($1) }
  }

  private static func rank(_ node: Node) -> Int {
    let titles =
      switch node.column {
      case .sensitivity: Sensitivity.allCases.map(\.rawValue)
      case .protection: ["not encrypted", "by the keychain", "some fields encrypted", "encrypted"]
      case .container: StorageDomain.Kind.allCases.map(\.rawValue)
      case .copies: DataFlow.Place.allCases.map(\.title)
      }
    return titles.firstIndex(of: node.title) ?? titles.count
  }
}
