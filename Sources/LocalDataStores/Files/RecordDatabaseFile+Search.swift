import LocalDataFoundation
import LocalDataSystem

/// A search for sealed record keys that does not use SQLite. It finds them in an app without LocalDataRecords and in a damaged
/// file, and may find the remains of a removed one.
extension RecordDatabaseFile {
  /// The databases that were searched. They stay open: if the process closes any descriptor of a file, SQLite's locks on it
  /// end.
  private static let searched = Lock<[SearchedFile]>([])

  /// Returns true if the file contains an envelope that a master key has sealed.
  ///
  /// The envelope of a record key is shorter than a page of SQLite, so that its bytes are together in the file.
  ///
  /// - Throws: A fault if the file cannot be read now.
  func containsSealedKey() throws(StorageProblem) -> Bool {
    guard let folder = try location.folder.open(creating: false) else { return false }
    // The log is read first, because a checkpoint moves its pages to the database.
    if try Self.file(location.name + "-wal", in: folder)?.containsSealedKey() == true { return true }
    guard let status = try folder.status(of: location.name) else { return false }
    let id = FileID(status)
    if let known = Self.searched.withLock({ $0.first { $0.id == id } }) { return try known.containsSealedKey() }
    guard let file = try Self.file(location.name, in: folder) else { return false }
    Self.searched.withLock { $0.append(file) }
    return try file.containsSealedKey()
  }

  private static func file(_ name: String, in folder: borrowing Folder) throws(StorageProblem) -> SearchedFile? {
    guard let file = try folder.file(name, O_RDONLY) else { return nil }
    return try SearchedFile(file)
  }
}

/// An open file of SQLite.
private final class SearchedFile: Sendable {
  let id: FileID
  private let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) throws(StorageProblem) {
    let status = try descriptor.status()
    guard status.isRegularFile else { throw .io(errno: EINVAL) }
    id = FileID(status)
    self.descriptor = descriptor
  }

  private static let chunk = 1 << 20
  /// Held during a search, which moves the position in the file.
  private let turn = NSLock()

  func containsSealedKey() throws(StorageProblem) -> Bool {
    turn.lock()
    defer { turn.unlock() }
    var offset = 0
    while let start = try descriptor.seekToData(from: offset) {
      let bytes = try descriptor.read(upTo: Self.chunk)
      if bytes.withUnsafeBytes(Self.containsSealedKey) { return true }
      guard bytes.count == Self.chunk else { return false }
      // The beginning of an envelope may be at the end of the bytes.
      offset = start + Self.chunk - PlainEnvelope.beginning
    }
    return false
  }

  private static func containsSealedKey(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: EnvelopeHeader.magic[0]) {
      let beginning = Data(rest[start...].prefix(PlainEnvelope.beginning))
      if EnvelopeHeader.begins(beginning), isSealedWithMasterKey(beginning) { return true }
      rest = rest[(start + 1)...]
    }
    return false
  }

  /// Returns false for bytes that only begin like an envelope, because any bytes of a row may do so.
  private static func isSealedWithMasterKey(_ beginning: Data) -> Bool {
    do throws(StorageProblem) { return try EnvelopeHeader.parse(beginning).seal?.source == .masterKey } catch {
      return false
    }
  }
}
