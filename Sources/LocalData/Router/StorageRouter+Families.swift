import LocalDataFoundation
import LocalDataVocabulary

/// The members of families, and the removal of many values.
extension StorageRouter {
  /// Returns the members of a family that have a stored value, or whose migration would find one.
  ///
  /// ```swift
  /// for draft in try await router.members(of: .draft) {
  ///   print(draft.parameters)            // 0B0A6C1E-…, the documentID as a UUID
  ///   print(try await router.get(draft.key) ?? "")
  /// }
  /// ```
  ///
  /// Members are found by their stored names, and a custom migration lists those that it finds a value for. The router reads no
  /// value, and never asks the user. If a name matches two families,
  /// it belongs to the family with more text between its parameters. A name whose parameters are no values of the declared
  /// types is not a member, for example `draft_7` if `documentID` is a UUID.
  ///
  /// The call has one deadline for all containers that it lists.
  ///
  /// - Parameter family: The family.
  /// - Returns: The members with their keys, sorted by their stored names.
  /// - Throws: ``StorageProblem/Code/invalidCatalog`` if a name matches two families with equally much text. Every other
  ///   ``StorageError`` if a container cannot be listed now, or the family cannot be used.
  public func members<Value, Parameters>(
    of family: StorageFamily<Value, Parameters>
  ) async throws(StorageError) -> [StorageFamilyMember<Value, Parameters>] {
    try await members(of: family.family).compactMap { family.member(named: $0.name) }
  }

  /// Returns the keys of the members of a family that have a stored value, or whose migration would find one.
  ///
  /// A family that is written in Swift has no types for its parameters. The keys are type-erased:
  ///
  /// ```swift
  /// for member in try await router.members(of: family) {
  ///   print(member.parameters)           // ["documentID": "0b0a…"]
  ///   try await router.remove(member)
  /// }
  /// ```
  ///
  /// Members are found by their stored names, and a custom migration lists those that it finds a value for. The router reads no
  /// value, and never asks the user. If a name matches two families,
  /// it belongs to the family with more text between its parameters.
  ///
  /// The call has one deadline for all containers that it lists.
  ///
  /// - Parameter family: The family.
  /// - Returns: The keys, sorted by their stored names.
  /// - Throws: ``StorageProblem/Code/invalidCatalog`` if a name matches two families with equally much text. Every other
  ///   ``StorageError`` if a container cannot be listed now, or the family cannot be used.
  @_disfavoredOverload
  public func members(of family: StorageKeyFamily) async throws(StorageError) -> [AnyStorageKey] {
    let found = try await FamilyMembers(family, of: self, CallWaits(timeout, of: .call))
    if let problem = found.problem { throw problem }
    return found.keys
  }

  /// Removes the values of all members of a family, and leaves no copy of them in the files of the library.
  ///
  /// If a value cannot be removed, the others are removed all the same. A member that is set during the call may stay. All
  /// members share the deadline of one call. After the deadline, members that would have to wait are not removed, and the call
  /// throws ``StorageProblem/Code/busy``.
  ///
  /// - Parameter family: The family.
  /// - Throws: Every error that ``members(of:)`` throws, and the first error of ``remove(_:)-(AnyStorageKey)``.
  public func removeAll(of family: StorageKeyFamily) async throws(StorageError) {
    var wipe = BatchRemoval(router: self)
    await wipe.note([], [family])
    await wipe.remove(family)
    try await wipe.end()
  }

