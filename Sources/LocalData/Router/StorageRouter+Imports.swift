extension StorageRouter {
  /// Removes the value of a legacy key whose elements were imported, unless another key needs a part of it. Returns false if it
  /// stays.
  package nonisolated func removeImported(_ key: AnyStorageKey) async throws(StorageError) -> Bool {
    let plan = try await KeyPlan(ofSource: key, on: self)
    let source = MigrationSource(key: key, plan: plan, isInPlace: false)
    let bytes = key.isShared ? try await values(for: plan).stored(plan) : nil
    let migrator = Migrator(for: plan, on: self)
    let isSpent = await migrator.isSpent(source, bytes, except: AddressID(plan), isImported: true)
    if isSpent { try await values(for: plan).removeStored(plan) }
    return isSpent
  }
}
