import LocalDataFoundation
package import LocalDataStores

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
