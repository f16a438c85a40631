#if os(Linux)
  import LocalDataFoundation
  import LocalDataSystem

  /// Reads of files that the kernel has in memory, which need no other thread.
  extension FileStorageHelper {
    private static let spareMemory = SpareMemory(size: StorageAttributes.largestPromptSize + 1)

    /// Reads a value if the disk is not needed. In all other cases that are not simple it throws ``StorageProblem/busy`` too, and
    /// leaves the read to a call that may wait: an older kernel, a link in the path, and every error.
    func readCached(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      let (folder, name) = try place(of: address)
      // Only the other read looks for the marker, which may wait for a disk.
      guard folder.root.marker == nil else { throw .busy }
      let path = folder.path + "/" + name.text
      guard let file = try Descriptor.openCached(path) else { return nil }
      let raw = file.raw
      let status = try file.status()
      let size = Int(status.st_size)
      guard status.isRegularFile, size <= min(attributes.maxPromptSize, attributes.maxStoredSize) else { throw .busy }
      file.narrow(status)
      // Room for one byte more shows that the file has not grown since. Files are replaced, and never shortened.
      var count = 0
      let read = { (buffer: UnsafeMutableRawPointer) in
        count = Descriptor.readCached(raw, buffer, size + 1)
        return max(count, 0)
      }
      let content =
        attributes.areBytesTransient
        ? Self.spareMemory.bytes(upTo: size + 1, read) : Data.allocated(upTo: size + 1, read)
      guard let content, count == size else { throw .busy }
      return name.isShortened ? try NamedContent.value(in: content, of: address.name) : content
    }
  }
#endif
