import Foundation

/// Puts bytes into a file so that, whatever happens, it holds all of the old bytes or all of the new ones.
///
/// Write to a new file, sync it, give it the name, sync the folder. The caller holds the folder's lock: so the new file
/// can have one fixed name, and one that is there already was left by a process that was killed.
enum DurableWriter {
  /// The lock of a folder, and the stem of what else is ours in it.
  static let stem = "local-data"

  private static let draft = ".\(stem).new"

  /// Replaces a file, or makes it. Durable on return.
  static func replace(
    _ name: String, in folder: borrowing Folder, with bytes: [Data], _ protection: FileProtection = .standard
  ) throws(StorageFault) {
    try prepare(bytes, in: folder, protection)
    do throws(StorageFault) {
      // Renaming puts a file in the place of a link too; what is there is not ours to replace then.
      if let status = try folder.status(of: name), !status.isRegularFile { throw refusal(status) }
      try folder.rename(draft, to: name)
    } catch {
      discard(in: folder)
      throw error
    }
    try folder.descriptor.sync()
  }

  /// Makes a file that does not exist; `false` where it does. Durable on return.
  static func create(
    _ name: String, in folder: borrowing Folder, with bytes: [Data], _ protection: FileProtection = .standard
  ) throws(StorageFault) -> Bool {
    try prepare(bytes, in: folder, protection)
    defer { discard(in: folder) }
    let isNew = try folder.link(draft, as: name)
    try folder.descriptor.sync()
    return isNew
  }

  /// Removes a file, if there is one. Durable on return.
  static func remove(_ name: String, in folder: borrowing Folder) throws(StorageFault) {
    if let status = try folder.status(of: name), !status.isRegularFile { throw refusal(status) }
    if try folder.unlink(name) { try folder.descriptor.sync() }
  }

  /// The fault of something in the place of a value.
  static func refusal(_ status: stat) -> StorageFault {
    if status.isLink { return .io(errno: ELOOP) }
    return .io(errno: status.isFolder ? EISDIR : EINVAL)
  }

  private static func prepare(
    _ bytes: [Data], in folder: borrowing Folder, _ protection: FileProtection
  ) throws(StorageFault) {
    try folder.unlink(draft)
    guard let file = try folder.file(draft, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
    do throws(StorageFault) {
      try protection.apply(to: file)
      for part in bytes { try file.write(part) }
      try file.sync()
    } catch {
      discard(in: folder)
      throw error
    }
  }

  private static func discard(in folder: borrowing Folder) {
    // What stays is removed by the next writer.
    do throws(StorageFault) { try folder.unlink(draft) } catch {}
  }
}

/// What Apple's systems are told of a file while it is still empty: when it can be read, and whether backups hold it.
///
/// There is nothing to tell on Linux.
struct FileProtection: Sendable {
  var isComplete: Bool
  var isBackedUp: Bool

  static let standard = FileProtection(isComplete: false, isBackedUp: true)

  #if canImport(Darwin)
    func apply(to file: borrowing Descriptor) throws(StorageFault) {
      // The attributes are set by path; the descriptor knows its own.
      let path = try file.path()
      do {
        let protection: FileProtectionType = isComplete ? .complete : .completeUntilFirstUserAuthentication
        var url = URL(fileURLWithPath: path, isDirectory: false)
        try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: path)
        if !isBackedUp {
          var values = URLResourceValues()
          values.isExcludedFromBackup = true
          try url.setResourceValues(values)
        }
      } catch { throw StorageFault(foundation: error) }
    }
  #else
    func apply(to file: borrowing Descriptor) throws(StorageFault) {}
  #endif
}
