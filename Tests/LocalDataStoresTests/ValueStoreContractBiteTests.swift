import Foundation
import LocalDataStores
import LocalDataTesting
import Testing

/// The contract notices stores that break it.
@Suite struct ValueStoreContractBiteTests {
  /// A store that has the given fault.
  private struct Broken: ValueStore {
    enum Fault: CaseIterable, Sendable {
      case forgetsEmptyValues, foldsCase, losesUpdates, ignoresLimit, keepsAfterRemoval, writesOnThrow
      case listsRemoved, listsOnce, listsWithoutEnd
      case losesOnPurge, makesOnDurable, datesRemoved, datesWrongly
    }

    let fault: Fault
    let base = MemoryStore()

    private func address(_ address: StorageAddress) -> StorageAddress {
      fault == .foldsCase ? StorageAddress(container: address.container, name: address.name.lowercased()) : address
    }

    func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      var attributes = attributes
      if fault == .ignoresLimit { attributes.maxStoredSize = .max }
      let bytes = try base.read(self.address(address), attributes)
      return fault == .forgetsEmptyValues && bytes?.isEmpty == true ? nil : bytes
    }

    func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
      try base.exists(self.address(address), attributes)
    }

    func modification(of address: StorageAddress) throws(StorageProblem) -> Date? {
      switch fault {
      case .datesRemoved: Date()
      case .datesWrongly: try base.read(address, StorageAttributes()).map { _ in Date(timeIntervalSince1970: 0) }
      default: nil
      }
    }

    func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      try base.write(bytes, to: self.address(address), attributes)
    }

    func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      if fault != .keepsAfterRemoval { try base.remove(self.address(address), attributes) }
    }

    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      if fault == .writesOnThrow { try base.write(Data(), to: address, attributes) }
      guard fault == .losesUpdates else { return try base.update(self.address(address), attributes, change) }
      let old = try base.read(address, attributes)
      usleep(100)
      switch try change(old) {
      case .keep: break
      case .write(let bytes): try base.write(bytes, to: address, attributes)
      case .remove: try base.remove(address, attributes)
      }
    }

    func names(
      in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
    ) throws(StorageProblem) {
      if fault == .listsRemoved, try !visit("gone") { return }
      var isFirst = true
      try base.names(in: container) { (name) throws(StorageProblem) in
        defer { isFirst = false }
        if fault == .listsOnce, !isFirst { return false }
        let goesOn = try visit(name)
        return fault == .listsWithoutEnd || goesOn
      }
    }

    func makeDurable(_ container: StorageContainer) throws(StorageProblem) {
      let address = StorageAddress(container: container, name: "a")
      if fault == .makesOnDurable { try base.write(Data(), to: address, StorageAttributes()) }
    }

    func purge(_ container: StorageContainer) throws(StorageProblem) {
      let address = StorageAddress(container: container, name: "b")
      if fault == .losesOnPurge { try base.remove(address, StorageAttributes()) }
    }

    var removesAtNextLaunch: Bool { false }
  }

  @Test(arguments: Broken.Fault.allCases) private func notices(_ fault: Broken.Fault) {
    let failures = ValueStoreContract.clauses.filter { clause in
      do {
        try clause.check(Broken(fault: fault), .directory(.caches))
        return false
      } catch { return true }
    }
    #expect(!failures.isEmpty)
  }
}
