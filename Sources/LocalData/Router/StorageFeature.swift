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
  /// Acts on the changes of a call, and then on what earlier calls have left. The caller holds no turn. Never fails.
  ///
  /// - Parameter waits: The waits of the call.
  func catchUp(on router: StorageRouter, with changes: [FeatureChange], _ waits: CallWaits) async
}

/// A change that the feature of its key acts on.
package struct FeatureChange: Sendable {
  package let key: AnyStorageKey
  package let plan: KeyPlan
  /// The value; `nil` if the call has left it to the feature to read the value, see ``ChangeHook/noteChange()``.
  package let bytes: Bytes?

  /// Returns the serialized bytes of the stored value; `nil` if it was removed.
  package typealias Bytes = @Sendable () throws -> Data?
}

extension StorageRouter {
  /// The feature that takes part in changes; `nil` until a catalog or the app uses one.
  package nonisolated var feature: (any ChangeFeature)? { setup.withLock(\.feature) }
}
