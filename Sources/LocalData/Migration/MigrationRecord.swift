public import Foundation
public import StorageVocabulary

public struct MigrationRecord: Sendable, Hashable, Codable {
  public var key: String
  public var domain: StorageDomain.Kind
  public var sources: [Source]
  public var outcome: Outcome
  public var date: Date
  public var appVersion: String?

  public struct Source: Sendable, Hashable, Codable {
    public var key: String
    public var domain: StorageDomain.Kind
  }
  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    case moved, securedInPlace, conflictKept, conflictRemoved, removed
  }
}
package struct PlaceID: Sendable, Hashable, Codable { package var text: String }
package struct MigrationEntry: Sendable, Hashable, Codable {
  package var place: PlaceID
  package enum Phase: String, Sendable, Hashable, Codable { case committed, completed }
  package var phase: Phase
  package var moved: [PlaceID]
  package var launch: UUID
  package var record: MigrationRecord
}
package protocol MigrationLog: Sendable {
  func entries() throws(StorageFault) -> [PlaceID: MigrationEntry]
  func records() throws(StorageFault) -> [MigrationRecord]
  func append(_ entries: [MigrationEntry]) throws(StorageFault)
}
final class MemoryMigrationLog: MigrationLog {
  private let all = Lock<[MigrationEntry]>([])
  func entries() throws(StorageFault) -> [PlaceID: MigrationEntry] {
    Dictionary(all.withLock { $0 }.map { ($0.place, $0) }) { $1 }
  }
  func records() throws(StorageFault) -> [MigrationRecord] {
    all.withLock { $0 }.filter { $0.phase == .completed }.map(\.record)
  }
  func append(_ entries: [MigrationEntry]) throws(StorageFault) { all.withLock { $0 += entries } }
}
