import Foundation
import LocalData

/// A stored thing: what the earlier app stores, and the value that the generated code reads. It has two values.
struct StoredThing: Sendable {
  /// The key, as errors name it.
  let name: String
  /// A Boolean value that indicates whether the thing is stored in the same place on Linux.
  let isNative: Bool
  /// The earlier app stores the value with a number.
  let store: @Sendable (Int) throws -> Void
  /// The earlier app finds the value with a number as the generated code has written it.
  let isStored: @Sendable (Int) throws -> Bool
  /// The generated code reads the value with a number.
  let isRead: @Sendable (StorageRouter, Int) async throws -> Bool
  /// The generated code writes the value with a number.
  let write: @Sendable (StorageRouter, Int) async throws -> Void
  /// The value with a number, for another release.
  let value: @Sendable (Int) -> any Codable & Sendable
}

/// A thing that the library does not manage: it stays as the earlier app has stored it.
struct UnmanagedThing: Sendable {
  /// The member in the catalog.
  let name: String
  let isNative: Bool
  let store: @Sendable () throws -> Void
  let isStored: @Sendable () throws -> Bool
}

/// The stored things of an app.
struct StoredThings: Sendable {
  let app: EarlierApp
  private(set) var all: [StoredThing] = []
  /// A thing that the catalogs describe as unmanaged. No release changes it.
  private(set) var unmanaged: [UnmanagedThing] = []

  init(of app: EarlierApp) { self.app = app }

  /// Adds a value that the earlier app and the generated code have in the same type.
  @_disfavoredOverload
  mutating func add<Value: Codable & Equatable>(
    _ key: StorageKey<Value>, _ place: Place<Value>, _ first: Value, _ second: Value
  ) {
    add(key, place, first, second, as: first, second)
  }

  /// Adds a value that the earlier app and the generated code have in the same type, of a key without a default.
  mutating func add<Value: Codable & Equatable>(
    _ key: StorageKey<Value?>, _ place: Place<Value>, _ first: Value, _ second: Value
  ) {
    add(key, place, first, second, as: first, second)
  }

  /// Adds a value that stays as it is.
  mutating func keep<Value: Equatable>(_ name: String, _ place: Place<Value>, _ value: Value) {
    unmanaged.append(
      UnmanagedThing(
        name: name, isNative: place.isNative, store: { try place.write(value) },
        isStored: { try place.read() == value }))
  }

  /// Adds a value that the earlier app has in another type.
  ///
  /// - Parameter rewritten: What the generated code writes for the first value, if that is not what the earlier app wrote: a
  ///   value that the earlier app could not parse either, and for which it used its default.
  mutating func add<Raw: Equatable, Value: Codable & Equatable>(
    _ key: StorageKey<Value>, _ place: Place<Raw>, _ first: Raw, _ second: Raw, as firstValue: Value,
    _ secondValue: Value, rewritten: Raw? = nil
  ) {
    let raw = [first, second]
    let written = [rewritten ?? first, second]
    let values = [firstValue, secondValue]
    all.append(
      StoredThing(
        name: "\(key.debugDescription)", isNative: place.isNative, store: { try place.write(raw[$0]) },
        isStored: { try place.read() == written[$0] }, isRead: { try await $0.get(key) == values[$1] },
        write: { try await $0.set(values[$1], for: key) }, value: { values[$0] }))
  }
}
