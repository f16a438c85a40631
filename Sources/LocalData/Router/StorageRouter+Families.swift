import StorageVocabulary

/// The members of families, and the removal of many values.
extension StorageRouter {
  /// Returns the keys of the members of a family that have a stored value, or would get one by a migration.
  ///
  /// ```swift
  /// for member in try await router.members(of: .draft) {
  ///   print(member.parameters)           // ["documentID": "0b0a…"]
  ///   try await router.remove(member)
  /// }
  /// ```
  ///
  /// Members are found by their stored names; no value is read, and the user is never asked. If a name can belong to
  /// two families, it belongs to the one with more text between its parameters.
  ///
  /// The call has one deadline for all containers that it lists.
  ///
  /// - Parameter family: The family.
  /// - Returns: The keys, sorted by their stored names.
  /// - Throws: ``StorageError/invalidCatalog(_:_:)`` if a name can belong to two families equally. Every other
  ///   ``StorageError`` says why a container cannot be listed now, or why the family cannot be used.
  public func members(of family: StorageKeyFamily) async throws(StorageError) -> [AnyStorageKey] {
    let found = try await FamilyMembers(family, of: self, CallWaits(timeout, of: .call))
    if let problem = found.problem { throw problem }
    return found.keys
  }

  /// Removes the values of all members of a family, and leaves no copy of them in the files of the library.
  ///
  /// A value that cannot be removed does not keep the others from being removed. A member that is set during the call may
  /// stay. All members together wait for as long as one call. After that, the members that would have to wait stay, and the
  /// call throws ``StorageError/busy(_:)``.
  ///
  /// - Parameter family: The family.
  /// - Throws: What ``members(of:)`` throws, and the first error of ``remove(_:)-(AnyStorageKey)``.
  public func removeAll(of family: StorageKeyFamily) async throws(StorageError) {
    var wipe = KeyWipe(router: self)
    await wipe.remove(family)
    try await wipe.end()
  }

  /// Removes everything that a catalog declares: its keys, the members of its families, and what earlier releases stored
  /// for them. Use it when the user signs out.
  ///
  /// ```swift
  /// try await router.removeAll(in: AccountCatalog.self)
  /// ```
  ///
  /// Keys that do not exist on this platform are skipped, and so is what Foundation's own UserDefaults stored on Linux,
  /// which is only read. A value that cannot be removed does not keep the others from being removed. No copy of what was
  /// removed stays in the files of the library, except in files that were set aside because they were damaged: see
  /// ``Maintenance/removeSetAsideFiles(_:)``. If the call fails, call it again: what was removed stays removed.
  ///
  /// The call has one deadline for everything that it waits for, and the time in which it removes values does not count. When
  /// the deadline has passed, it still removes what it need not wait for. Then it throws ``StorageError/busy(_:)``.
  ///
  /// - Parameter catalog: The catalog.
  /// - Throws: The first error of ``remove(_:)-(AnyStorageKey)`` and ``removeAll(of:)``.
  public func removeAll(in catalog: (some StorageKeyCatalog).Type) async throws(StorageError) {
    var wipe = KeyWipe(router: self)
    let keys = catalog.allKeys
    for key in keys where !key.options.isLegacy { await wipe.remove(key) }
    for family in catalog.allFamilies { await wipe.remove(family) }
    // Last, because the removal of a key also removes its sources, and records that.
    for key in keys where key.options.isLegacy { await wipe.removeLegacy(key) }
    try await wipe.end()
  }

  /// Removes what is stored for a key whose value has any type, if anything is.
  ///
  /// - Parameter key: The key, for example a member that ``members(of:)`` has returned.
  /// - Throws: ``StorageError/locked(_:)``, ``StorageError/busy(_:)`` and ``StorageError/accessDenied(_:)`` if it cannot
  ///   be removed now. Every other ``StorageError`` says what else is wrong.
  public func remove(_ key: AnyStorageKey) async throws(StorageError) {
    _ = try await KeyChange.remove(key, on: self)
  }
}
