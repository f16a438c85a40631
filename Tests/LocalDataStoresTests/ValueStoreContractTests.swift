import LocalDataStores
import LocalDataTesting
import RuntimeTestSupport
import Testing

@Suite struct ValueStoreContractTests {
  @Test(arguments: ValueStoreContract.clauses) func memory(_ clause: ValueStoreContract.Clause) throws {
    try clause.check(MemoryStore(), .keychain(service: "s", accessGroup: nil, synchronizable: false))
  }

  @Test(
    arguments: ValueStoreContract.clauses,
    [
      .directory(.documents), .directory(.caches), .directory(.custom("Reports/2024 é")),
      .groupDirectory(identifier: "group.test", .applicationSupport),
    ] as [StorageContainer])
  func files(_ clause: ValueStoreContract.Clause, _ container: StorageContainer) throws {
    let fixture = try StoreFixture(subDirectory: "LocalData")
    try clause.check(FileStorageHelper(fixture.locations), container)
  }

  #if os(Linux)
    @Test(
      arguments: ValueStoreContract.clauses,
      [.preferences(suite: nil), .preferences(suite: "a suite"), .groupPreferences(identifier: "group.test")]
        as [StorageContainer])
    func preferences(_ clause: ValueStoreContract.Clause, _ container: StorageContainer) throws {
      let fixture = try StoreFixture()
      try clause.check(UserDefaultsHelper(fixture.locations), container)
    }
  #endif
}
