import Foundation
import LocalData

/// A key of a later release, which reads and writes the values of an earlier one.
struct LaterKey: Sendable {
  let name: String
  let isRead: @Sendable (StorageRouter, any Codable & Sendable) async throws -> Bool
  let write: @Sendable (StorageRouter, any Codable & Sendable) async throws -> Void

  init<Value: Codable & Equatable>(_ key: StorageKey<Value>) {
    name = key.debugDescription
    isRead = { try await $0.get(key) == Self.value($1) }
    write = { try await $0.set(try Self.value($1), for: key) }
  }

  /// Returns a value of another release, whose enums and structs are other types, in the types of this one.
  private static func value<Value: Codable>(_ other: any Codable) throws -> Value {
    if let value = other as? Value { return value }
    return try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(other))
  }
}

/// The keys of a later release, in the order of the stored things.
struct LaterKeys: Sendable {
  private(set) var all: [LaterKey] = []

  /// Adds keys of a release.
  mutating func add<each Value: Codable & Equatable>(_ keys: repeat StorageKey<each Value>) {
    for key in repeat each keys { all.append(LaterKey(key)) }
  }
}
