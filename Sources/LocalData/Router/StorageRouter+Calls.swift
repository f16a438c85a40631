import LocalDataFoundation
package import LocalDataStores

/// The steps of every verb before and after it uses a value.
extension StorageRouter {
  /// Prepares a value for its use: moves it from the address of an earlier release, and removes it if its retention has ended.
  /// The caller holds the key's turn.
  ///
  /// - Throws: An error if the value cannot be moved or removed now.
  package func prepare(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    try await KeyMigration(key, plan, on: self).settle()
    if plan.retention != nil { try await KeyChange(key, plan, on: self).endRetention(mayPrompt: true) }
  }

  /// Runs a verb that reads the value of a key: takes the key's turn, prepares the value, and reads it.
  ///
  /// - Parameter waits: The shared waits of a call on many values; `nil` for a call on one value.
  func read<Result: Sendable>(
    _ key: AnyStorageKey, _ plan: KeyPlan, _ waits: CallWaits? = nil,
    _ body: @Sendable (ValueAccess) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    try await inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
      try await router.prepare(key, plan)
      return try await body(router.values(for: plan))
    }
  }

  /// Runs a verb that changes the value of a key: takes the key's turn, makes the change, and lets the key's feature act on it.
  ///
  /// - Parameters:
  ///   - waits: The shared waits of a call on many values; `nil` for a call on one value.
  ///   - body: Makes the change. Returns the result of the verb, and a function that returns the serialized bytes of the value that
  ///     is stored now: `nil` for none. There is no function if nothing has changed, or if the change was left to the feature.
  package func change<Result: Sendable>(
    _ key: AnyStorageKey, _ operation: StorageLogEntry.Operation, _ use: KeyUse, _ waits: CallWaits? = nil,
    _ body: @Sendable (isolated StorageRouter, KeyChange) async throws(StorageError) -> (Result, FeatureChange.Bytes?)
  ) async throws(StorageError) -> Result {
    let meter = log.begin(operation, key)
    return try await meter.run { () throws(StorageError) in
      let plan = try await plan(for: key, use).measured(by: meter)
      let isTold = plan.hook != nil
      let waits = waits ?? (isTold ? CallWaits(timeout, of: .call) : nil)
      let (result, bytes) = try await inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
        try await body(router, KeyChange(key, plan, on: router))
      }
      if isTold, let waits {
        let changes = bytes.map { [FeatureChange(key: key, plan: plan, bytes: $0)] } ?? []
        await feature?.catchUp(on: self, with: changes, waits)
      }
      return result
    }
  }
}

extension StorageKey {
  /// Returns the value of a key if it can be read without waiting. Returns `nil` if the caller has to take its turn. If nothing is
  /// stored, it also returns `nil`, because a migration may be moving the value.
  ///
  /// A single read needs no turn: it returns the value before or after any overlapping change. If it fails, the caller takes its
  /// turn and decodes the value again, with the serializer and the upgrades of the app.
  func valueAtOnce(_ plan: KeyPlan, on router: StorageRouter) -> Value? {
    guard plan.retention == nil, !MigrationTurn.isRunning(on: router),
      migration == nil || router.migrationCache.isSettled(plan.address)
    else { return nil }
    // If one of these throws an error, the read that may wait throws the same error.
    do throws(StorageError) {
      return try CallDeadline.withoutWaiting { () throws(StorageError) in
        if isPlainPreference { return try PlainPreference(self, plan, router).read().value }
        let values = router.values(for: plan)
        let opener = values.knownOpener(plan)
        if plan.sealing != nil, opener == nil { return nil }
        var attributes = plan.attributes
        attributes.maxPromptSize = StorageAttributes.largestPromptSize
        attributes.areBytesTransient = opener != nil
        let step = ValueStep(coding: coding, plan: plan, values: values)
        guard case .value(let value, .some) = try step.read(opener, attributes) else { return nil }
        return value
      }
    } catch { return nil }
  }
}

/// The turn of a key whose custom migration is running.
///
/// Calls from within the migration wait for no turn of any router, so that they cannot wait for themselves or for each other.
/// A change of another key is as safe as a change by another process.
package final class MigrationTurn: Sendable {
  @TaskLocal static var current: MigrationTurn?

  private let router: ObjectIdentifier
  private let address: StorageAddress
  private let outer: MigrationTurn?
  /// A Boolean value that indicates whether the migration must not change the value of the key, because the app has set or
  /// removed it since the migration began.
  private let keepsValue: Bool
  private let isOver = Lock(false)

  init(of address: StorageAddress, on router: StorageRouter, keepsValue: Bool = false) {
    self.keepsValue = keepsValue
    self.router = ObjectIdentifier(router)
    self.address = address
    outer = Self.current
  }

  /// Ends the turn. A task that is still running after the migration waits for turns like every other caller.
  func end() { isOver.withLock { $0 = true } }

  /// Returns true if the caller runs within a migration of any router.
  static var isRunning: Bool { current?.contains { _ in true } ?? false }

  /// Returns true if the caller runs within the migration of a key of the router, and must not change the key's value.
  static func keepsValue(on router: StorageRouter, at address: StorageAddress) -> Bool {
    current?.contains { $0.router == ObjectIdentifier(router) && $0.address == address && $0.keepsValue } ?? false
  }

  /// Returns true if the caller runs within a migration of the router.
  package static func isRunning(on router: StorageRouter) -> Bool {
    current?.contains { $0.router == ObjectIdentifier(router) } ?? false
  }

  /// Returns true if the caller runs within the migration of a key of the router.
  package static func isRunning(on router: StorageRouter, at address: StorageAddress) -> Bool {
    current?.contains { $0.router == ObjectIdentifier(router) && $0.address == address } ?? false
  }

  private func contains(_ isSought: (MigrationTurn) -> Bool) -> Bool {
    if !isOver.withLock(\.self), isSought(self) { return true }
    return outer?.contains(isSought) ?? false
  }
}
