package import LocalDataFoundation
import LocalDataStores

/// A value that was moved aside: its address, and where its bytes are.
package struct QuarantinedCopy: Sendable, Hashable {
  package let address: StorageAddress
  /// The name of its file.
  package let name: String
  /// The first bytes of the value, see ``PlainEnvelope/beginning``.
  package let beginning: Data
  /// The number of the value's bytes.
  package let size: Int
  /// The time of the last change of the file.
  package let date: Date

  /// The keyset whose folder it is in.
  package var keyset: KeysetID { KeysetID(of: address.container) }
}

/// The files with stored bytes that cannot be decoded. They are kept until their keys are removed. Calls block.
///
/// The bytes are stored in files, see `EncryptedFormat.md`. If the stores are in memory, the bytes are kept in memory too.
package struct Quarantine: Sendable {
  /// The most values of the app, and of each app group.
  static let limit = 256

  package let locations: StorageLocations?
  private let memory = QuarantineMemory()
  private let groupMemory: QuarantineMemory

  /// Creates a quarantine in files.
  init(_ locations: StorageLocations) {
    self.locations = locations
    groupMemory = memory
  }

  /// Creates a quarantine in memory.
  ///
  /// - Parameter groups: The values of app groups, which several apps share.
  package init(sharing groups: QuarantineMemory = QuarantineMemory()) {
    locations = nil
    groupMemory = groups
  }

  package func memory(of keyset: KeysetID) -> QuarantineMemory { keyset == .app ? memory : groupMemory }

  /// Moves the stored bytes of a value aside, unless other bytes are stored now.
  ///
  /// The copy is on the disk before the value is removed: if the process is killed, the value is at its address, or the copy
  /// is in the folder. Encrypted bytes stay encrypted.
  ///
  /// - Returns: True if they were moved.
  /// - Throws: ``StorageProblem/quarantineFull`` if there are so many values already that no more are kept, and every fault of
  ///   the store and of the disk.
  func move(_ stored: Data, from value: KeyedValue) throws(StorageProblem) -> Bool {
    let plan = value.plan
    let copy = SetAsideValue(address: plan.address, stored: stored)
    let name = copy.name
    guard let locations else {
      return try memory(of: plan.keyset).change { (values) throws(StorageProblem) in
        let count = values.values.count { $0.copy.keyset == plan.keyset }
        guard count < Self.limit else { throw .quarantineFull }
        guard try value.replace(stored, with: nil) else { return false }
        values[name] = (QuarantinedCopy(of: stored, plan.address, name), stored)
        return true
      }
    }
    let folder = try locations.quarantine(of: plan.keyset).openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: FileLock.patience) { () throws(StorageProblem) in
      // A removal takes this lock after it has removed the value, and removes the copies. None may be made after that.
      guard try value.store.read(plan.address, plan.attributes) == stored else { return false }
      let isNew = try folder.status(of: name) == nil
      if isNew {
        guard try Self.files(in: folder).count < Self.limit else { throw .quarantineFull }
        _ = try DurableWriter.create(name, in: folder, with: [copy.bytes], FileProtection(plan.attributes))
      } else if case .damaged = try Self.content(name, in: folder, of: plan.keyset) {
        try DurableWriter.replace(name, in: folder, with: [copy.bytes], FileProtection(plan.attributes))
      } else {
        // A process that was killed may have made the copy, and not synced its name.
        try folder.descriptor.sync()
      }
      let isMoved = try value.replace(stored, with: nil)
      // The copy of bytes that were replaced or removed just now. With the lock held, no other call relies on it.
      if !isMoved, isNew, try DurableWriter.remove(name, in: folder) { try folder.descriptor.sync() }
      return isMoved
    }
  }

  /// Returns the stored names of the values of a container that were moved aside, each once for each of its values.
  func names(in container: StorageContainer) throws(StorageProblem) -> [String] {
    let item = container.item
    return try copies(of: KeysetID(of: container)).map(\.address.item).filter { $0.container == item }.map(\.name)
  }

  /// Returns the values of a keyset's containers that were moved aside, the oldest first.
  package func copies(of keyset: KeysetID) throws(StorageProblem) -> [QuarantinedCopy] {
    var copies: [QuarantinedCopy] = []
    if let locations {
      guard let folder = try locations.quarantine(of: keyset).open(creating: false) else { return [] }
      for name in try Self.files(in: folder) {
        if case .value(let copy) = try Self.content(name, in: folder, of: keyset) { copies.append(copy) }
      }
    } else {
      copies = try memory(of: keyset).change { $0.values.map(\.copy) }.filter { $0.keyset == keyset }
    }
    return copies.sorted { ($0.date, $0.name) < ($1.date, $1.name) }
  }

  /// Removes the values that were moved aside from an address.
  package func remove(from address: StorageAddress) throws(StorageProblem) {
    let keyset = KeysetID(of: address.container)
    guard let locations else {
      return try memory(of: keyset).change { values in
        values = values.filter { $0.value.copy.address.item != address.item }
      }
    }
    guard let folder = try locations.quarantine(of: keyset).open(creating: false) else { return }
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    let isChanged = try lock.hold(patience: FileLock.patience) { () throws(StorageProblem) in
      var isChanged = false
      for name in try Self.files(in: folder) {
        guard case .value(let copy) = try Self.content(name, in: folder, of: keyset),
          copy.address.item == address.item
        else { continue }
        if try folder.unlink(name) { isChanged = true }
      }
      return isChanged
    }
    if isChanged { try folder.descriptor.sync() }
  }

  /// Returns the files that the library has made. Others do not count.
  package static func files(in folder: borrowing Folder) throws(StorageProblem) -> [String] {
    try folder.names().filter(SetAsideValue.isName)
  }

  package enum Content {
    case value(QuarantinedCopy)
    /// The address cannot be read, because the file is damaged.
    case damaged
  }

  /// Returns the content of a file, or `nil` if it is not there any more, if a later version of the library has written it, or
  /// if it is no file.
  package static func content(
    _ name: String, in folder: borrowing Folder, of keyset: KeysetID
  ) throws(StorageProblem) -> Content? {
    guard let status = try folder.status(of: name), status.isRegularFile else { return nil }
    let opened: Descriptor?
    do throws(StorageProblem) { opened = try folder.file(name, O_RDONLY) } catch {
      // A restored backup may have given it another owner. A file that this user may read cannot be read now.
      guard error == .accessDenied, !status.isReadable else { throw error }
      return .damaged
    }
    guard let file = opened else { return nil }
    let beginning = try file.read(upTo: SetAsideValue.longestBeginning)
    // An address of another keyset is damaged too: its value would be in another folder.
    guard let (address, stored) = SetAsideValue.read(beginning), KeysetID(of: address.container) == keyset else {
      if SetAsideValue.isOfLaterVersion(beginning) { return nil }
      return .damaged
    }
    let header = SetAsideValue(address: address, stored: Data()).bytes.count
    return .value(
      QuarantinedCopy(
        address: address, name: name, beginning: stored.prefix(PlainEnvelope.beginning),
        size: Int(status.st_size) - header,
        date: status.modification))
  }
}

extension QuarantinedCopy {
  /// Creates a copy in memory.
  package init(of stored: Data, _ address: StorageAddress, _ name: String) {
    self.init(
      address: address, name: name, beginning: stored.prefix(PlainEnvelope.beginning), size: stored.count, date: Date())
  }
}

/// The values that were moved aside in memory, by the names that their files would have.
package final class QuarantineMemory: Sendable {
  /// Held while a store is called, which `Lock` does not allow.
  private let turn = NSLock()
  private let values = Lock<[String: Value]>([:])

  package typealias Value = (copy: QuarantinedCopy, stored: Data)

  package init() {}

  /// Runs `body`, which may call a store, while no other call uses the values.
  package func change<Result>(
    _ body: (inout [String: Value]) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    turn.lock()
    defer { turn.unlock() }
    var changed = values.withLock { $0 }
    let result = try body(&changed)
    values.withLock { [changed] in $0 = changed }
    return result
  }
}
