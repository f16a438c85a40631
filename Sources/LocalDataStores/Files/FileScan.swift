package import LocalDataFoundation
package import LocalDataSystem

/// A value that a scan has found, or a file that may be one.
package struct ScannedValue: Sendable {
  /// The stored name; `nil` if the name of the file was shortened, and the file does not contain the whole one.
  package let name: String?
  /// The first bytes of the value, or the fault of a file that cannot be read now, or of a link with the name of one.
  package let beginning: Result<Data, StorageProblem>
  /// A Boolean value that indicates whether the library may have written the file. Its files belong to the user, who may read
  /// them.
  private let mayBeOfLibrary: Bool

  init(_ name: String?, _ beginning: Result<Data, StorageProblem>, mayBeOfLibrary: Bool = true) {
    self.name = name
    self.beginning = beginning
    self.mayBeOfLibrary = mayBeOfLibrary
  }

  /// Returns the first bytes, or `nil` if the library has not written the file.
  ///
  /// - Throws: The fault of a file that cannot be read now.
  package func beginningIfOfLibrary() throws(StorageProblem) -> Data? {
    mayBeOfLibrary ? try beginning.get() : nil
  }
}

/// A visit to every value in a folder, without the folders below it.
///
/// A scan protects sealed values whose master key is missing, so it must not overlook a value of the library, and it
/// must not fail because of another file:
///
/// - A file whose name no stored name produces is not a value. It is not opened. This includes names with a leading dot.
/// - Any other file is opened, whatever its owner and mode: a restored backup or `chmod` may have changed both, and the
///   value can still be read.
/// - If the system denies that, the file is not one of the library if another user owns it, or if its mode does not let its
///   owner read it. The library's writer never creates such files. Every other failure is thrown, because the file may be a
///   sealed value.
/// - A file of SQLite is not closed again, see ``DatabaseFiles``.
package struct FileScan {
  /// The number of bytes of a value that are handed over at most.
  private let limit: Int

  package init(limit: Int) { self.limit = limit }

  /// Calls `visit` with every value until it returns false.
  package func run(
    in folder: borrowing Folder, _ visit: (ScannedValue) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    for name in try folder.names() where !name.hasPrefix(".") && FileName.isFileName(name) {
      // If a listed name no longer exists, it was removed, as it could have been before the scan. A known database is one of the
      // app, which this process may have open.
      guard let status = try folder.status(of: name), !DatabaseFiles.isKnown(status) else { continue }
      if let value = try value(name, status, in: folder), try !visit(value) { return }
    }
  }

  private func value(
    _ name: String, _ status: stat, in folder: borrowing Folder
  ) throws(StorageProblem) -> ScannedValue? {
    let declared = FileName.storedName(of: name) ?? name
    if status.isLink { return ScannedValue(declared, .failure(.io(errno: ELOOP)), mayBeOfLibrary: false) }
    guard status.isRegularFile else { return nil }
    do throws(StorageProblem) {
      guard let file = try folder.file(name, O_RDONLY) else { return nil }
      let stored = FileName.isShortened(name) ? try Self.storedName(in: file, name) : FileName.storedName(of: name)
      try file.seek(to: 0)
      let beginning = try NamedContent.beginning(of: file, named: name, upTo: limit)
      if DatabaseFiles.isDatabase(named: name, beginning) { DatabaseFiles.leaveOpen(file, status) }
      return ScannedValue(stored, .success(beginning))
    } catch {
      guard error == .accessDenied else { throw error }
      return ScannedValue(declared, .failure(error), mayBeOfLibrary: status.isReadable)
    }
  }

  /// Calls `visit` with the stored name of every value in a folder, without the folders below it.
  ///
  /// A file whose name was shortened is opened, because it contains its stored name. It is ignored if what it contains is
  /// not a name that gives this file name.
  static func names(
    in folder: borrowing Folder, _ visit: (_ name: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    for name in try folder.names() where !name.hasPrefix(".") && FileName.isFileName(name) {
      guard let status = try folder.status(of: name), status.isRegularFile else { continue }
      let stored =
        FileName.isShortened(name)
        ? try storedName(in: name, status, in: folder) : FileName.storedName(of: name)
      if let stored, try !visit(stored) { return }
    }
  }

  /// Calls `visit` with the path of every file in a folder and below it, until it returns false. Links, hidden files and
  /// folders that the system denies are ignored. A folder that is locked now may have members, and is an error.
  ///
  /// - Returns: False if a visit has returned false.
  static func paths(
    in folder: borrowing Folder, below path: String, _ visit: (_ path: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) -> Bool {
    for name in try folder.names() where !name.hasPrefix(".") {
      guard let status = try folder.status(of: name) else { continue }
      if status.isRegularFile, try !visit(path + name) { return false }
      guard status.isFolder else { continue }
      let inner: Folder?
      do throws(StorageProblem) { inner = try folder.folder(name, creating: false) } catch {
        guard error == .accessDenied else { throw error }
        continue
      }
      if let inner, try !paths(in: inner, below: path + name + "/", visit) { return false }
    }
    return true
  }

  private static func storedName(
    in name: String, _ status: stat, in folder: borrowing Folder
  ) throws(StorageProblem) -> String? {
    guard let file = try opened(name, status, in: folder) else { return nil }
    return try storedName(in: file, name)
  }

  /// Returns the stored name at the beginning of a file, or `nil` if the file name for that stored name is another one.
  package static func storedName(in file: borrowing Descriptor, _ name: String) throws(StorageProblem) -> String? {
    guard let stored = try NamedContent.storedName(in: file), try FileName(stored).text == name else { return nil }
    return stored
  }

  private static func opened(
    _ name: String, _ status: stat, in folder: borrowing Folder
  ) throws(StorageProblem) -> Descriptor? {
    do throws(StorageProblem) { return try folder.file(name, O_RDONLY) } catch {
      guard error == .accessDenied, !status.isReadable else { throw error }
      return nil
    }
  }
}
