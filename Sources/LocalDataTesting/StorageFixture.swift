import Foundation
import LocalData

/// The bytes that one release stored for one key.
public struct StorageFixture: Sendable, CustomStringConvertible {
  private let file: URL
  private let member: String
  private let key: FixtureKey?

  init(file: URL, member: String, key: FixtureKey?) {
    (self.file, self.member, self.key) = (file, member, key)
  }

  private var release: String { file.deletingLastPathComponent().lastPathComponent }

  /// `theme of 1.0`.
  public var description: String { "\(member) of \(release)" }

  /// Reads the stored bytes with today's code, and compares the value with the expected one.
  ///
  /// - Throws: ``StorageFixtureError`` if today's code fails or reads another value or none, if the catalog does not have the
  ///   key any more, or if the file is not a fixture.
  public func check() async throws {
    guard let key else {
      throw StorageFixtureError(
        "\(self): the catalog has no such key any more. If it was removed on purpose, remove the file; if it was renamed "
          + "in Swift, rename the file.")
    }
    let stored: FixtureFile
    do {
      stored = try FixtureFile(Data(contentsOf: file))
    } catch {
      throw StorageFixtureError("\(self): the file is no fixture.")
    }
    try await key.check(stored, release: release, name: description)
  }
}

/// A key of any type with its expected value.
struct FixtureKey: Sendable {
  private let key: AnyStorageKey
  private let set: @Sendable (StorageRouter, _ release: String) async throws -> Void
  private let exists: @Sendable (StorageRouter) async throws -> Bool
  private let isRead: @Sendable (StorageRouter, _ release: String) async throws -> Bool

  init<Value: Equatable>(_ key: StorageKey<Value>, _ value: @escaping @Sendable (_ release: String) -> Value) {
    self.key = AnyStorageKey(key)
    set = { router, release in try await router.set(value(release), for: key) }
    exists = { router in try await router.exists(key) }
    isRead = { router, release in try await router.get(key) == value(release) }
  }

  /// Returns the content of a fixture file with the bytes that `set` stores today.
  func record(release: String, member: String) async throws -> Data {
    let store = FixtureStore(for: key)
    do {
      try await set(store.router, release)
    } catch let error as StorageError {
      throw StorageFixtureError("\(member) of \(release) cannot be recorded: \(error)")
    }
    return try store.file.bytes
  }

  func check(_ file: FixtureFile, release: String, name: String) async throws {
    let store = FixtureStore(for: key)
    do {
      try store.fill(with: file)
      // An absent value would read as the key's default, which may be the expected value.
      guard try await exists(store.router) else {
        throw StorageFixtureError("\(name): today's code looks for the value in another place.")
      }
      guard try await isRead(store.router, release) else {
        throw StorageFixtureError("\(name): today's code reads another value than the one that was stored.")
      }
    } catch let error as StorageError {
      throw StorageFixtureError("\(name): \(error)")
    }
  }
}
