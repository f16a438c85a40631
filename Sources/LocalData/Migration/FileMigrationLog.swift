import Foundation

/// A log of migrations in a file, shared with other processes; see ``MigrationLogFormat``.
///
/// Readers take no lock: a file only grows by whole batches, or is replaced. A damaged file reads as empty: keys behave as
/// if no step of their migrations had completed, and compare every source before they remove it. The next entry keeps the
/// damaged file under another name (`.migrations.log.damaged-<uuid>`) and begins a new one, whose first entry is
/// ``MigrationRecord/Outcome/logSetAside``.
package final class FileMigrationLog: MigrationLog {
  /// The most bytes of a file: more than the migrations of 100,000 keys take.
  package static let largestFile = 64 << 20

  private let location: FileLocation
  private let largestFile: Int
  private let patience: Duration
  private let known = Lock(Contents())
  /// The file whose name this process knows to be on the disk: a writer that was killed may not have synced it.
  private let named = Lock<UUID?>(nil)

  /// The log in a file, which need not exist.
  package init(
    location: FileLocation, largestFile: Int = FileMigrationLog.largestFile, patience: Duration = .seconds(10)
  ) {
    self.location = location
    self.largestFile = largestFile
    self.patience = patience
  }

  package func ledger() throws(StorageFault) -> MigrationLedger { try contents().ledger }

  /// Returns every entry in the file.
  package func lines() throws(StorageFault) -> [MigrationEntry] { try contents().lines }

  package func entries() throws(StorageFault) -> [PlaceID: MigrationEntry] { try contents().lines.latest }

  package func records() throws(StorageFault) -> [MigrationRecord] { try contents().lines.live.compactMap(\.record) }

  package func append(_ make: (MigrationLedger) -> [MigrationEntry]) throws(StorageFault) {
    let folder = try location.folder.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    try lock.hold(patience: patience) { () throws(StorageFault) in
      let contents = try contents(in: folder)
      let entries = make(contents.ledger)
      if !entries.isEmpty { try append(entries, to: contents, in: folder) }
    }
  }

  // MARK: Reading

  /// The contents of the file. They are empty if there is no file.
  private struct Contents {
    /// The identifier of the file, or `nil` if there is no file.
    var id: UUID?
    var stamp: FileStamp?
    /// The bytes of the header and of all whole batches.
    var length = 0
    var lines: [MigrationEntry] = []
    var ledger = MigrationLedger()
    /// A Boolean value that indicates whether the file has the format that is written now.
    var isCurrent = true
    /// A Boolean value that indicates whether there is a file that no version has written like this.
    var isDamaged = false

    /// A Boolean value that indicates whether a writer was killed in the middle of a batch.
    var isTorn: Bool { stamp.map { $0.size != length } ?? false }

    mutating func add(_ entries: [MigrationEntry], length: Int) {
      self.length += length
      lines += entries
      for entry in entries { ledger.add(entry) }
    }
  }

  private func contents() throws(StorageFault) -> Contents {
    let known = known.withLock { $0 }
    // The same file as before, whatever leads to it.
    if let stamp = known.stamp, stamp == FileStamp(path: location.path) { return known }
    guard let folder = try location.folder.open(creating: false) else { return Contents() }
    return try contents(in: folder)
  }

  private func contents(in folder: borrowing Folder) throws(StorageFault) -> Contents {
    guard let file = try folder.file(location.name, O_RDONLY) else { return Contents() }
    let status = try file.status()
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    // Nobody of us writes such a file.
    guard status.st_size <= largestFile else { throw .corrupted }
    do throws(StorageFault) {
      return try contents(of: file, status)
    } catch {
      guard error == .corrupted else { throw error }
      var damaged = Contents()
      damaged.isDamaged = true
      return damaged
    }
  }

  private func contents(of file: borrowing Descriptor, _ status: stat) throws(StorageFault) -> Contents {
    let header = try MigrationLogFormat.readHeader(try file.read(upTo: MigrationLogFormat.longestHeader))
    var contents = known.withLock { $0 }
    if contents.id != header.id || contents.length > Int(status.st_size) {
      contents = Contents(id: header.id, length: header.length, isCurrent: header.isCurrent)
    }
    // Taken before the rest is read: what comes later shows as a change.
    contents.stamp = FileStamp(status)
    try file.seek(to: contents.length)
    let rest = try MigrationLogFormat.readBatches(try file.read(upTo: Int(status.st_size) - contents.length))
    contents.add(rest.entries, length: rest.length)
    known.withLock { [contents] in $0 = contents }
    return contents
  }

  // MARK: Writing, with the lock held

  /// How often the file is looked at for what need not be kept.
  private static let linesBetweenLooks = 256

  private func append(
    _ entries: [MigrationEntry], to contents: Contents, in folder: borrowing Folder
  ) throws(StorageFault) {
    if contents.isDamaged { return try replaceDamaged(with: entries, in: folder) }
    let batch = try MigrationLogFormat.batch(entries)
    let hasRoom = contents.length + batch.count <= largestFile
    guard let id = contents.id, contents.isCurrent, !contents.isTorn, hasRoom, !isOvergrown(contents, by: entries)
    else {
      return try rewrite(contents.lines + entries, in: folder)
    }
    guard let file = try folder.file(location.name, O_WRONLY | O_APPEND) else { throw .busy }
    try file.write(batch)
    try file.sync()
    if named.withLock({ $0 }) != id {
      try folder.descriptor.sync()
      named.withLock { $0 = id }
    }
  }

  /// Keeps a damaged file under another name, and begins a new one that says so.
  private func replaceDamaged(with entries: [MigrationEntry], in folder: borrowing Folder) throws(StorageFault) {
    try folder.rename(location.name, to: "\(location.name).damaged-\(UUID().uuidString.lowercased())")
    try rewrite([.logSetAside(at: Date())] + entries, in: folder)
  }

  /// Returns true if most lines are not worth keeping.
  private func isOvergrown(_ contents: Contents, by entries: [MigrationEntry]) -> Bool {
    let (old, new) = (contents.lines.count, contents.lines.count + entries.count)
    guard old / Self.linesBetweenLooks != new / Self.linesBetweenLooks else { return false }
    // Every migration has two lines.
    return 4 * (contents.lines + entries).live.count <= new
  }

  /// Puts a new file in the place of what is there. A torn one is never cut: who is reading it would see a mixture.
  private func rewrite(_ lines: [MigrationEntry], in folder: borrowing Folder) throws(StorageFault) {
    let id = UUID()
    let bytes = [try MigrationLogFormat.header(id: id), try MigrationLogFormat.batch(lines.live)]
    guard bytes.reduce(0, { $0 + $1.count }) <= largestFile else { throw .outOfSpace }
    try DurableWriter.replace(location.name, in: folder, with: bytes)
    named.withLock { $0 = id }
  }
}
