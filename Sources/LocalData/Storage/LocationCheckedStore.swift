package import Foundation

/// A store whose values can be found only under the configuration that they were written with: it is recorded with the
/// first of them, and another one is refused instead of finding nothing.
package struct LocationCheckedStore: ValueStore {
  private let base: any ValueStore
  private let location: RecordedLocation
  private let file: @Sendable (StoragePlace) throws(StorageFault) -> FileLocation
  /// Files whose record is known to be this one.
  private let known = Lock<Set<FileLocation>>([])

  init(
    _ base: any ValueStore, _ location: RecordedLocation,
    recordedIn file: @escaping @Sendable (StoragePlace) throws(StorageFault) -> FileLocation
  ) {
    self.base = base
    self.location = location
    self.file = file
  }

  /// The record is a file.
  package var withoutWaiting: (any ValueStore)? { nil }

  private func check(_ place: StoragePlace, isWriting: Bool = false) throws(StorageFault) {
    let file = try file(place)
    if known.withLock({ $0.contains(file) }) { return }
    if try location.check(file, isWriting: isWriting) { known.withLock { _ = $0.insert(file) } }
  }

  package func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
    try check(place)
    return try base.read(place, attributes)
  }

  package func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
    try check(place)
    return try base.exists(place, attributes)
  }

  package func write(
    _ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes
  ) throws(StorageFault) {
    try check(place, isWriting: true)
    try base.write(bytes, to: place, attributes)
  }

  package func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
    try check(place)
    try base.remove(place, attributes)
  }

  package func update(
    _ place: StoragePlace, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault) {
    try check(place, isWriting: true)
    try base.update(place, attributes, change)
  }

  package func scan(
    _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    try base.scan(container, upTo: limit, visit)
  }

  package func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    // Any name will do: a container has one record.
    try check(StoragePlace(container: container, name: "name"))
    try base.names(in: container, visit)
  }

  package func makeDurable(_ container: StorageContainer) throws(StorageFault) { try base.makeDurable(container) }

  package func purge(_ container: StorageContainer) throws(StorageFault) { try base.purge(container) }

  package var removesAtNextLaunch: Bool { base.removesAtNextLaunch }
}
