import LocalDataFoundation
package import LocalDataSystem

extension SQLiteCreation {
  /// Creates the file as a copy of a whole database, with what is in its log. Other connections may write meanwhile: the copy has
  /// the state of one commit.
  ///
  /// The file gets its name when it is complete and on the disk.
  ///
  /// - Throws: ``StorageProblem/alreadyStored`` if something has the name of the file.
  package func copy(_ source: SQLiteConnection) throws(StorageProblem) {
    guard let folder = try location.folder.open(creating: false) else { throw .io(errno: ENOENT) }
    // Other calls may copy to the same name. Only one of them finds it free.
    let draft = ".\(location.name).\(UUID().uuidString).new"
    guard try folder.status(of: location.name) == nil else { throw .alreadyStored }
    defer {
      for suffix in ["", "-wal", "-shm"] { do throws(StorageProblem) { try folder.unlink(draft + suffix) } catch {} }
    }
    try createFile(draft, in: folder)
    try fill(path: location.folder.path + "/" + draft, from: source)
    guard try folder.link(draft, as: location.name) else { throw .alreadyStored }
    try folder.descriptor.sync()
  }

  /// Copies a database to a file of no bytes. It is on the disk on return.
  private func fill(path: String, from source: SQLiteConnection) throws(StorageProblem) {
    let copy = try SQLiteConnection(
      path: path, isDurable: true, until: CallDeadline.end(of: CallDeadline.ordinaryPatience), kind: .draft,
      format: format)
    // A log would take as much space as the file. If the process is killed, the file is a draft.
    try copy.execute("PRAGMA journal_mode = OFF")
    try copy.replaceContent(by: source)
  }
}
