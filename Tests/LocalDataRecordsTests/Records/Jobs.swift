@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import LocalDataFoundation
import LocalDataVocabulary

/// A release of an app with jobs. The later one has more cases of its enums, and more fields of its own type.
protocol JobRelease: Sendable {
  associatedtype State: RawRepresentable<String> & Codable & Hashable & Sendable
  associatedtype Level: RawRepresentable<Int> & Hashable & Sendable
  associatedtype Profile: Codable & Hashable & Sendable
  static var planned: State { get }
  static var low: Level { get }
  static var profile: Profile { get }
  static var job: RecordDeclaration { get }
}

enum FirstJobs: JobRelease {
  enum State: String, Codable { case planned }
  enum Level: Int { case low }
  struct Profile: Codable, Hashable {
    var name = "Ada"
    var states: [State: Int] = [:]
  }
  static let (planned, low, profile, job) = (State.planned, Level.low, Profile(), JobTable.job())
}

/// The first release, with lists that leave out rows.
enum SkippingJobs: JobRelease {
  typealias State = FirstJobs.State
  typealias Level = FirstJobs.Level
  typealias Profile = FirstJobs.Profile
  static let (planned, low, profile, job) = (State.planned, Level.low, Profile(), JobTable.job(skipsDamaged: true))
}

enum LaterJobs: JobRelease {
  enum State: String, Codable { case planned, cancelled }
  enum Level: Int { case low, high }
  struct Profile: Codable, Hashable {
    var name: String? = "Ada"
    var states: [State: Int]? = [:]
  }
  static let (planned, low, profile, job) = (State.planned, Level.low, Profile(), JobTable.job())
}

extension FirstJobs.State: CodingKeyRepresentable {}
extension LaterJobs.State: CodingKeyRepresentable {}

/// A record with enums in each of the forms that a row stores.
nonisolated struct Job<Release: JobRelease>: StorageRecord {
  enum Database: RecordDatabase {
    static var declaration: RecordDatabaseDeclaration {
      RecordDatabaseDeclaration("jobs", .fileSystem(directory: .documents), records: { [Job.self] })
    }
  }
  struct Columns: Sendable {
    let id = RecordColumn<Job, String>(0)
  }

  var id: String
  var state = Release.planned
  var level: Release.Level? = Release.low
  /// A list, in the wire format.
  var list: [Release.State] = []
  /// The field of a struct.
  var part: Release.State? = Release.planned
  var profile = Release.profile
  var secret = Release.planned

  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.job }
}

enum JobTable {
  static func job(skipsDamaged: Bool = false) -> RecordDeclaration {
    RecordDeclaration(
      "Job", key: 1,
      [
        .init(1, "id", .text), .init(2, "state", .text), .init(3, "level", .integer, isOptional: true),
        .init(4, "list", .blob, wire: "[State]"), .init(5, "part", .blob, wire: "Part"), .init(6, "profile", .text),
        .init(0, "sealed", .sealed),
      ], sealed: [.init(7, "State", isRequired: true)], skipsDamaged: skipsDamaged)
  }
}

nonisolated extension Job {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    self.init(
      id: try row.text(0), state: try row.textEnumeration(1), level: row.isNull(2) ? nil : try row.integerEnumeration(2)
    )
    try row.wire(3) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 34 { list.append(try reader.textEnumeration()) } else { try reader.skip(field) }
      }
    }
    part = try row.message(4) { (reader) throws(StorageProblem) in
      var state: Release.State?
      while let field = try reader.next() {
        if field.tag == 10 { state = try reader.textEnumeration() } else { try reader.skip(field) }
      }
      return state
    }
    profile = try row.json(5)
    try row.sealed(6, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 58 { secret = try reader.textEnumeration() } else { try reader.skip(field) }
      }
    }
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.enumeration(state)
    row.enumeration(level)
    row.wire { writer in for state in list { writer.textEnumeration(state, 4) } }
    row.message(part) { part, writer in writer.textEnumeration(part, 1) }
    try row.json(profile)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { $0.textEnumeration(secret, 7) }
  }
}

enum JobCatalog<Release: JobRelease>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Job<Release>.Database.self)] }
}
