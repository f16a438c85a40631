import LocalDataStores

/// The rules for the migrations of registered keys.
///
/// A migration is refused at registration if it could lose a value or could not be carried out: if two sources have one
/// address, if a value would be transformed in place, or if the migration of a source cannot be followed. Templates of
/// families are compared by the names that they have in common. A run over all keys finds the conflicts that this comparison
/// does not find.
enum MigrationRules {
  /// Checks the migrations of a family's members.
  ///
  /// - Parameters:
  ///   - keySources: The addresses that the migrations of registered keys take values from.
  ///   - families: The registered families whose members have a migration.
  ///   - plan: Works out an address.
  /// - Throws: ``StorageProblem/Code/invalidCatalog`` if the migration is refused.
  static func check(
    _ family: MigratingFamily, _ keySources: Set<StorageAddress>, _ families: [MigratingFamily],
    plan: (AnyStorageKey) throws(StorageError) -> KeyPlan
  ) throws(StorageError) {
    let sources = family.sources.filter { !$0.isSame(as: family.own) }
    for (index, source) in sources.enumerated() {
      let isShared =
        sources[..<index].contains(where: source.isSame)
        || keySources.contains { family.takes($0, from: source) }
        || families.contains { other in
          other.hasName(in: source, of: family) || other.sources.contains { family.hasName(in: $0, of: other) }
        }
      if isShared { throw StorageError(.invalidCatalog(.sharedSource), family.own.subject) }
    }
    // The result for one member is true for all members.
    for sample in family.samples.prefix(1) { _ = try self.sources(of: sample.key, at: try plan(sample.key), plan) }
  }

  /// Returns the sources of a key at other addresses, and whether other keys take parts of their values too.
  ///
  /// - Throws: ``StorageProblem/Code/invalidCatalog`` if the migration is refused.
  static func sources(
    of key: AnyStorageKey, at destination: KeyPlan, _ plan: (AnyStorageKey) throws(StorageError) -> KeyPlan
  ) throws(StorageError) -> [(KeyPlan, isShared: Bool)] {
    guard let migration = key.migration?() else { return [] }
    var forms: Set<StoredForm> = []
    var elsewhere: [(KeyPlan, isShared: Bool)] = []
    for case .move(let move) in migration.steps.map(\.action) {
      for source in move.sources {
        let origin = try plan(source)
        if origin.isInPlace(of: destination) {
          // A value has no mark that it was transformed, so it would be transformed again.
          guard move.keepsValue else { throw StorageError(.invalidCatalog(.transformInPlace), destination.subject) }
          guard forms.insert(StoredForm(source.security, in: source.domain.kind)).inserted else {
            throw StorageError(.invalidCatalog(.sharedSource), destination.subject)
          }
        } else {
          elsewhere.append((origin, isShared: source.isShared))
        }
        try check(
          source, origin, [destination.address.item], isAlone: move.sources.count == 1, destination.subject, plan)
      }
    }
    return elsewhere
  }

  /// Checks that the migration of a source can be followed.
  private static func check(
    _ source: AnyStorageKey, _ origin: KeyPlan, _ visited: Set<StorageAddress>, isAlone: Bool,
    _ subject: StorageError.Subject, _ plan: (AnyStorageKey) throws(StorageError) -> KeyPlan
  ) throws(StorageError) {
    // The key as it was, at its own address, has the key's migration no more.
    guard let migration = source.migration?() else { return }
    guard !visited.contains(origin.address.item) else { throw StorageError(.invalidCatalog(.migratingSource), subject) }
    for step in migration.steps {
      guard case .move(let move) = step.action else { throw StorageError(.invalidCatalog(.migratingSource), subject) }
      for next in move.sources {
        let nextOrigin = try plan(next)
        if nextOrigin.isInPlace(of: origin) {
          guard move.keepsValue else { throw StorageError(.invalidCatalog(.migratingSource), subject) }
          continue
        }
        guard isAlone else { throw StorageError(.invalidCatalog(.migratingSource), subject) }
        try check(
          next, nextOrigin, visited.union([origin.address.item]), isAlone: move.sources.count == 1, subject, plan)
      }
    }
  }
}

extension MigratingFamily {
  /// Returns true if an address is a member's source.
  func takes(_ plan: KeyPlan) -> Bool {
    sources.contains { source in
      !source.isSame(as: own) && takes(plan.address, from: source)
    }
  }

  fileprivate func takes(_ address: StorageAddress, from source: Source) -> Bool {
    StorageAddress(container: source.container, name: address.name).item == address.item
      && member(named: address.name, in: source) != nil
  }

  /// Returns true if a name that a template of another family has for a member is the name of a source of this one.
  fileprivate func hasName(in template: Source, of other: MigratingFamily) -> Bool {
    if template.isSame(as: other.own) { return false }
    return other.samples.contains { values, _ in
      guard let name = template.name.member(values) else { return false }
      return sources.contains { source in
        !source.isSame(as: own)
          && takes(StorageAddress(container: template.container, name: name), from: source)
      }
    }
  }
}
