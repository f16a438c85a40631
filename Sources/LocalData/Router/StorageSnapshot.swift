import LocalDataFoundation
import LocalDataStores

extension StorageRouter {
  /// Reads the values of all keys of a catalog at once, so that they can be used without `await`: at launch, in the delegate of
  /// an app, or for the timeline of a widget.
  ///
  /// ```swift
  /// let values = try await router.snapshot(of: AccountCatalog.self)
  /// print(try values.get(.theme))                      // system: the default if nothing is stored
  /// print(try values.get(.userToken) ?? "signed out")  // signed out: nil if nothing is stored, an error if it is locked
  /// ```
  ///
  /// Each store is read by itself: a store that cannot be read now, or that other processes have locked, takes no value of
  /// another store from the snapshot. A value is read as ``get(_:)`` reads it, with the key's migration, retention and `onCorruption`. The
  /// user is never asked: an item with an access control is not read, and asking for its value throws
  /// ``StorageProblem/Code/locked``. The values are not those of one moment, because a call may change one between two reads.
  ///
  /// Families and records are not part of a snapshot, because nothing bounds their number. Nor are key pairs, whose private
  /// keys never leave the library. The snapshot keeps the values in memory, also those of sealed keys, until the app releases
  /// it.
  ///
  /// - Parameter catalog: The catalog.
  /// - Returns: The values.
  /// - Throws: ``StorageProblem/Code/unregistered`` if other catalogs are registered, and this one is not. Whatever keeps one
  ///   value from being read is thrown when this value is asked for.
  @concurrent public nonisolated func snapshot(
    of catalog: (some StorageKeyCatalog).Type
  ) async throws(StorageError) -> StorageSnapshot {
    guard setup.withLock({ $0.registry.mayUse(catalog) }) else { throw StorageError(.unregistered, .none) }
    let waits = CallWaits(timeout, of: .step)
    let stores = Dictionary(grouping: catalog.allKeys.lazy.filter { !$0.options.isKeyPair }, by: \.domain).values
    let values = await AuthenticationSession.silently {
      await withTaskGroup(of: StorageSnapshot.Values.self) { group in
        for keys in stores { group.addTask { await self.values(of: keys, waits) } }
        return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
      }
    }
    return StorageSnapshot(values: values)
  }

  /// Returns the values of keys of one store, one after the other.
  private nonisolated func values(of keys: [AnyStorageKey], _ waits: CallWaits) async -> StorageSnapshot.Values {
    var values: StorageSnapshot.Values = [:]
    for key in keys {
      do throws(StorageError) { values[key] = .success(try await value(of: key, waits)) } catch {
        values[key] = .failure(error)
      }
    }
    return values
  }

  private nonisolated func value(of key: AnyStorageKey, _ waits: CallWaits) async throws(StorageError) -> any Sendable {
    let meter = log.begin(.get, key)
    return try await meter.run { () throws(StorageError) in
      let plan = try await plan(for: key, .read).measured(by: meter)
      guard plan.attributes.accessControl == nil else { throw StorageError(.locked, plan.subject) }
      return try await read(key, plan, waits) { (values) throws(StorageError) in
        guard let coding = key.coding as? any SnapshotCoding else { throw StorageError(.cannotDecode, plan.subject) }
        return try await coding.snapshotValue(plan, values)
      }
    }
  }
}

/// The values of a catalog's keys as ``StorageRouter/snapshot(of:)`` has read them. They do not change.
///
/// ```swift
/// struct Entry: TimelineEntry { let date: Date, values: StorageSnapshot }
///
/// let entry = Entry(date: .now, values: try await router.snapshot(of: AccountCatalog.self))
/// let theme = try entry.values.get(.theme)
/// ```
public struct StorageSnapshot: Sendable {
  typealias Values = [AnyStorageKey: Result<any Sendable, StorageError>]

  fileprivate let values: Values

  /// Returns the value that the snapshot has for a key. If nothing was stored, returns the key's default, or `nil` if its type is
  /// optional.
  ///
  /// ```swift
  /// print(try values.get(.theme))   // system
  /// ```
  ///
  /// - Parameter key: A key of the catalog.
  /// - Returns: The value.
  /// - Throws: The error that ``StorageRouter/get(_:)`` threw when the snapshot was made, for example
  ///   ``StorageProblem/Code/locked``, also for an item with an access control. ``StorageProblem/Code/unregistered`` if the key
  ///   is not in the catalog, and ``StorageProblem/Code/differsFromRegistration`` if it has another type there.
  public func get<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Value {
    let erased = AnyStorageKey(key)
    guard let value = try values[erased]?.get() else { throw StorageError(.unregistered, erased.subject) }
    guard let value = value as? SnapshotValue<Value> else {
      throw StorageError(.differsFromRegistration, erased.subject)
    }
    return value.value
  }
}

/// A coding that knows the type of the value.
private protocol SnapshotCoding {
  /// Reads the value of a key with its type, as `get` does.
  func snapshotValue(_ plan: KeyPlan, _ values: ValueAccess) async throws(StorageError) -> any Sendable
}

extension KeyCoding: SnapshotCoding {
  func snapshotValue(_ plan: KeyPlan, _ values: ValueAccess) async throws(StorageError) -> any Sendable {
    SnapshotValue(value: try await ValueStep(coding: self, plan: plan, values: values).value())
  }
}

/// A value with its type, so that a cast does not take one optional type for another.
private struct SnapshotValue<Value: Sendable>: Sendable {
  let value: Value
}

extension StorageSnapshot: CustomStringConvertible, CustomReflectable {
  /// The number of values. It shows none of them.
  public var description: String { "\(values.count) values" }

  /// An empty mirror: a dump must show no value and no name.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
