import Foundation
import LocalData

/// A value that the master key of a keyset may have encrypted: one at its address, or one that was moved aside.
struct KeysetValue: UpdatableValue, Sendable {
  private enum Place: Sendable {
    case store(any ValueStore)
    case quarantine(Quarantine, QuarantinedCopy)
  }

  let address: StorageAddress
  /// The attributes that the value is written with.
  var attributes = StorageAttributes.anySize
  private let place: Place

  /// The value at an address.
  init(at address: StorageAddress, in store: any ValueStore) {
    self.address = address
    place = .store(store)
  }

  /// A value that was moved aside.
  init(_ copy: QuarantinedCopy, in quarantine: Quarantine) {
    address = copy.address
    place = .quarantine(quarantine, copy)
  }

  func read() throws(StorageProblem) -> Data? {
    switch place {
    case .store(let store): try store.read(address, .anySize)
    case .quarantine(let quarantine, let copy): try quarantine.stored(copy)
    }
  }

  func update(_ change: (Data?) throws(StorageProblem) -> StorageChange) throws(StorageProblem) {
    switch place {
    case .store(let store): try store.update(address, attributes, change)
    case .quarantine(let quarantine, let copy):
      try quarantine.update(copy, attributes) { (stored) throws(StorageProblem) in try change(stored) }
    }
  }
}

/// The bytes of one value that was moved aside.
extension Quarantine {
  /// Returns the bytes as they were stored, or `nil` if they are not here any more.
  func stored(_ copy: QuarantinedCopy) throws(StorageProblem) -> Data? {
    guard let locations else { return try memory(of: copy.keyset).change { $0[copy.name]?.stored } }
    guard let folder = try locations.quarantine(of: KeysetID(of: copy.address.container)).open(creating: false) else {
      return nil
    }
    return try Self.stored(copy, in: folder)
  }

  /// Replaces the bytes by the result of `change`, or removes them. A rotation of keys uses this. Does not call `change` if
  /// the bytes no longer exist. No other call changes the values of the keyset meanwhile.
  ///
  /// `change` is what makes a removal or a replacement safe: it stores the value elsewhere before it returns.
  func update(
    _ copy: QuarantinedCopy, _ attributes: StorageAttributes,
    _ change: (Data) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    guard let locations else {
      return try memory(of: copy.keyset).change { (values) throws(StorageProblem) in
        guard let stored = values[copy.name]?.stored else { return }
        switch try change(stored) {
        case .keep: break
        case .write(let bytes): values[copy.name] = (QuarantinedCopy(of: bytes, copy.address, copy.name), bytes)
        case .remove: values[copy.name] = nil
        }
      }
    }
    guard let folder = try locations.quarantine(of: KeysetID(of: copy.address.container)).open(creating: false) else {
      return
    }
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    try lock.hold(patience: FileLock.patience) { () throws(StorageProblem) in
      guard let stored = try Self.stored(copy, in: folder) else { return }
      switch try change(stored) {
      case .keep: break
      case .write(let bytes):
        let value = SetAsideValue(address: copy.address, stored: bytes)
        try DurableWriter.replace(copy.name, in: folder, with: [value.bytes], FileProtection(attributes))
      case .remove: if try DurableWriter.remove(copy.name, in: folder) { try folder.descriptor.sync() }
      }
    }
  }

  private static func stored(_ copy: QuarantinedCopy, in folder: borrowing Folder) throws(StorageProblem) -> Data? {
    guard let status = try folder.status(of: copy.name), status.isRegularFile,
      let file = try folder.file(copy.name, O_RDONLY),
      let (address, stored) = SetAsideValue.read(try file.read(upTo: .max, expecting: Int(status.st_size)))
    else { return nil }
    return address == copy.address ? stored : nil
  }
}
