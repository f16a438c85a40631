import Testing

/// A record is a row. A log has entries, sync keeps a history of a key, and the keys of a container are a keyset.
struct RecordNameTests {
  /// The types of these targets that are about rows or their keys.
  private static let aboutRows: Set<String> = [
    "RecordDatabaseFile", "RecordKeys", "SealedRecordKey",
  ]

  @Test(arguments: [
    "LocalData", "LocalDataFoundation", "LocalDataMaintenance", "LocalDataSQLite", "LocalDataStores", "LocalDataSync",
    "LocalDataSystem",
  ])
  func recordsAreRows(target: String) throws {
    let names = try SwiftFile.all(in: target).flatMap(\.typeNames)
    try #require(!names.isEmpty)
    #expect(names.filter { $0.contains("Record") && !Self.aboutRows.contains(String($0)) } == [])
  }
}
