@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import LocalDataFoundation
import LocalDataVocabulary

/// A release of an app whose rows refer to each other.
protocol ChainRelease: Sendable {
  static var node: RecordDeclaration { get }
  static var links: ChainLinks { get }
  /// A Boolean value that indicates whether the release declares pins.
  static var hasPins: Bool { get }
}

/// The records that refer to nodes.
struct ChainLinks: Sendable {
  let reply = ChainTables.link("Reply", .cascade)
  let mark = ChainTables.link("Mark", .setNull)
  let pin = ChainTables.link("Pin", .restrict)
}

enum ChainTables {
  static func node(_ retention: RecordDeclaration.Retention? = nil) -> RecordDeclaration {
    RecordDeclaration(
      "Node", key: 1,
      [
        .init(1, "id", .integer),
        .init(2, "parent", .integer, isOptional: true, references: "Node", onDelete: .cascade),
        .init(3, "reply", .integer, isOptional: true, references: "Reply", onDelete: .cascade), .init(4, "at", .real),
      ], indexes: [[2], [3], [4]], retention: retention)
  }

  static func link(_ name: String, _ onDelete: DeletionPolicy) -> RecordDeclaration {
    RecordDeclaration(
      name, key: 1,
      [.init(1, "id", .integer), .init(2, "node", .integer, isOptional: true, references: "Node", onDelete: onDelete)],
      indexes: [[2]])
  }
}

enum KeptChain: ChainRelease {
  static let node = ChainTables.node()
  static let links = ChainLinks()
  static let hasPins = true
}

/// Nodes are kept for 100 seconds. Only another release declares pins.
enum AgedChain: ChainRelease {
  static let node = ChainTables.node(.dated(by: 4, maxAge: 100))
  static let links = ChainLinks()
  static let hasPins = false
}

/// The newest node is kept.
enum CountedChain: ChainRelease {
  static let node = ChainTables.node(.dated(by: 4, maxCount: 1))
  static let links = ChainLinks()
  static let hasPins = true
}

/// Nodes are kept until the app is launched again.
enum LaunchChain: ChainRelease {
  static let node = ChainTables.node(.untilRelaunch)
  static let links = ChainLinks()
  static let hasPins = true
}

/// A node that refers to the one before, or to a reply. It is deleted with it.
nonisolated struct Node<Release: ChainRelease>: StorageRecord {
  typealias Database = ChainDatabase<Release>

  var id: Int
  var parent: Int?
  var reply: Int?
  var at = Date(timeIntervalSinceReferenceDate: 0)

  struct Columns: Sendable {
    let id = RecordColumn<Node, Int>(0)
  }

  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.node }
}

nonisolated extension Node {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    self.init(
      id: try row.integer(0), parent: row.isNull(1) ? nil : try row.integer(1),
      reply: row.isNull(2) ? nil : try row.integer(2))
    at = try row.date(3)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.integer(parent)
    row.integer(reply)
    try row.date(at)
  }
}

/// A kind of records that refer to nodes.
protocol NodeLink: Sendable {
  static func declaration(_ links: ChainLinks) -> RecordDeclaration
}

enum ReplyLink: NodeLink {
  static func declaration(_ links: ChainLinks) -> RecordDeclaration { links.reply }
}

enum PinLink: NodeLink {
  static func declaration(_ links: ChainLinks) -> RecordDeclaration { links.pin }
}

enum MarkLink: NodeLink {
  static func declaration(_ links: ChainLinks) -> RecordDeclaration { links.mark }
}

nonisolated struct Link<Kind: NodeLink, Release: ChainRelease>: StorageRecord {
  typealias Database = ChainDatabase<Release>
  struct Columns: Sendable {}

  var id: Int
  var node: Int?

  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Kind.declaration(Release.links) }
}

nonisolated extension Link {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    self.init(id: try row.integer(0), node: row.isNull(1) ? nil : try row.integer(1))
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.integer(node)
  }
}

enum ChainDatabase<Release: ChainRelease>: RecordDatabase {
  static var declaration: RecordDatabaseDeclaration {
    RecordDatabaseDeclaration("chains", .fileSystem(directory: .documents)) {
      [Release.node, Release.links.reply, Release.links.mark] + (Release.hasPins ? [Release.links.pin] : [])
    }
  }
}

enum ChainCatalog<Release: ChainRelease>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(ChainDatabase<Release>.self)] }
}
