import LocalDataFoundation
import LocalDataStores
import LocalDataSystem

/// Writes the lines of a document to a file, plain or sealed, in chunks of one size.
final class BackupOutput {
  private let file: Descriptor
  private let cipher: BackupCipher?
  private var buffer: [UInt8] = []
  private var chunk: UInt32 = 0
  private var digest = RunningDigest()

  init(_ file: consuming Descriptor, _ cipher: BackupCipher?) throws(StorageProblem) {
    self.file = file
    self.cipher = cipher
    buffer.reserveCapacity(2 * BackupCipher.chunkCount)
    if let cipher { try self.file.write(cipher.header) }
  }

  /// Adds a line, without its end.
  func add(_ line: [UInt8]) throws(StorageProblem) {
    let line = line + [0x0a]
    line.withUnsafeBytes { digest.update($0) }
    try write(line)
  }

  /// Adds the last line, with the digest of those before it, and waits until the file is on the disk.
  ///
  /// - Returns: The digest.
  func finish() throws(StorageProblem) -> Data {
    let value = digest.value
    try write(Array("\"sha256\":\"\(value.hexadecimal)\"}\n".utf8))
    try writeChunk(buffer, isLast: true)
    try file.sync()
    return value
  }

  /// Writes the lines of a plain document that were added since, and waits until they are on the disk.
  func flush() throws(StorageProblem) {
    try writeChunk(buffer, isLast: true)
    buffer = []
    try file.sync()
  }

  private func write(_ bytes: [UInt8]) throws(StorageProblem) {
    buffer += bytes
    // The last chunk has at least one byte.
    var start = 0
    while buffer.count - start > BackupCipher.chunkCount {
      try writeChunk(Array(buffer[start..<start + BackupCipher.chunkCount]), isLast: false)
      start += BackupCipher.chunkCount
    }
    if start > 0 { buffer.removeFirst(start) }
  }

  private func writeChunk(_ bytes: [UInt8], isLast: Bool) throws(StorageProblem) {
    guard let cipher else { return try file.write(Data(bytes)) }
    try file.write(try cipher.seal(bytes, chunk, isLast: isLast))
    guard isLast || chunk < .max else { throw .valueTooLarge(limit: nil) }
    chunk += isLast ? 0 : 1
  }
}

/// Reads the lines of a document from a file, plain or sealed.
final class BackupInput {
  private let file: Descriptor
  private var cipher: BackupCipher?
  /// The next chunk as it is stored.
  private var sealed = Data()
  private var chunk: UInt32 = 0
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private(set) var digest = RunningDigest()
  /// The number of the last line that was read, from 1.
  private(set) var line = 0
  /// The largest length of a line.
  var longestLine = 1 << 24
  /// True if the lines of undamaged chunks are read although others are damaged.
  let isSalvaging: Bool
  /// The damaged chunks that were passed over.
  private(set) var lostChunks: [Int] = []

  /// - Parameter passphrase: The passphrase of a sealed file, or nil.
  /// - Throws: ``BackupError/Problem/notABackup`` and the other problems of the first bytes.
  init(
    _ file: consuming Descriptor, _ passphrase: SecretBytes?, _ stretching: KeyStretching, isSalvaging: Bool = false
  ) throws(BackupError) {
    self.file = file
    self.isSalvaging = isSalvaging
    let beginning = try read(BackupCipher.magic.count)
    if beginning.elementsEqual(BackupCipher.magic) {
      let header = beginning + (try read(BackupCipher.headerCount - beginning.count))
      _ = try BackupCipher.parameters(of: header)
      guard let passphrase else { throw BackupError(.passphraseRequired) }
      cipher = try BackupCipher(header: header, passphrase, stretching)
      sealed = try readSealed()
    } else {
      buffer = Array(beginning)
    }
  }

  var isSealed: Bool { cipher != nil }

  private func read(_ count: Int) throws(BackupError) -> Data {
    do throws(StorageProblem) { return try file.read(upTo: count, expecting: count) } catch {
      throw BackupError(error)
    }
  }

  private func readSealed() throws(BackupError) -> Data { try read(BackupCipher.chunkCount + BackupCipher.tagCount) }

  /// Returns the next line without its end, or nil after the last one.
  func next() throws(BackupError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0a) {
        defer { start = end + 1 }
        line += 1
        return buffer[start..<end]
      }
      guard buffer.count - start <= longestLine else { throw BackupError(.invalidLayout, line: line + 1) }
      let rest = buffer.count - start
      buffer.removeFirst(start)
      start = 0
      searched = rest
      guard try fill() else {
        guard buffer.isEmpty || isSalvaging else { throw BackupError(.invalidLayout, line: line + 1) }
        return nil
      }
      searched = min(searched, buffer.count)
    }
  }

  /// Adds a line that was read to the digest.
  func hash(_ line: ArraySlice<UInt8>) {
    line.withUnsafeBytes { digest.update($0) }
    [UInt8](arrayLiteral: 0x0a).withUnsafeBytes { digest.update($0) }
  }

  /// Adds the bytes of the next chunk. Returns false at the end of the file.
  private func fill() throws(BackupError) -> Bool {
    guard !isAtEnd else { return false }
    guard let cipher else {
      let bytes = try read(BackupCipher.chunkCount)
      isAtEnd = bytes.count < BackupCipher.chunkCount
      buffer += bytes
      return !bytes.isEmpty
    }
    let next = sealed.count < BackupCipher.chunkCount + BackupCipher.tagCount ? Data() : try readSealed()
    isAtEnd = next.isEmpty
    if let bytes = cipher.open(sealed, chunk, isLast: isAtEnd) {
      buffer += bytes
    } else if isAtEnd, let bytes = cipher.open(sealed, chunk, isLast: false) {
      // What follows was cut off.
      guard isSalvaging else { throw BackupError(.damagedChunk(Int(clamping: chunk) + 1)) }
      buffer += bytes
      lostChunks.append(Int(clamping: chunk) + 1)
    } else {
      guard isSalvaging, chunk > 0 else { throw BackupError(.damagedChunk(Int(clamping: chunk))) }
      try passOver()
    }
    sealed = next
    chunk &+= 1
    return true
  }

  /// Leaves a damaged chunk out, and the line that ends in the chunks after it.
  private func passOver() throws(BackupError) {
    lostChunks.append(Int(clamping: chunk))
    buffer = Array(Self.gap)
    start = 0
  }

  /// A line that is none of a document: it stands for those that were lost, and for the end of the line after them.
  static let gap = Array("\u{0}".utf8)
}
