import Foundation
import LocalData
import LocalDataFoundation

/// The failures of a test, by the kind of domain.
final class DomainFailures: Sendable {
  private let failures: Lock<[StorageDomain.Kind: TestFailure]>

  init(_ failures: [StorageDomain.Kind: TestFailure]) { self.failures = Lock(failures) }

  func set(_ failure: TestFailure, of domain: StorageDomain.Kind) { failures.withLock { $0[domain] = failure } }

  func removeAll() { failures.withLock { $0 = [:] } }

  func check(_ kind: StorageDomain.Kind) throws(StorageProblem) {
    if let failure = failures.withLock({ $0[kind] }) { throw failure.fault }
  }
}

/// The store of a simulated process. Containers of app groups are in memory that other simulated processes share.
struct DomainStore: TransactingStore {
  let memory: MemoryStore
  let groups: MemoryStore
  let failures: DomainFailures

  var removesAtNextLaunch: Bool { false }

  /// Returns the memory of a container, or throws the failure of its domain.
  private func memory(
    of container: StorageContainer, _ attributes: StorageAttributes? = nil
  ) throws(StorageProblem) -> MemoryStore {
    let kind = container.domain.kind
    let isProtected = kind == .fileSystem && attributes?.isCompletelyProtected == true
    try failures.check(isProtected ? .encryptedFileSystem : kind)
    return own(container)
  }

  private func own(_ container: StorageContainer) -> MemoryStore { KeysetID(of: container) == .app ? memory : groups }

  func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try memory(of: address.container, attributes).read(address, attributes)
  }

  func modification(of address: StorageAddress) throws(StorageProblem) -> Date? {
    try memory(of: address.container).modification(of: address)
  }

  func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    try memory(of: address.container, attributes).exists(address, attributes)
  }

  func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try memory(of: address.container, attributes).write(bytes, to: address, attributes)
  }

  func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try memory(of: address.container, attributes).remove(address, attributes)
  }

  func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    try memory(of: address.container, attributes).update(address, attributes, change)
  }

  func updateAll(
    _ items: [StorageItem], in container: StorageContainer,
    _ change: ([Data?]) throws(StorageProblem) -> [StorageChange]?
  ) throws(StorageProblem) {
    try memory(of: container).updateAll(items, in: container, change)
  }

  func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    try memory(of: container).names(in: container, visit)
  }

  func makeDurable(_ container: StorageContainer) throws(StorageProblem) {
    try memory(of: container).makeDurable(container)
  }

  func purge(_ container: StorageContainer) throws(StorageProblem) { try memory(of: container).purge(container) }

  func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageProblem) -> (any Sendable)? {
    // A watch works even if the domain fails, so that changes are reported after the failure has ended.
    try own(container).watch(container, name, onChange)
  }
}
