public import LocalData
import LocalDataFoundation

extension StorageRouter.Migrations {
  /// Returns the history of migrations, sorted by date: of the app, and of the groups of registered keys. Each record
  /// contains the key, the date and the version of the app.
  ///
  /// - Returns: The records.
  /// - Throws: ``StorageProblem/Code/unknownFormatVersion`` if a newer version of the library wrote the log. Every other
  ///   ``StorageError`` that prevents reading the log. The errors name no key.
  @concurrent public func history() async throws(StorageError) -> [MigrationEvent] {
    var records = [MigrationEvent]()
    var counts = [MigrationEvent: Int]()
    for keyset in router.setup.withLock(\.registry.keysets) {
      do throws(StorageProblem) {
        let services = router.values(for: nil).services
        let log = try services.migrationLog(keyset)
        let logged = try await services.run { () throws(StorageProblem) in try log.events() }
        // What was moved between two groups is in the logs of both.
        var own: [MigrationEvent: Int] = [:]
        for record in logged where record.isOfKey(in: keyset) {
          let count = (own[record] ?? 0) + 1
          own[record] = count
          guard count > counts[record] ?? 0 else { continue }
          counts[record] = count
          records.append(record)
        }
      } catch {
        throw StorageError(error, .init(key: nil, domain: nil))
      }
    }
    return records.sorted { $0.date < $1.date }
  }
}

extension MigrationEvent {
  /// Returns true if the log of a keyset has the record because the key belongs to the keyset, and not only a source.
  fileprivate func isOfKey(in keyset: KeysetID) -> Bool {
    if outcome == .logSetAside { return true }
    return domain.isAppGroup == (keyset != .app)
  }
}
