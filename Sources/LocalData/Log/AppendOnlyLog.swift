package import LocalDataFoundation
import LocalDataStores

/// The state that the lines of an append-only log add up to.
package protocol LogContents: Sendable {
  /// The bytes of the log's file.
  static var encoding: LogEncoding { get }

  /// Creates the contents that the lines of a file are applied to.
  init()

  /// Adds a line. The lines of a file are applied in their order.
  mutating func apply(_ line: Data) throws(StorageProblem)

  /// Removes the lines that are no longer needed from memory. Called before a new file replaces an old one.
  mutating func compact()

  /// The lines that a new file begins with: those that are still needed, at least one.
  var lines: [Data] { get throws(StorageProblem) }

  /// The number of ``lines``. It is read once in 256 lines.
  var count: Int { get }
}

/// A file of lines that processes share and that only grows: a change costs one short append, also if the file is large.
///
/// ```swift
/// let log = AppendOnlyLog<Versions>(location)
/// let version = try log.read { $0.version(of: key) }
/// try log.change { (versions, lines) throws(StorageProblem) in lines.append(versions.set(5, of: key)) }
/// ```
///
/// A writer holds the lock of the file's folder; readers take no lock. The file grows by whole batches, and is replaced by a
/// new one in three cases: most of its lines are no longer needed, its last batch is torn, or it does not exist yet. The
/// lines that were read are kept in memory: a later call reads only new ones. A log without a file, for tests and previews, is
/// in memory alone.
///
/// `@unchecked Sendable`: the mutable properties, `known`, `isAbsent` and `namedID`, are used only while `turn` is locked. It is an
/// `NSLock` because ``Lock`` allows no code of a caller, and no waiting for the disk, while it is held. A writer waits for
/// other processes before it locks `turn`, so that readers of this process do not wait for them.
package final class AppendOnlyLog<Contents: LogContents>: @unchecked Sendable {
  /// The file; `nil` if the log is in memory.
  private let location: FileLocation?
  private let name: String
  private let path: String?
  private let protection: FileProtection
  private let largestFile: Int
  private let patience: Duration
  private let empty: @Sendable () -> Contents

  /// Held by one writer of this process. It is locked before the lock of the folder, and that before `turn`.
  private let writing = NSLock()
  private let turn = NSLock()
  private var known: Known?
  /// A Boolean value that indicates whether there was no file when the log was read last.
  private var isAbsent: Bool
  /// The file whose name is certainly on the disk: a killed writer may not have synced it.
  private var namedID: UUID?

  private struct Known {
    var id: UUID
    var contents: Contents
    /// The bytes of the header and of all whole batches.
    var length: Int
    /// All lines in the file, also those that are no longer needed.
    var lines: Int
    /// The state of the file; `nil` in memory.
    var stamp: FileStamp?

    var isTorn: Bool { stamp.map { $0.size != length } ?? false }
  }

  /// Creates a log over a file, which need not exist, or in memory.
  ///
  /// - Parameters:
  ///   - location: The file; `nil` if the log is in memory.
  ///   - largestFile: The largest size of a file that is read. Files of the library are much smaller.
  ///   - empty: Returns the contents if there is no line yet. They become part of the file with the first change.
  package init(
    _ location: FileLocation? = nil, protection: FileProtection = .standard, largestFile: Int = 64 << 20,
    patience: Duration = FileLock.patience, empty: @escaping @Sendable () -> Contents = { Contents() }
  ) {
    self.location = location
    name = location?.name ?? ""
    path = location?.path
    self.protection = protection
    self.largestFile = largestFile
    self.patience = patience
    self.empty = empty
    isAbsent = location == nil
  }

  /// The current state of the file; `nil` if there is no file.
  private var stamp: FileStamp? { path.flatMap { FileStamp(path: $0) } }

  /// A Boolean value that indicates whether the file exists, or a log in memory has a line. Costs one system call.
  package var exists: Bool { location == nil ? turn.withLock { known != nil } : stamp != nil }

  /// Passes the contents to `body`. Costs one system call if the file has not changed since the last call.
  ///
  /// - Throws: ``StorageProblem/corrupted`` or ``StorageProblem/unknownFormatVersion`` if the file is damaged or newer, the
  ///   fault of the system call that failed, and what `body` throws. In a call that must not wait, ``StorageProblem/busy`` if
  ///   the file has changed or a writer is changing it.
  package func read<Result>(_ body: (Contents) throws(StorageProblem) -> Result) throws(StorageProblem) -> Result {
    if location == nil || !CallDeadline.mustNotWait { turn.lock() } else if !turn.try() { throw .busy }
    defer { turn.unlock() }
    // The same file as before, also if its path has changed.
    if known != nil || isAbsent && CallDeadline.mustNotWait, known?.stamp == stamp {
      return try body(known?.contents ?? empty())
    }
    if let folder = try location?.folder.open(creating: false) { try refresh(in: folder) } else { known = nil }
    isAbsent = isAbsent || known == nil
    return try body(known?.contents ?? empty())
  }

  /// Changes the contents, and appends the lines that describe the change. No other process writes between.
  ///
  /// - Parameters:
  ///   - isDurable: Whether the change must survive a loss of power. It survives a killed process in any case.
  ///   - body: Changes the contents and adds the lines of the change. If it adds none, the file is not written. It must be
  ///     quick and must not use the log.
  /// - Throws: The faults of ``read(_:)``; ``StorageProblem/busy`` if another process holds the lock for too long, and
  ///   ``StorageProblem/outOfSpace``. If this throws, the change has not been made, or, after a failure of the disk, may have
  ///   been.
  package func change<Result>(
    isDurable: Bool = true, _ body: (inout Contents, inout [Data]) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    guard let location else { return try changeInMemory(body) }
    return try locked(location) { (folder) throws(StorageProblem) in
      try refresh(in: folder)
      guard var now = known else {
        var contents = empty()
        var lines = [Data]()
        let result = try body(&contents, &lines)
        if !lines.isEmpty { try replace(with: contents, in: folder) }
        return result
      }
      // Contents that are referenced once are changed in place. If anything fails, the file is read again.
      known = nil
      var lines: [Data] = []
      let result = try body(&now.contents, &lines)
      guard !lines.isEmpty else {
        known = now
        return result
      }
      let batch = LogEncoding.batch(lines)
      if now.isTorn || isOvergrown(now, by: lines.count) || now.length + batch.count > largestFile {
        try replace(with: now.contents, in: folder)
      } else {
        known = try append(batch, of: lines.count, to: now, isDurable: isDurable, in: folder)
      }
      return result
    }
  }

  private func changeInMemory<Result>(
    _ body: (inout Contents, inout [Data]) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    turn.lock()
    defer { turn.unlock() }
    // A change that throws is not made.
    var contents = known?.contents ?? empty()
    var lines = [Data]()
    let result = try body(&contents, &lines)
    if known != nil || !lines.isEmpty { known = Known(id: UUID(), contents: contents, length: 0, lines: 0) }
    return result
  }

  /// Puts new contents in the place of a file that cannot be read, which stays under its name with a suffix.
  ///
  /// - Returns: False if the file can be read after all: another process was first. A log in memory always can.
  package func setAside(
    with suffix: String, _ contents: () throws(StorageProblem) -> Contents
  ) throws(StorageProblem) -> Bool {
    guard let location else { return false }
    return try locked(location) { (folder) throws(StorageProblem) in
      do throws(StorageProblem) {
        try refresh(in: folder)
        return false
      } catch {
        guard error == .corrupted || error == .unknownFormatVersion else { throw error }
      }
      if try folder.status(of: name) != nil {
        try folder.unlink(name + suffix)
        _ = try folder.link(name, as: name + suffix)
      }
      try replace(with: try contents(), in: folder)
      return true
    }
  }

  private func locked<Result>(
    _ location: FileLocation, _ body: (borrowing Folder) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    writing.lock()
    defer { writing.unlock() }
    let folder = try location.folder.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: patience) { () throws(StorageProblem) in
      // Somebody deleted the folder while we waited.
      guard try lock.isInPlace else { throw .busy }
      turn.lock()
      defer { turn.unlock() }
      return try body(folder)
    }
  }

  // MARK: Reading

  /// Reads the new part of the file, or the whole file if it is another one.
  private func refresh(in folder: borrowing Folder) throws(StorageProblem) {
    guard let file = try folder.file(name, O_RDONLY) else {
      known = nil
      return
    }
    let status = try file.status()
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    let stamp = FileStamp(status)
    if known?.stamp == stamp { return }
    guard stamp.size <= largestFile else { throw .corrupted }
    let id = try Contents.encoding.readHeader(try file.read(upTo: LogEncoding.headerSize))
    var now =
      if let known, known.id == id, known.length <= Int(stamp.size) { known } else {
        Known(id: id, contents: Contents(), length: LogEncoding.headerSize, lines: 0)
      }
    known = nil
    // Taken before the rest is read: what comes later shows as a change.
    now.stamp = stamp
    try file.seek(to: now.length)
    let rest = try LogEncoding.readBatches(try file.read(upTo: Int(stamp.size) - now.length))
    for line in rest.lines { try now.contents.apply(line) }
    now.length += rest.length
    now.lines += rest.lines.count
    // Somebody has cut a file without a line: each file is made with its first line.
    guard now.lines > 0 else { throw .corrupted }
    known = now
  }

  // MARK: Writing, with the lock held

  /// The number of lines after which a file is looked at for those that are no longer needed.
  private static var linesBetweenLooks: Int { 256 }

  /// Returns true if three of four lines are no longer needed.
  private func isOvergrown(_ known: Known, by count: Int) -> Bool {
    let old = known.lines
    let new = known.lines + count
    guard old / Self.linesBetweenLooks != new / Self.linesBetweenLooks else { return false }
    return new >= 4 * known.contents.count
  }

  private func append(
    _ batch: Data, of count: Int, to known: Known, isDurable: Bool, in folder: borrowing Folder
  ) throws(StorageProblem) -> Known {
    guard let file = try folder.file(name, O_WRONLY | O_APPEND) else { throw .busy }
    try file.write(batch)
    if isDurable {
      try file.sync()
      if namedID != known.id {
        try folder.descriptor.sync()
        namedID = known.id
      }
    }
    var known = known
    known.length += batch.count
    known.lines += count
    known.stamp = FileStamp(try file.status())
    return known
  }

  /// Replaces the file. A torn one is not cut, because a reader would see parts of both versions.
  private func replace(with contents: Contents, in folder: borrowing Folder) throws(StorageProblem) {
    var contents = contents
    contents.compact()
    let id = UUID()
    let lines = try contents.lines
    let bytes = [Contents.encoding.header(id: id), LogEncoding.batch(lines)]
    let length = bytes.reduce(0) { $0 + $1.count }
    guard length <= largestFile else { throw .outOfSpace }
    try DurableWriter.replace(name, in: folder, with: bytes, protection)
    namedID = id
    guard let status = try folder.status(of: name) else { throw .busy }
    known = Known(id: id, contents: contents, length: length, lines: lines.count, stamp: FileStamp(status))
  }
}
