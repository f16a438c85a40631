import Foundation
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Types that count, so that there can be as many catalogs as a test wants.
private protocol Number: Sendable { static var value: Int { get } }
private enum Zero: Number { static var value: Int { 0 } }
private enum Next<Last: Number>: Number { static var value: Int { Last.value + 1 } }

private func numbered(_ number: Int) -> StorageKey<Int?> { key("n\(number)", Int.self) }

/// A catalog with one key that no other catalog has.
private enum Numbered<Own: Number>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(numbered(Own.value))] }
}

private func catalogs<First: Number>(_ count: Int, from first: First.Type) -> [any StorageKeyCatalog.Type] {
  count == 0 ? [] : [Numbered<First>.self] + catalogs(count - 1, from: Next<First>.self)
}

/// Catalogs that are registered at once.
@Suite struct RegistrationRaceTests {
  @Test func catalogsThatAreRegisteredByManyThreadsAreAllRegistered() async throws {
    let catalogs = catalogs(8, from: Zero.self)
    for _ in 0..<50 {
      let router = StorageRouter.inMemory()
      let failures = Lock<[StorageError]>([])
      // All threads begin together.
      let (ready, done) = (Lock(0), Lock(0))
      for catalog in catalogs {
        Thread.detachNewThread {
          ready.withLock { $0 += 1 }
          while ready.withLock(\.self) < catalogs.count { usleep(10) }
          do throws(StorageError) { try router.registerCatalog(catalog) } catch {
            failures.withLock { $0.append(error) }
          }
          done.withLock { $0 += 1 }
        }
      }
      while done.withLock(\.self) < catalogs.count { try await Task.sleep(for: .milliseconds(1)) }
      #expect(failures.withLock(\.self) == [])
      for number in catalogs.indices {
        try await router.set(number, for: numbered(number))
        #expect(try await router.get(numbered(number)) == number)
      }
      await #expect(throws: StorageError(.unregistered, .init(key: "n8", domain: .userDefaults))) {
        try await router.get(numbered(8))
      }
    }
  }
}
