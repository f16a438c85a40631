import Foundation
import StorageVocabulary

/// Keeps stored bytes that are no values of their keys, apart from the values, until the keys are removed. Calls block.
///
/// The bytes are files, see `FORMAT.md`. If the stores are in memory, so are they.
struct Quarantine: Sendable {
  /// The most values of the app, and of each app group.
  static let limit = 256

  private let locations: StorageLocations?
  private let memory = QuarantineMemory()

  /// - Parameter locations: The locations of the library's files; `nil` if everything is in memory.
  init(_ locations: StorageLocations? = nil) { self.locations = locations }

  /// Moves the stored bytes of a value aside, unless something else is stored now.
  ///
  /// The copy is on the disk before the value is removed: if the process is killed, the value is in its place, or the copy
  /// is in the folder. Encrypted bytes stay as they are.
  ///
  /// - Returns: True if they were moved.
  /// - Throws: ``StorageFault/cannotDecode`` if there are so many values already that no more are kept, and every fault of
  ///   the store and of the disk.
  func move(_ stored: Data, _ plan: KeyPlan, from store: any ValueStore) throws(StorageFault) -> Bool {
    let value = SetAsideValue(place: plan.place, stored: stored)
    guard let locations else { return try memory.move(value, plan, from: store) }
    let name = value.name
    let protection = FileProtection(
      isComplete: plan.attributes.isCompletelyProtected, isBackedUp: plan.attributes.isBackedUp)
    let folder = try locations.quarantine(of: plan.keyset).openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: FileLock.patience) { () throws(StorageFault) in
      // A removal takes this lock after it has removed the value, and removes the copies. None may be made after that.
      guard try store.read(plan.place, plan.attributes) == stored else { return false }
      let isNew = try folder.status(of: name) == nil
      if isNew {
        guard try Self.files(in: folder).count < Self.limit else { throw .cannotDecode }
        _ = try DurableWriter.create(name, in: folder, with: [value.bytes], protection)
      }
      let isMoved = try store.remove(stored, plan)
      // The copy of bytes that were replaced or removed just now. With the lock held, no other call relies on it.
      if !isMoved, isNew, try DurableWriter.remove(name, in: folder) { try folder.descriptor.sync() }
      return isMoved
    }
  }

  /// Returns the stored names of the values of a container that were moved aside, each once for each of its values.
  func names(in container: StorageContainer) throws(StorageFault) -> [String] {
    guard let locations else { return memory.names(in: container) }
    guard let folder = try locations.quarantine(of: KeysetID(of: container)).open(creating: false) else { return [] }
    var names: [String] = []
    for file in try Self.files(in: folder) {
      if let name = try Self.name(of: file, in: folder, container) { names.append(name) }
    }
    return names
  }

  /// Removes what was moved aside from an address.
  func remove(from place: StoragePlace) throws(StorageFault) {
    guard let locations else { return memory.remove(from: place) }
    guard let folder = try locations.quarantine(of: KeysetID(of: place.container)).open(creating: false) else { return }
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    let isChanged = try lock.hold(patience: FileLock.patience) { () throws(StorageFault) in
      var isChanged = false
      for file in try Self.files(in: folder) where try Self.name(of: file, in: folder, place.container) == place.name {
        isChanged = try folder.unlink(file) || isChanged
      }
      return isChanged
    }
    if isChanged { try folder.descriptor.sync() }
  }

  private static func files(in folder: borrowing Folder) throws(StorageFault) -> [String] {
    try folder.names().filter { !$0.hasPrefix(".") }
  }

  /// Returns the stored name that a file's value had, or `nil` if it was of another container.
  private static func name(
    of file: String, in folder: borrowing Folder, _ container: StorageContainer
  ) throws(StorageFault) -> String? {
    guard let status = try folder.status(of: file), status.isRegularFile,
      let opened = try folder.file(file, O_RDONLY)
    else { return nil }
    return SetAsideValue.name(in: try opened.read(upTo: SetAsideValue.longestAddress), of: container)
  }
}

extension ValueStore {
  /// Removes stored bytes, unless something else is stored now. Returns true if they were removed.
  fileprivate func remove(_ stored: Data, _ plan: KeyPlan) throws(StorageFault) -> Bool {
    var isRemoved = false
    try update(plan.place, plan.attributes) { bytes in
      isRemoved = bytes == stored
      return isRemoved ? .remove : .keep
    }
    return isRemoved
  }
}

/// The values that were moved aside in memory.
private final class QuarantineMemory: Sendable {
  /// The lock must be one under which a store can be called, which `Lock` does not allow.
  private let turn = NSLock()
  private let values = Lock<[SetAsideValue]>([])

  func move(_ value: SetAsideValue, _ plan: KeyPlan, from store: any ValueStore) throws(StorageFault) -> Bool {
    turn.lock()
    defer { turn.unlock() }
    let count = values.withLock { values in values.count { KeysetID(of: $0.place.container) == plan.keyset } }
    guard count < Quarantine.limit else { throw .cannotDecode }
    guard try store.remove(value.stored, plan) else { return false }
    values.withLock { $0.append(value) }
    return true
  }

  func names(in container: StorageContainer) -> [String] {
    let item = StoragePlace(container: container, name: "").item.container
    return values.withLock { values in
      values.map(\.place.item).filter { $0.container == item }.map(\.name)
    }
  }

  func remove(from place: StoragePlace) {
    turn.lock()
    defer { turn.unlock() }
    values.withLock { $0.removeAll { $0.place.item == place.item } }
  }
}
