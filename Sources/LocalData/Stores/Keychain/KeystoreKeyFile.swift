#if os(Linux)
  internal import Foundation

  /// The file beside a keystore whose 32 bytes wrap its root key.
  ///
  /// Callers hold the keystore's write transaction while they create one, so that only one process does.
  struct KeystoreKeyFile: Sendable {
    static let count = 32

    let location: FileLocation

    /// The key of a keystore that exists: no file is `keyMaterialMissing`, another length `corrupted`.
    func read() throws(StorageFault) -> SecretBytes {
      guard let key = try readIfPresent() else { throw .keyMaterialMissing }
      return key
    }

    /// The key for a keystore that is new, on the disk when this returns.
    ///
    /// Who made one and was killed before the keystore had its root key left it whole, and it serves.
    func readOrCreate(_ randomness: Randomness) throws(StorageFault) -> SecretBytes {
      if let key = try readIfPresent() { return key }
      guard let folder = try location.folder.open(creating: true) else { throw .io(errno: ENOENT) }
      let draft = ".\(location.name).new"
      try folder.unlink(draft)
      let key = randomness.secret(Self.count)
      var bytes = key.withUnsafeBytes { Data($0) }
      defer { bytes.wipe() }
      do throws(StorageFault) {
        guard let file = try folder.file(draft, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
        try file.write(bytes)
        try file.sync()
        try folder.rename(draft, to: location.name)
      } catch {
        // What cannot be removed now is removed by who comes next.
        do throws(StorageFault) { try folder.unlink(draft) } catch {}
        throw error
      }
      try folder.descriptor.sync()
      return key
    }

    private func readIfPresent() throws(StorageFault) -> SecretBytes? {
      guard let folder = try location.folder.open(creating: false),
        let file = try folder.file(location.name, O_RDONLY)
      else { return nil }
      guard try file.status().isRegularFile else { throw .corrupted }
      // A byte more than it may have, to see whether it has.
      let (bytes, count) = try Self.bytes(of: file, upTo: Self.count + 1)
      guard count == Self.count else { throw .corrupted }
      return bytes.withUnsafeBytes { source in
        SecretBytes(count: Self.count) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count])) }
      }
    }

    /// Straight into a buffer that is wiped, and into no other.
    private static func bytes(
      of file: borrowing Descriptor, upTo limit: Int
    ) throws(StorageFault) -> (bytes: SecretBytes, count: Int) {
      var (count, failure): (Int, Int32) = (0, 0)
      let raw = file.raw
      let bytes = SecretBytes(count: limit) { target in
        while count < limit, let start = target.baseAddress {
          let step = Foundation.read(raw, start + count, limit - count)
          if step == 0 { return }
          if step > 0 {
            count += step
          } else if errno != EINTR {
            failure = errno
            return
          }
        }
      }
      if failure != 0 { throw StorageFault(errno: failure) }
      return (bytes, count)
    }
  }
#endif
