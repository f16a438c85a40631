import Foundation
import RuntimeTestSupport
import Testing

@testable import LocalDataStores

/// Changes of a value that are made only if it is still the one that was read.
@Suite struct ReplacementTests {
  private static let (a, b, new) = (Data([1]), Data([2]), Data([3]))
  private let address = StorageAddress.preference("a")

  private func store(_ stored: Data?) throws -> MemoryStore {
    let store = MemoryStore()
    if let stored { try store.write(stored, to: address, StorageAttributes()) }
    return store
  }

  private func value(_ store: any ValueStore) throws -> Data? { try store.read(address, StorageAttributes()) }

  @Test(arguments: [nil, a], [nil, a, b])
  func onlyTheSeenValueIsReplaced(seen: Data?, stored: Data?) throws {
    let store = try store(stored)
    #expect(try StoreValue(store: store, address: address).replace(seen, with: Self.new) == (seen == stored))
    #expect(try value(store) == (seen == stored ? Self.new : stored))
  }

  @Test(arguments: [nil, a], [nil, a, b])
  func onlyTheSeenValueIsRemoved(seen: Data?, stored: Data?) throws {
    let store = try store(stored)
    #expect(try StoreValue(store: store, address: address).replace(seen, with: nil) == (seen == stored))
    #expect(try value(store) == (seen == stored ? nil : stored))
  }

  /// Another writer stores, changes or removes the value between the read of the caller and the replacement.
  @Test(arguments: [nil, a], [nil, a, b])
  func aLaterChangeIsKept(seen: Data?, later: Data?) throws {
    let store = OvertakenStore(base: try store(seen), later: later)
    #expect(try value(store) == seen)
    #expect(try StoreValue(store: store, address: address).replace(seen, with: Self.new) == (seen == later))
    #expect(try value(store) == (seen == later ? Self.new : later))
  }

  /// A store calls the closure again if another process has written before the change could be made.
  @Test(arguments: [nil, a], [nil, a, b])
  func theLastDecisionIsReturned(seen: Data?, later: Data?) throws {
    let store = OvertakenStore(base: try store(seen), later: later, asksBefore: true)
    #expect(try StoreValue(store: store, address: address).replace(seen, with: Self.new) == (seen == later))
    #expect(try value(store) == (seen == later ? Self.new : later))
  }

  @Test func theClosureIsCalledOnlyForTheSeenValue() throws {
    let store = try store(Self.a)
    let stored = StoreValue(store: store, address: address)
    #expect(
      try !stored.update(ifStored: Self.b) {
        Issue.record("something else is stored")
        return .remove
      })
    #expect(try !stored.update(ifStored: Self.a) { .keep })
    #expect(throws: StorageProblem.authenticationFailed) {
      try stored.update(ifStored: Self.a) { () throws(StorageProblem) in throw .authenticationFailed }
    }
    #expect(try value(store) == Self.a)
    #expect(try stored.update(ifStored: Self.a) { .write(Self.new) })
    #expect(try value(store) == Self.new)
  }
}

/// A value of a store.
private struct StoreValue: UpdatableValue {
  let store: any ValueStore
  let address: StorageAddress

  func update(_ change: (Data?) throws(StorageProblem) -> StorageChange) throws(StorageProblem) {
    try store.update(address, StorageAttributes(), change)
  }
}

/// A store in which another writer is faster than each update.
private struct OvertakenStore: ForwardingStore {
  let base: any ValueStore
  /// The bytes that the other writer stores, or `nil` if it removes the value.
  let later: Data?
  /// A Boolean value that indicates whether the closure of an update is also called before the other writer is done.
  var asksBefore = false

  func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    if asksBefore { _ = try change(try base.read(address, attributes)) }
    if let later {
      try base.write(later, to: address, attributes)
    } else {
      try base.remove(address, attributes)
    }
    try base.update(address, attributes, change)
  }
}
