import Foundation
import LocalData

extension FileScan {
  /// A file that may be a value.
  struct File: Sendable {
    /// The stored name, or that of the file if it was shortened and cannot be read.
    let name: String
    /// The beginning of the value, or the fault of a file that cannot be read now, or of a link with its name.
    let beginning: Result<Data, StorageFault>
  }

  /// Returns the values in a folder, without the folders below it, and whatever has the name of one and cannot be read now: it
  /// may be a value too.
  func files(in folder: borrowing Folder) throws(StorageFault) -> [File] {
    var found: [File] = []
    for name in try folder.names() where !name.hasPrefix(".") && FileName.isFileName(name) {
      guard let status = try folder.status(of: name), !DatabaseFiles.isKnown(status) else { continue }
      if status.isLink {
        found.append(File(name: FileName.storedName(of: name) ?? name, beginning: .failure(.io(errno: ELOOP))))
      }
      guard status.isRegularFile else { continue }
      do throws(StorageFault) {
        guard let file = try folder.file(name, O_RDONLY) else { continue }
        let stored = FileName.isShortened(name) ? try Self.storedName(in: file, name) : FileName.storedName(of: name)
        guard let stored else { continue }
        try file.seek(to: 0)
        let beginning = try NamedContent.beginning(of: file, named: name, upTo: limit)
        if DatabaseFiles.isDatabase(named: name, beginning) { DatabaseFiles.leaveOpen(file, status) }
        found.append(File(name: stored, beginning: .success(beginning)))
      } catch {
        guard error == .accessDenied else { throw error }
        found.append(File(name: FileName.storedName(of: name) ?? name, beginning: .failure(error)))
      }
    }
    return found
  }
}
