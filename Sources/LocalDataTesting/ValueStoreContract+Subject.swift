import Foundation
import LocalData

extension ValueStoreContract {
  /// A store and the container in it that a clause works on.
  struct Subject: Sendable {
    let store: any ValueStore
    let container: StorageContainer
    var attributes = StorageAttributes()

    private func address(_ name: String) -> StorageAddress { StorageAddress(container: container, name: name) }

    func read(_ name: String) throws(StorageProblem) -> Data? { try store.read(address(name), attributes) }

    func exists(_ name: String) throws(StorageProblem) -> Bool { try store.exists(address(name), attributes) }

    func modification(_ name: String) throws(StorageProblem) -> Date? { try store.modification(of: address(name)) }

    func write(_ bytes: Data, _ name: String) throws(StorageProblem) {
      try store.write(bytes, to: address(name), attributes)
    }

    func remove(_ name: String) throws(StorageProblem) { try store.remove(address(name), attributes) }

    func update(
      _ name: String, _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      try store.update(address(name), attributes, change)
    }

    /// Returns the names of the container as bytes, because `String` treats two spellings of "é" as equal.
    func names(stopAfter count: Int = .max) throws(StorageProblem) -> [[UInt8]] {
      var met: [[UInt8]] = []
      try store.names(in: container) { name throws(StorageProblem) in
        met.append(Array(name.utf8))
        return met.count < count
      }
      return met
    }

    // MARK: Judging

    func require(_ condition: Bool, _ complaint: String) throws {
      if !condition { throw Violation(description: complaint) }
    }

    func expect(_ bytes: Data?, at name: String) throws {
      let found = try read(name)
      try require(
        found == bytes,
        "\(name.debugDescription): \(Self.text(found)) was read instead of \(Self.text(bytes))")
    }

    func expect<Result>(
      _ fault: StorageProblem, _ action: String, _ body: () throws(StorageProblem) -> Result
    ) throws {
      do throws(StorageProblem) { _ = try body() } catch {
        return try require(error == fault, "\(action) threw \(error) instead of \(fault)")
      }
      throw Violation(description: "\(action) threw nothing instead of \(fault)")
    }

    private static func text(_ bytes: Data?) -> String {
      bytes.map { "\($0.count) bytes (\($0.prefix(4).map(String.init).joined(separator: " "))…)" } ?? "nil"
    }
  }

  /// The errors of other threads.
  ///
  /// `@unchecked Sendable`: the only mutable property is used only while `lock` is held.
  final class Faults: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [any Error] = []

    func note(_ error: any Error) { lock.withLock { noted.append(error) } }

    var first: (any Error)? { lock.withLock { noted.first } }
  }
}
