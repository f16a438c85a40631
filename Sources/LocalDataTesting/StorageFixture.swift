import Foundation
import LocalData

/// The bytes that one release stored for one key or in one database.
public struct StorageFixture: Sendable, CustomStringConvertible {
  private let file: URL
  private let member: String
  private let subject: (any FixtureSubject)?

  init(file: URL, member: String, subject: (any FixtureSubject)?) {
    self.file = file
    self.member = member
    self.subject = subject
  }

  private var release: String { file.deletingLastPathComponent().lastPathComponent }

  /// `theme of 1.0`.
  public var description: String { "\(member) of \(release)" }

  /// Reads the stored bytes with today's code, and compares the value with the expected one.
  ///
  /// - Throws: ``StorageFixtureError`` if today's code fails or reads another value or none, if the catalog does not have the
  ///   key or the database any more, if the file is not a fixture, or if a database of the release was not recorded.
  @concurrent public func check() async throws {
    guard let subject else {
      throw StorageFixtureError(
        "\(self): the catalog has no such key or database any more. If it was removed on purpose, remove the file; if it was renamed "
          + "in Swift, rename the file.")
    }
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw StorageFixtureError("\(self): it is not recorded. Record it with the code of the release.")
    }
    let stored: FixtureFile
    do {
      stored = try FixtureFile(Data(contentsOf: file))
    } catch {
      throw StorageFixtureError("\(self): the file is no fixture.")
    }
    try await subject.check(stored, release: release, name: description)
  }
}

/// A part of a release whose stored bytes have a file of their own.
protocol FixtureSubject: Sendable {
  /// Returns the content of the file with the bytes that are stored today.
  func record(release: String, member: String) async throws -> Data
  /// Compares what today's code reads from a file with the expected values.
  func check(_ file: FixtureFile, release: String, name: String) async throws
}

/// A key of any type with its expected value.
struct FixtureKey: FixtureSubject {
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
