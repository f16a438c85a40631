/// A migration that moves a key's value from the address of an earlier release.
///
///     struct TokenMigration: StorageMigration {
///       let destinationKey = StorageKey.modernToken
///
///       func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
///         try await router.exists(.legacyToken)
///       }
///
///       func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
///         guard let token = try await router.get(.legacyToken) else { return MigrationResult(success: true) }
///         try await router.set("Bearer " + token, for: destinationKey)
///         try await router.remove(.legacyToken)
///         return MigrationResult(success: true)
///       }
///     }
///
/// If the destination is a hand-written key that names the migration, write the key's type out:
/// `static let modernToken: Self = StorageKey(…)`. Otherwise the compiler reports at `destinationKey` that the
/// `generic parameter 'Value' could not be inferred`, because the types of the key and of the migration depend on each other.
///
/// Both methods run in the turn of the destination key. Calls of the router from these methods do not wait for a turn, and may
/// read and remove legacy keys. When `set` returns, the value survives a loss of power, except for a preference on Apple's
/// platforms, which the system writes later. If the app removes the key before the methods have run, they do not run any more,
/// and the source stays. If the process is killed, the methods may run again, and must produce the same result. If they throw
/// an error that is not a ``StorageError``, the caller gets ``StorageProblem/Code/migrationFailed``, whose
/// ``StorageError/underlyingError`` is that error.
///
/// If the destination is synced, a value that the methods set for it is older than any value that the user sets on the paired
/// device later, and does not replace it. Values that they set for other keys are ordinary changes of those keys.
public protocol StorageMigration<Value>: Sendable {
  /// The type of the destination's value.
  associatedtype Value: Sendable

  /// The key that the value is migrated to.
  var destinationKey: StorageKey<Value> { get }

  /// Returns true if there is something to migrate. The router calls it if nothing is stored at the destination. It must
  /// change nothing.
  ///
  /// - Throws: Any error. The caller of the router gets a ``StorageError`` unchanged. For every other error the caller gets
  ///   ``StorageProblem/Code/migrationFailed``.
  @concurrent func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool

  /// Stores the value at the destination, and then removes its source.
  ///
  /// - Throws: Any error, as in ``shouldMigrate(using:context:)``. The next read tries the migration again.
  @concurrent func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult
}

/// A custom migration of a family's members. It lists and removes those that earlier releases have stored.
///
/// A member is one key for each choice of parameters, and the migration of a member is created with the member's key. The router
/// cannot know from where a custom migration takes values. So it asks the type for the members that are not migrated yet, in
/// ``StorageRouter/members(of:)-(StorageKeyFamily)``, `migrateAll` and `plan`, and lets the type remove them in
/// ``StorageRouter/removeAll(in:)`` and ``StorageRouter/removeAll(of:)``.
///
/// ```swift
/// static func members(using router: StorageRouter, context: MigrationContext) async throws -> [StorageKey<String?>] {
///   try await router.get(.oldDrafts).keys.map { .draft(documentID: $0) }
/// }
/// ```
///
/// Both functions may use keys with `legacy: true`, and calls of the router do not wait for a turn. After a removal of the family, the
/// router runs the migration for no member any more, also if ``removeMembers(using:context:)`` throws an error.
public protocol StorageFamilyMigration<Value>: StorageMigration {
  /// Returns the keys of the members that the migration would find a value for. It must change nothing.
  ///
  /// - Throws: Any error, as in ``StorageMigration/shouldMigrate(using:context:)``.
  @concurrent static func members(using router: StorageRouter, context: MigrationContext) async throws -> [StorageKey<
    Value
  >]

  /// Removes the values that earlier releases have stored for all members.
  ///
  /// - Throws: Any error, as in ``StorageMigration/shouldMigrate(using:context:)``. The caller gets it after the other values are
  ///   removed, and calls the removal again.
  @concurrent static func removeMembers(using router: StorageRouter, context: MigrationContext) async throws
}

extension StorageFamilyMigration {
  /// Returns the keys of the members, or removes them.
  fileprivate static func keys(
    _ isRemoval: Bool, _ router: StorageRouter, _ context: MigrationContext
  ) async throws -> [AnyStorageKey] {
    if !isRemoval { return try await members(using: router, context: context).map { AnyStorageKey($0) } }
    try await removeMembers(using: router, context: context)
    return []
  }
}

extension StorageKeyFamily {
  /// Returns a copy whose members have a custom migration, which lists and removes them.
  ///
  ///     StorageKeyFamily(name: "draft_{id}", domain: .keychain(), members: { draft(named: $0) })
  ///       .migrating(by: DraftMigration.self)
  ///
  /// The family needs `members`, which returns the member's key with its migration.
  ///
  /// - Parameters:
  ///   - migration: The type of the custom migration.
  ///   - key: The type of the members' keys.
  /// - Returns: A copy of the family.
  public func migrating<Value, Migration: StorageFamilyMigration<Value>>(
    by migration: Migration.Type, for key: StorageKey<Value>.Type = StorageKey<Value>.self
  ) -> Self {
    var family = self.migration == nil ? migrating(from: []) : self
    family.migration?.custom.append(
      CustomFamilyMigration(typeName: "\(migration)") { isRemoval, caller, context in
        try await migration.keys(isRemoval, try CustomMigration.router(caller), context)
      })
    return family
  }
}

/// A migration that declares its steps. The library carries out the steps, so that the values stay readable if the process is
/// killed at any time.
protocol DeclaredMigration: Sendable {
  var steps: [MigrationStep] { get }
}

extension AnyStorageMigration {
  /// Erases the type of a migration.
  public init(_ migration: some StorageMigration) {
    let steps = (migration as? any DeclaredMigration)?.steps
    self.init(steps: steps ?? [MigrationStep(action: .custom(CustomMigration(migration)))])
  }

  /// Erases the type of a custom migration that a catalog names. The migration and the key must have the same type of value.
  @_spi(Generated) public init<Value>(_ migration: some StorageMigration<Value>, for key: StorageKey<Value>) {
    self.init(migration)
  }
}

extension CustomMigration {
  init(_ migration: some StorageMigration) {
    self.init(
      typeName: "\(type(of: migration as Any))",
      shouldMigrate: { router, context in
        try await migration.shouldMigrate(using: try Self.router(router), context: context)
      },
      migrate: { router, context in
        try await migration.migrate(using: try Self.router(router), context: context)
      })
  }

  /// Returns the caller, which is the router. No other type runs migrations.
  ///
  /// The downcast is needed because the two types are in different layers. A key contains its migrations, so
  /// ``CustomMigration`` is below the router and cannot name it. The public ``StorageMigration`` gets a ``StorageRouter``.
  fileprivate static func router(_ caller: any StorageProviding) throws -> StorageRouter {
    guard let router = caller as? StorageRouter else { throw SourceTypeMismatch() }
    return router
  }
}

/// A source whose value is not of the type that the migration was written for.
struct SourceTypeMismatch: Error {}
