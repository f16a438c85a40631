import Foundation

/// A log of migrations in a file, shared with other processes; see ``MigrationLogFormat``.
///
/// Readers take no lock: a file only grows by whole batches, or is replaced.
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

  package func entries() throws(StorageFault) -> [PlaceID: MigrationEntry] { try contents().latest }

  package func records() throws(StorageFault) -> [MigrationRecord] { try contents().lines.live.map(\.record) }

  package func append(_ entries: [MigrationEntry]) throws(StorageFault) {
    guard !entries.isEmpty else { return }
    let folder = try location.folder.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    try lock.hold(patience: patience) { () throws(StorageFault) in try append(entries, in: folder) }
  }

  // MARK: Reading

  /// What is in the file; nothing where there is none.
  private struct Contents {
    /// `nil` where there is no file.
    var id: UUID?
    var stamp: FileStamp?
    /// The bytes of the header and of all whole batches.
    var length = 0
    var lines: [MigrationEntry] = []
    var latest: [PlaceID: MigrationEntry] = [:]

    /// Whether a writer was killed in the middle of a batch.
    var isTorn: Bool { stamp.map { $0.size != length } ?? false }

    mutating func add(_ entries: [MigrationEntry], length: Int) {
      self.length += length
      lines += entries
      latest.merge(entries.latest) { $1 }
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
    let header = try MigrationLogFormat.readHeader(try file.read(upTo: MigrationLogFormat.longestHeader))
    var contents = known.withLock { $0 }
    if contents.id != header.id || contents.length > Int(status.st_size) {
      contents = Contents(id: header.id, length: header.length)
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

  private func append(_ entries: [MigrationEntry], in folder: borrowing Folder) throws(StorageFault) {
    let contents = try contents(in: folder)
    let batch = try MigrationLogFormat.batch(entries)
    let hasRoom = contents.length + batch.count <= largestFile
    guard let id = contents.id, !contents.isTorn, hasRoom, !isOvergrown(contents, by: entries) else {
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

  /// Whether most lines are not worth keeping.
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
