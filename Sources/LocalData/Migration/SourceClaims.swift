import StorageVocabulary

/// The addresses that migrations of registered keys take values from, and the rules for them.
///
/// A migration is refused at registration if it could lose a value or could not be carried out: if two sources have one
/// address, if a value would be transformed in place, or if the migration of a source cannot be followed.
struct SourceClaims: Sendable {
  private var owners: [PlaceID: StorageError.Subject] = [:]

  /// Adds the sources of a key.
  ///
  /// - Parameter plan: Works out an address.
  /// - Throws: ``StorageError/invalidCatalog(_:_:)`` if the migration is refused.
  mutating func insert(
    _ key: AnyStorageKey, at address: KeyPlan, plan: (AnyStorageKey) throws(StorageError) -> KeyPlan
  ) throws(StorageError) {
    guard let migration = key.migration?() else { return }
    var forms: Set<StoredForm> = []
    for case .move(let move) in migration.steps.map(\.action) {
      for source in move.sources {
        let place = try plan(source)
        if place.isInPlace(of: address) {
          // Nothing marks a value as transformed, so it would be transformed again.
          guard move.keepsValue else { throw .invalidCatalog(address.subject, .transformInPlace) }
          guard forms.insert(StoredForm(source.security, in: source.domain.kind)).inserted else {
            throw .invalidCatalog(address.subject, .sharedSource)
          }
        } else if owners.updateValue(address.subject, forKey: PlaceID(place)) != nil {
          throw .invalidCatalog(address.subject, .sharedSource)
        }
        try Self.check(source, place, [address.place.item], isAlone: move.sources.count == 1, address.subject, plan)
      }
    }
  }

  /// Checks that the migration of a source can be followed.
  private static func check(
    _ source: AnyStorageKey, _ address: KeyPlan, _ visited: Set<StoragePlace>, isAlone: Bool,
    _ subject: StorageError.Subject, _ plan: (AnyStorageKey) throws(StorageError) -> KeyPlan
  ) throws(StorageError) {
    // The key as it was, at its own address, has the key's migration no more.
    guard let migration = source.migration?() else { return }
    guard isAlone, !visited.contains(address.place.item) else { throw .invalidCatalog(subject, .migratingSource) }
    for step in migration.steps {
      guard case .move(let move) = step.action else { throw .invalidCatalog(subject, .migratingSource) }
      for next in move.sources {
        let place = try plan(next)
        if place.isInPlace(of: address) {
          guard move.keepsValue else { throw .invalidCatalog(subject, .migratingSource) }
          continue
        }
        try check(
          next, place, visited.union([address.place.item]), isAlone: move.sources.count == 1, subject, plan)
      }
    }
  }
}
