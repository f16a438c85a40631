#if os(Linux)
  internal import LocalDataFoundation
  package import LocalDataSystem

  /// The file beside a keystore. Its 32 bytes are the key that seals the root key.
  ///
  /// Callers hold the keystore's write transaction while they create or remove one, so that only one process does.
  package struct KeystoreKeyFile: Sendable {
    package static let count = 32

    let location: FileLocation

    /// Returns the key of a keystore that exists. Throws `keyMaterialMissing` without a file, `keyMaterialDamaged` if the file
    /// has another length, and `keyMaterialExposed` if other users can read or replace it.
    func read() throws(StorageProblem) -> SecretBytes {
      guard let key = try readIfPresent() else { throw .keyMaterialMissing }
      return key
    }

    /// Returns the key for a new keystore. It is on the disk when this returns.
    ///
    /// A process that was killed before the keystore had its root key may have left a complete file, which is used. Throws
    /// `keyMaterialExposed` if other users can replace files in the folder.
    func readOrCreate(_ randomness: Randomness) throws(StorageProblem) -> SecretBytes {
      if let key = try readIfPresent() { return key }
      guard let folder = try location.folder.open(creating: true) else { throw .io(errno: ENOENT) }
      let draft = ".\(location.name).new"
      try folder.unlink(draft)
      let key = randomness.secret(Self.count)
      var bytes = key.withUnsafeBytes { Data($0) }
      defer { bytes.wipe() }
      do throws(StorageProblem) {
        guard let file = try folder.file(draft, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
        guard try file.status().isPrivate(in: folder.descriptor.status()) else { throw .keyMaterialExposed }
        try file.write(bytes)
        try file.sync()
        try folder.rename(draft, to: location.name)
      } catch {
        // If the removal fails, the next writer removes it.
        do throws(StorageProblem) { try folder.unlink(draft) } catch {}
        throw error
      }
      try folder.descriptor.sync()
      return key
    }

    /// Removes the file, if there is one. Durable on return.
    func remove() throws(StorageProblem) {
      guard let folder = try location.folder.open(creating: false) else { return }
      try folder.unlink(".\(location.name).new")
      if try folder.unlink(location.name) { try folder.descriptor.sync() }
    }

    /// Returns true if there is a file, with any content.
    func exists() throws(StorageProblem) -> Bool {
      guard let folder = try location.folder.open(creating: false) else { return false }
      return try folder.status(of: location.name) != nil
    }

    private func readIfPresent() throws(StorageProblem) -> SecretBytes? {
      // One byte more than the file may have, to detect a file that is too long.
      guard let key = try location.readSecret(upTo: Self.count + 1, requirePrivacy: true) else { return nil }
      guard key.count == Self.count else { throw .keyMaterialDamaged }
      return key
    }
  }

  extension FileLocation {
    /// Returns the first bytes of a file, read into memory that is wiped and into no other, or `nil` if there is no file.
    ///
    /// - Parameter requirePrivacy: True if a file that other users can read or replace throws
    ///   ``StorageProblem/keyMaterialExposed``.
    func readSecret(upTo limit: Int, requirePrivacy: Bool = false) throws(StorageProblem) -> SecretBytes? {
      guard let folder = try folder.open(creating: false), let file = try folder.file(name, O_RDONLY) else {
        return nil
      }
      let status = try file.status()
      guard status.isRegularFile else { throw .keyMaterialDamaged }
      if requirePrivacy, try !status.isPrivate(in: folder.descriptor.status()) { throw .keyMaterialExposed }
      var count: Int = 0
      var failure: Int32 = 0
      let raw = file.raw
      let bytes = SecretBytes(count: limit) { target in
        while count < limit, let start = target.baseAddress {
          let step = LocalDataFoundation.read(raw, start + count, limit - count)
          if step == 0 { return }
          if step > 0 {
            count += step
          } else if errno != EINTR {
            failure = errno
            return
          }
        }
      }
      if failure != 0 { throw StorageProblem(errno: failure) }
      let found = count
      return bytes.withUnsafeBytes { source in
        SecretBytes(count: found) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<found])) }
      }
    }
  }

  extension stat {
    /// Returns true if no other user can read, change or replace the file.
    ///
    /// A file in a folder that only its owner can enter is private whatever its own mode is, for example after a backup was
    /// restored. The root user may use the files of others.
    fileprivate func isPrivate(in folder: stat) -> Bool {
      let isOwn = st_uid == geteuid() || geteuid() == 0
      let canOthersEnter = folder.st_mode & 0o011 != 0
      let canOthersReplace = folder.st_mode & 0o002 != 0 && folder.st_mode & mode_t(S_ISVTX) == 0
      return isOwn && !canOthersReplace && (st_mode & 0o077 == 0 || !canOthersEnter)
    }
  }

  extension FileLocation {
    /// Removes the file if it exists. Durable on return.
    package func remove(patience: Duration = FileLock.patience) throws(StorageProblem) {
      guard let folder = try folder.open(creating: false), try folder.status(of: name) != nil else { return }
      let lock = try FileLock(in: folder, named: DurableWriter.stem)
      try lock.hold(patience: patience) { () throws(StorageProblem) in
        if try DurableWriter.remove(name, in: folder) { try folder.descriptor.sync() }
      }
    }
  }
#endif