  /// Removes all values that a catalog declares: of its keys, of the members of its families, and of their migration sources. All
  /// rows of its databases are removed too, with their record keys. Call it when the user signs out. A later release that has moved
  /// the values of this one removes them too, if the user has gone back to this one.
  ///
  /// ```swift
  /// try await router.removeAll(in: AccountCatalog.self)
  /// ```
  ///
  /// Keys that do not exist on this platform are skipped. If a value cannot be removed, the others are removed all the same. No
  /// copy of a removed value stays in the files of the library, except in damaged files that were set aside: see
  /// `router.maintenance.removeSetAsideFiles(_:)` of the product LocalDataMaintenance. If the call fails, call it again.
  ///
  /// The rows of a database are removed in one commit, also rows of records that only another release declares, and rows at an
  /// address of an earlier release. No key is needed for that. If a database is damaged, or of a release that moved it to
  /// another address, its rows stay, and the call throws an error.
  ///
  /// The call has one deadline for all of its waits on values, and one for each database. The time that removals take does not
  /// count. After the deadline, the call still removes the values for which it does not have to wait. Then it throws
  /// ``StorageProblem/Code/busy``.
  ///
  /// Keys, families and records with `signOut: keep` are left, unless `includingKept` is true.
  ///
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - includingKept: True if values with `signOut: keep` are removed too.
  /// - Throws: The first error of ``remove(_:)-(AnyStorageKey)`` and ``removeAll(of:)``. For a database:
  ///   ``StorageProblem/Code/databaseDamaged``, ``StorageProblem/Code/unknownFormatVersion`` if a later release has moved it, and
  ///   ``StorageProblem/Code/busy`` if a reader of another process keeps removed rows in the log for too long.
  public func removeAll(
    in catalog: (some StorageKeyCatalog).Type, includingKept: Bool = false
  ) async throws(StorageError) {
    var wipe = BatchRemoval(router: self)
    let scope = RemovalScope(includesKept: includingKept)
    let keys = catalog.allKeys.filter { includingKept || !$0.options.isKeptAtSignOut }
    let families = catalog.allFamilies.filter(scope.concerns)
    for part in catalog.parts where !part.isDatabase { await wipe.remove(part, scope) }
    await wipe.note(keys.filter { !$0.options.isLegacy }, families)
    for key in keys where !key.options.isLegacy { await wipe.remove(key) }
    for family in families { await wipe.remove(family) }
    for part in catalog.parts where part.isDatabase { await wipe.remove(part, scope) }
    // The legacy keys come last, because the removal of a key also removes its sources and records that.
    for key in keys where key.options.isLegacy { await wipe.removeLegacy(key) }
    try await wipe.end()
  }

  /// Removes the values of one account of several, in all registered catalogs.
  ///
  /// ```swift
  /// try await router.removeAll(where: ["userID": account.id])
  /// ```
  ///
  /// The call removes the members of all families that have parameters of these names with these values, and the rows of
  /// records with `signOut: {by: userID}` that have the value in that field. Members of families with `signOut: keep` are left,
  /// unless `includingKept` is true. If a value cannot be removed, the others are removed all the same. If the call fails, or the
  /// process is killed, call it again.
  ///
  /// A later release that has moved the values of this one removes them too, if the user has gone back to this one and the
  /// parameters are all that a family has.
  ///
  /// - Parameters:
  ///   - parameters: The values of the parameters by their names: texts, whole numbers, UUIDs, or enums of `types`.
  ///   - includingKept: True if values with `signOut: keep` are removed too.
  /// - Throws: A ``StorageRemovalError`` that lists the keys, families and databases that may still have values. It has one error
  ///   with the code ``StorageProblem/Code/invalidName`` if there are no parameters, or one of another type.
  public func removeAll(
    where parameters: [String: any Sendable], includingKept: Bool = false
  ) async throws(StorageRemovalError) {
    guard let scope = RemovalScope(parameters, includesKept: includingKept) else {
      throw StorageRemovalError(remaining: [StorageError(.invalidName, .init(key: nil, domain: nil))])
    }
    var wipe = BatchRemoval(router: self)
    let catalogs = setup.withLock(\.registry.listed)
    let families = catalogs.flatMap(\.families).filter(scope.concerns)
    await wipe.note(families.compactMap(scope.onlyMember), [], ofMembers: true)
    for family in families { await wipe.remove(family, scope) }
    for part in catalogs.flatMap(\.parts) where part.isDatabase { await wipe.remove(part, scope) }
    do throws(StorageError) { try await wipe.end() } catch { throw StorageRemovalError(remaining: wipe.errors) }
  }

  /// Removes the value of a type-erased key, if one is stored.
  ///
  /// - Parameter key: The key, for example a member that ``members(of:)`` has returned.
  /// - Throws: ``StorageProblem/Code/locked``, ``StorageProblem/Code/busy`` and ``StorageProblem/Code/accessDenied`` if the value
  ///   cannot be removed now. Every other ``StorageError`` if the key cannot be used.
  public func remove(_ key: AnyStorageKey) async throws(StorageError) {
    _ = try await KeyChange.remove(key, on: self, isPurged: true)
  }
}
