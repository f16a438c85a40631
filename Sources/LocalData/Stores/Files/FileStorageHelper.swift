package import Foundation
import StorageVocabulary

/// The domains whose values are files.
///
/// Writers take the lock of a value's folder; readers need none, since a file is only ever replaced whole.
package struct FileStorageHelper: ValueStore {
  let locations: StorageLocations
  private let patience: Duration

  package init(_ locations: StorageLocations, patience: Duration = .seconds(10)) {
    self.locations = locations
    self.patience = patience
  }

  package var withoutWaiting: (any ValueStore)? { nil }

  package func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
    let name = try FileName(place.name)
    guard let folder = try locations.folder(of: place.container).open(creating: false) else { return nil }
    return try read(place, name, in: folder, attributes)
  }

  package func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
    let name = try FileName(place.name)
    guard let folder = try locations.folder(of: place.container).open(creating: false),
      let status = try folder.status(of: name.text)
    else { return false }
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    return true
  }

  package func write(
    _ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes
  ) throws(StorageFault) {
    try update(place, attributes, reading: false) { _ throws(StorageFault) in .write(bytes) }
  }

  package func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
    // What is not there need not be removed, and no folder be made for it.
    let isStored = try exists(place, attributes)
    guard try isStored ? true : hasDrafts(place) else { return }
    try update(place, attributes, reading: false) { _ throws(StorageFault) in .remove }
  }

  /// Returns true if a killed writer may have left a part of a value in the value's folder.
  private func hasDrafts(_ place: StoragePlace) throws(StorageFault) -> Bool {
    guard let folder = try locations.folder(of: place.container).open(creating: false) else { return false }
    return try DurableWriter.hasDrafts(in: folder)
  }

  package func update(
    _ place: StoragePlace, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault) {
    try update(place, attributes, reading: true, change)
  }

  private func update(
    _ place: StoragePlace, _ attributes: StorageAttributes, reading: Bool,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault) {
    let name = try FileName(place.name)
    try locked(try locations.folder(of: place.container)) { (folder) throws(StorageFault) in
      let old = reading ? try read(place, name, in: folder, attributes) : nil
      switch try change(old) {
      case .keep: break
      case .remove: try DurableWriter.remove(name.text, in: folder)
      case .write(let bytes):
        let content = name.isShortened ? [NamedContent.header(of: place.name), bytes] : [bytes]
        let protection = FileProtection(
          isComplete: attributes.isCompletelyProtected, isBackedUp: attributes.isBackedUp)
        try DurableWriter.replace(name.text, in: folder, with: content, protection)
      }
    }
  }

  /// Runs `body` with the folder's lock held; the folder is made where it is absent.
  private func locked(
    _ location: FolderLocation, _ body: (borrowing Folder) throws(StorageFault) -> Void
  ) throws(StorageFault) {
    let deadline = ContinuousClock.now + patience
    repeat {
      let folder = try location.openForWriting(lock: DurableWriter.stem)
      let lock = try FileLock(in: folder, named: DurableWriter.stem)
      let isDone = try lock.hold(patience: deadline - ContinuousClock.now) { () throws(StorageFault) in
        // Somebody deleted the folder while we waited: it is made again.
        guard try lock.isInPlace else { return false }
        try body(folder)
        return true
      }
      if isDone { return }
    } while ContinuousClock.now < deadline
    throw .busy
  }

  private func read(
    _ place: StoragePlace, _ name: FileName, in folder: borrowing Folder, _ attributes: StorageAttributes
  ) throws(StorageFault) -> Data? {
    guard let file = try folder.file(name.text, O_RDONLY) else { return nil }
    let status = try file.status()
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    let header = name.isShortened ? NamedContent.header(of: place.name).count : 0
    let limit = attributes.maxStoredSize + header
    guard status.st_size <= limit else { throw .valueTooLarge }
    // One byte more: a file that grew since is too large as well.
    let content = try file.read(upTo: limit + 1)
    guard content.count <= limit else { throw .valueTooLarge }
    return name.isShortened ? try NamedContent.value(in: content, of: place.name) : content
  }

  // MARK: Durability

  /// A file is on the disk before it has its name; a writer that was killed right then has not synced the name.
  package func makeDurable(_ container: StorageContainer) throws(StorageFault) {
    try locations.folder(of: container).open(creating: false)?.descriptor.sync()
  }

  /// A removed file is gone, whole.
  package func purge(_ container: StorageContainer) throws(StorageFault) {}

  package var removesAtNextLaunch: Bool { false }

  // MARK: Scans

  /// A scan of application support, or of a custom directory, includes the custom directories in it: their names are
  /// not recorded.
  package func scan(
    _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    guard let folder = try locations.folder(of: container).open(creating: false) else { return }
    _ = try FileScan(limit: limit).run(in: folder, visit)
  }

  package func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    guard let folder = try locations.folder(of: container).open(creating: false) else { return }
    try FileScan.names(in: folder, visit)
  }
}
