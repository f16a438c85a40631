import LocalData
import LocalDataFoundation

/// A file of a value that was moved aside, whose address cannot be read because the file is damaged.
struct DamagedCopy: Sendable, Hashable {
  /// The keyset in whose folder it is.
  let keyset: KeysetID
  let name: String
  /// The number of the file's bytes.
  let size: Int
  let date: Date
}

extension Quarantine {
  /// Returns the damaged files among the values of a keyset's containers that were moved aside, the oldest first.
  func damaged(of keyset: KeysetID) throws(StorageProblem) -> [DamagedCopy] {
    guard let locations, let folder = try locations.quarantine(of: keyset).open(creating: false) else { return [] }
    var damaged: [DamagedCopy] = []
    for name in try Self.files(in: folder) {
      guard case .damaged = try Self.content(name, in: folder, of: keyset), let status = try folder.status(of: name)
      else { continue }
      damaged.append(DamagedCopy(keyset: keyset, name: name, size: Int(status.st_size), date: status.modification))
    }
    return damaged.sorted { ($0.date, $0.name) < ($1.date, $1.name) }
  }

  /// Removes values that were moved aside, also damaged ones, and returns their number. They cannot be restored after that.
  ///
  /// - Parameter progress: Called with the number of names that are done, after each name.
  func remove(
    _ names: [String], of keyset: KeysetID, _ progress: (Int) -> Void = { _ in }
  ) throws(StorageProblem) -> Int {
    var count = 0
    guard let locations else {
      for (index, name) in names.enumerated() {
        if try memory(of: keyset).change({ $0.removeValue(forKey: name) }) != nil { count += 1 }
        progress(index + 1)
      }
      return count
    }
    guard let folder = try locations.quarantine(of: keyset).open(creating: false) else {
      for index in names.indices { progress(index + 1) }
      return 0
    }
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    for (index, name) in names.enumerated() {
      try lock.hold(patience: FileLock.patience) { () throws(StorageProblem) in
        if try folder.unlink(name) { count += 1 }
      }
      // Code of the app does not run with the lock held.
      progress(index + 1)
    }
    if count > 0 { try folder.descriptor.sync() }
    return count
  }
}
