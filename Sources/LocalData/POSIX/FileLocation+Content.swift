package import Foundation

/// Files of the library's own, as the key file of a keystore.
extension FileLocation {
  /// The file's bytes; `nil` where there is none. More than `limit` bytes are refused.
  package func read(upTo limit: Int) throws(StorageFault) -> Data? {
    guard let folder = try folder.open(creating: false), let file = try folder.file(name, O_RDONLY) else { return nil }
    let status = try file.status()
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    let bytes = try file.read(upTo: limit + 1)
    guard bytes.count <= limit else { throw .valueTooLarge }
    return bytes
  }

  /// Whether there is a file.
  package func exists() throws(StorageFault) -> Bool {
    guard let folder = try folder.open(creating: false), let status = try folder.status(of: name) else { return false }
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    return true
  }

  /// Makes a file that does not exist, mode 0600; `false` where it does. Durable on return.
  package func create(_ bytes: Data, patience: Duration = .seconds(10)) throws(StorageFault) -> Bool {
    let (name, location) = (name, folder)
    let folder = try location.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: patience) { () throws(StorageFault) in
      try DurableWriter.create(name, in: folder, with: [bytes])
    }
  }

  /// Puts bytes into the file, whatever was there. Durable on return.
  package func replace(_ bytes: Data, patience: Duration = .seconds(10)) throws(StorageFault) {
    let (name, location) = (name, folder)
    let folder = try location.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    try lock.hold(patience: patience) { () throws(StorageFault) in
      try DurableWriter.replace(name, in: folder, with: [bytes])
    }
  }

  /// Replaces the file's bytes by those that `change` returns for them; nil leaves the file as it is. Durable on return.
  package func change(
    upTo limit: Int, patience: Duration = .seconds(10), _ change: (Data?) throws(StorageFault) -> Data?
  ) throws(StorageFault) {
    let (name, location, file) = (name, folder, self)
    let folder = try location.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    try lock.hold(patience: patience) { () throws(StorageFault) in
      guard let bytes = try change(try file.read(upTo: limit)) else { return }
      try DurableWriter.replace(name, in: folder, with: [bytes])
    }
  }
}
