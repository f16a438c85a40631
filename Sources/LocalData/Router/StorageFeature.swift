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
  /// Acts on the change that a call has made, if it has made one. The caller still holds the key's turn. Never fails.
  ///
  /// - Parameter bytes: Returns the serialized bytes of the written value; `nil` if the value was removed.
  func changed(
    _ key: AnyStorageKey, _ plan: KeyPlan, on router: StorageRouter,
    _ bytes: () throws(StorageProblem) -> Data?
  ) async
  /// Acts on the change that a call has made, if it has made one, after this function has returned.
  func changedLater(_ key: AnyStorageKey, _ plan: KeyPlan, on router: StorageRouter)
  /// Does what earlier changes have left to do. The caller holds no turn.
  ///
  /// - Parameter waits: The waits of the call that made a change.
  @concurrent func catchUp(on router: StorageRouter, _ waits: CallWaits) async
}

extension StorageRouter {
  /// The feature that takes part in changes; `nil` until a catalog or the app uses one.
  package nonisolated var feature: (any ChangeFeature)? { setup.withLock(\.feature) }
}
