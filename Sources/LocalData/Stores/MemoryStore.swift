package import Foundation
import StorageVocabulary

/// A store that keeps all containers in memory, for tests and previews.
package final class MemoryStore: TransactingStore {
  /// A place whose names are compared by their bytes. Two spellings of "é" are equal strings, but two names on a disk.
  private struct Place: Hashable, Sendable {
    let container: StorageContainer
    let name: [UInt8]

    init(_ place: StoragePlace) {
      container = place.container
      name = Array(place.name.utf8)
    }
  }

  /// Held while the closure of a caller runs, which `Lock` does not allow.
  private let turn = NSLock()
  private let values = Lock<[Place: Data]>([:])
  private let changes = ChangeHub()

  package init() {}

  /// All stored values, in no particular order.
  package var entries: [(place: StoragePlace, bytes: Data)] {
    values.withLock { $0 }.map { place, bytes in
      (StoragePlace(container: place.container, name: String(decoding: place.name, as: UTF8.self)), bytes)
    }
  }

  package var withoutWaiting: (any ValueStore)? { self }

  package func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
    let bytes = values.withLock { $0[Place(place)] }
    if let bytes, bytes.count > attributes.maxStoredSize { throw .valueTooLarge }
    return bytes
  }

  package func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
    values.withLock { $0[Place(place)] != nil }
  }

  package func write(
    _ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes
  ) throws(StorageFault) {
    try update(place) { () throws(StorageFault) in .write(bytes) }
  }

  package func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
    try update(place) { () throws(StorageFault) in .remove }
  }

  package func update(
    _ place: StoragePlace, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault) {
    try update(place) { () throws(StorageFault) in try change(try read(place, attributes)) }
  }

  private func update(
    _ place: StoragePlace, _ change: () throws(StorageFault) -> StorageChange
  ) throws(StorageFault) {
    guard !place.name.isEmpty else { throw .invalidName }
    let isChanged = try inTurn { () throws(StorageFault) in apply([(place, try change())]) }
    if isChanged { changes.tell(place) }
  }

  package func updateAll(
    _ items: [StorageItem], in container: StorageContainer,
    _ change: ([Data?]) throws(StorageFault) -> [StorageChange]?
  ) throws(StorageFault) {
    let isChanged = try inTurn { () throws(StorageFault) in
      var stored: [Data?] = []
      for item in items { stored.append(try read(item.place, item.attributes)) }
      return apply(Array(zip(items.map(\.place), try change(stored) ?? [])))
    }
    if isChanged { changes.tell(container) }
  }

  private func inTurn(_ body: () throws(StorageFault) -> Bool) throws(StorageFault) -> Bool {
    turn.lock()
    defer { turn.unlock() }
    return try body()
  }

  /// Makes all changes in one step. Returns true if there are any.
  private func apply(_ changes: [(place: StoragePlace, change: StorageChange)]) -> Bool {
    values.withLock { values in
      var isChanged = false
      for (place, change) in changes {
        switch change {
        case .keep: continue
        case .write(let bytes): values[Place(place)] = bytes
        case .remove: values[Place(place)] = nil
        }
        isChanged = true
      }
      return isChanged
    }
  }

  /// Routers that share a store read each other's changes, like processes that share a disk.
  package func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageFault) -> (any Sendable)? {
    changes.listen(to: container) { changed in
      if changed == nil || name == nil || changed == name { onChange() }
    }
  }

  package func scan(
    _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    let found = values.withLock { values in values.filter { container.includes($0.key.container) }.map(\.value) }
    for bytes in found where try !visit(Data(bytes.prefix(limit))) { return }
  }

  package func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    let found = values.withLock { values in values.keys.filter { $0.container == container }.map(\.name) }
    for name in found where try !visit(String(decoding: name, as: UTF8.self)) { return }
  }

  package func makeDurable(_ container: StorageContainer) throws(StorageFault) {}

  package func purge(_ container: StorageContainer) throws(StorageFault) {}

  package var removesAtNextLaunch: Bool { false }
}

extension StorageContainer {
  /// Returns true if a scan of this container visits the values of another one. On a disk, custom directories are inside of
  /// application support and may be inside of each other.
  fileprivate func includes(_ other: StorageContainer) -> Bool {
    switch (self, other) {
    case (.directory(let outer), .directory(let inner)): outer.includes(inner)
    case (.groupDirectory(let group, let outer), .groupDirectory(let otherGroup, let inner)):
      group == otherGroup && outer.includes(inner)
    default: self == other
    }
  }
}

extension FileDirectory {
  fileprivate func includes(_ other: FileDirectory) -> Bool {
    switch (self, other) {
    case (.applicationSupport, .custom): true
    case (.custom(let outer), .custom(let inner)): inner == outer || inner.hasPrefix(outer + "/")
    default: self == other
    }
  }
}
