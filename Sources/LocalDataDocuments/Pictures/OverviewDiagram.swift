import LocalDataAudit
import LocalDataVocabulary

/// The flows of all keys and fields, counted: by sensitivity, protection, container, and the places of copies.
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

  /// The number of keys and fields of each node.
  private(set) var nodes: [Node: Int] = [:]
  /// The number of keys and fields that go from one node to another.
  private(set) var links: [Link: Int] = [:]
  /// The links with a value whose protection falls there.
  private(set) var falls: Set<Link> = []
  private(set) var total = 0

  init(_ values: AuditedValues) {
    var groups: [ObjectIdentifier: Group] = [:]
    func add(_ part: AuditedPart) {
      var group = groups[ObjectIdentifier(part.storage)] ?? Group(part.storage)
      for value in part.values { group.counts[value.sensitivity, default: 0] += 1 }
      groups[ObjectIdentifier(part.storage)] = group
    }
    for (keys, records) in zip(values.keys, values.records) {
      for part in keys { add(part) }
      for part in records.joined() { add(part) }
    }
    for part in values.unmanaged.joined() { add(part) }
    for group in groups.values { self.add(group) }
  }

  /// The keys and fields of one storage, by their sensitivities.
  private struct Group {
    let storage: AuditedStorage
    var counts: [Sensitivity: Int] = [:]

    init(_ storage: AuditedStorage) { self.storage = storage }
  }

  private mutating func add(_ group: Group) {
    let storage = group.storage
    let count = group.counts.values.reduce(0, +)
    let protection = Node(column: .protection, title: storage.protection.title.description)
    let container = Node(column: .container, title: storage.flow.container.title)
    total += count
    nodes[protection, default: 0] += count
    nodes[container, default: 0] += count
    for (sensitivity, count) in group.counts {
      let from = Node(column: .sensitivity, title: sensitivity.rawValue)
      nodes[from, default: 0] += count
      let falls = storage.protection == .none && sensitivity.needsProtection
      add(Link(from: from, to: protection), count, falls: falls)
    }
    add(Link(from: protection, to: container), count, falls: false)
    let copies = Dictionary(grouping: storage.flow.copies, by: \.place)
    for (place, copies) in copies {
      let node = Node(column: .copies, title: place.title)
      nodes[node, default: 0] += count
      add(Link(from: container, to: node), count, falls: copies.contains { $0.exposure == .weaker })
    }
    guard copies.isEmpty else { return }
    let none = Node(column: .copies, title: "no copies")
    nodes[none, default: 0] += count
    add(Link(from: container, to: none), count, falls: false)
  }

  private mutating func add(_ link: Link, _ count: Int, falls isFalling: Bool) {
    links[link, default: 0] += count
    if isFalling { falls.insert(link) }
  }

  /// Returns the nodes of a column, in the order of the vocabulary.
  func nodes(in column: Column) -> [Node] {
    nodes.keys.filter { $0.column == column }.sorted { Self.rank($0) < Self.rank($1) }
  }

  private static func rank(_ node: Node) -> Int {
    let titles =
      switch node.column {
      case .sensitivity: Sensitivity.allCases.map(\.rawValue)
      case .protection: AuditedPart.Protection.allCases.map(\.title.description)
      case .container: StorageDomain.Kind.allCases.map(\.rawValue)
      case .copies: DataFlow.Place.allCases.map(\.title)
      }
    return titles.firstIndex(of: node.title) ?? titles.count
  }
}

extension AuditedPart.Protection {
  /// The protection in a picture, and at the head of a column.
  var title: StaticString {
    switch self {
    case .none: "not encrypted"
    case .keychain: "in the keychain"
    case .encrypted: "encrypted"
    }
  }
}
