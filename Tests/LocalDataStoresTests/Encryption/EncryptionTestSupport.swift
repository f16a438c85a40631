import Foundation
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalDataStores

extension Data {
  init(hex: String) throws {
    var bytes = Data()
    var rest = hex.filter { !$0.isWhitespace }[...]
    while !rest.isEmpty {
      bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
      rest = rest.dropFirst(2)
    }
    self = bytes
  }

  var hex: String { map { String(format: "%02x", $0) }.joined() }
}

/// A keychain in memory that can be made to fault, and that counts.
final class MemoryKeychain: ValueStore {
  struct State {
    var items: [StorageAddress: Data] = [:]
    var fault: StorageProblem?
    var reads = 0
    var writes = 0
  }

  let state = Lock(State())

  var items: [StorageAddress: Data] { state.withLock { $0.items } }

  func setFault(_ fault: StorageProblem?) { state.withLock { $0.fault = fault } }
  func removeAll() { state.withLock { $0.items = [:] } }

  func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try state.withLock { (state) throws(StorageProblem) in
      state.reads += 1
      if let fault = state.fault { throw fault }
      return state.items[address]
    }
  }

  func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    try read(address, attributes) != nil
  }

  func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try update(address, attributes) { _ in .write(bytes) }
  }

  func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try update(address, attributes) { _ in .remove }
  }

  func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    // Compare and swap, so that the closure need not be Sendable.
    while true {
      let seen = try read(address, attributes)
      let change = try change(seen)
      let isDone = state.withLock { state in
        guard state.items[address] == seen else { return false }
        switch change {
        case .keep: break
        case .write(let bytes): (state.items[address], state.writes) = (bytes, state.writes + 1)
        case .remove: state.items[address] = nil
        }
        return true
      }
      if isDone { return }
    }
  }

  func names(
    in container: StorageContainer, _ visit: (String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    for address in items.keys where address.container == container { if try !visit(address.name) { return } }
  }

  func makeDurable(_ container: StorageContainer) throws(StorageProblem) {}
  func purge(_ container: StorageContainer) throws(StorageProblem) {}
  var removesAtNextLaunch: Bool { false }
}

/// Counts the slow step, and makes it a fast one where a test does not need the real one.
final class CountedStretching: Sendable {
  let count = Lock(0)

  var value: KeyStretching {
    KeyStretching { [count] (material, parameters) throws(StorageProblem) in
      count.withLock { $0 += 1 }
      var mixed = material.withUnsafeBytes { Data($0) } + parameters.salt
      mixed.append(contentsOf: withUnsafeBytes(of: parameters.iterations) { Array($0) })
      return SecretBytes(KeyID(of: SecretBytes(mixed)).bytes + KeyID(of: SecretBytes(mixed + [1])).bytes)
    }
  }

  var calls: Int { count.withLock { $0 } }
}

/// Bytes that count upwards: the same in each run.
func countingRandomness(from first: UInt8 = 1) -> Randomness {
  let next = Lock(first)
  return Randomness { buffer in
    for index in buffer.indices {
      buffer[index] = next.withLock { value in
        defer { value &+= 1 }
        return value
      }
    }
  }
}

func secret(_ byte: UInt8, count: Int = 32) -> SecretBytes { SecretBytes(Data(repeating: byte, count: count)) }

/// The fault that a step throws; `nil` where it throws none.
func faultOf(_ step: () throws -> some Any) -> StorageProblem? {
  do {
    _ = try step()
    return nil
  } catch let fault as StorageProblem {
    return fault
  } catch {
    Issue.record("Not a fault: \(type(of: error))")
    return nil
  }
}

/// The fault that a step throws; `nil` where it throws none.
func faultOf(_ step: () async throws -> some Any) async -> StorageProblem? {
  do {
    _ = try await step()
    return nil
  } catch let fault as StorageProblem {
    return fault
  } catch {
    Issue.record("Not a fault: \(type(of: error))")
    return nil
  }
}
