package import LocalDataFoundation
import LocalDataStores

/// A feature of the library that has its own product. A catalog names the features that its keys need.
///
/// If a key is synced, its catalog needs the product `LocalDataSync`:
///
/// ```swift
/// import LocalData
/// import LocalDataSync
///
/// enum AppCatalog: StorageKeyCatalog {
///   static let features: [StorageFeature] = [.sync]
///   static var allKeys: [AnyStorageKey] { [.key(.theme)] }
/// }
/// ```
///
/// A generated catalog names its features itself.
public struct StorageFeature: Sendable {
  /// Makes the state of the feature for a router with this clock.
  package let make: @Sendable (any StorageClock) -> any ChangeFeature

  package init(_ make: @escaping @Sendable (any StorageClock) -> any ChangeFeature) { self.make = make }
}

/// The state of a feature that takes part in the changes of values. It belongs to one router.
package protocol ChangeFeature: AnyObject, Sendable {
  /// Returns the part of the feature in one call on a key; `nil` if the key takes no part.
  func hook(for key: AnyStorageKey, on platform: StoragePlatform) -> (any ChangeHook)?
  /// Acts on the change that a call has made, if it has made one. The caller holds the key's turn if it knows the effect. Never
  /// fails.
  func changed(_ effect: ValueEffect, _ key: AnyStorageKey, _ plan: KeyPlan, on router: StorageRouter) async
  /// Does what earlier changes have left to do. The caller holds no turn.
  ///
  /// - Parameter waits: The waits of the call that made a change.
  @concurrent func catchUp(on router: StorageRouter, _ waits: CallWaits) async
}

/// The effect of a call on the stored value of a key, which the key's feature is told of.
package enum ValueEffect: Sendable {
  case none, removed
  /// A value was written. The closure returns its serialized bytes.
  case written(@Sendable () throws -> Data?)
  /// The value may have changed. The feature reads it when it acts.
  case unknown
}

extension KeyPlan {
  /// Tells the feature of the key that the value may have changed. The feature acts after this function has returned.
  func changedLater(_ key: AnyStorageKey, on router: StorageRouter) {
    guard hook?.noteChange() == true, let feature = router.feature else { return }
    Task { await feature.changed(.unknown, key, self, on: router) }
  }
}

extension StorageRouter {
  /// The feature that takes part in changes; `nil` until a catalog or the app uses one.
  package nonisolated var feature: (any ChangeFeature)? { setup.withLock(\.feature) }
}
