package import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

extension EnvelopeHeader {
  /// Reads the header at the beginning of an envelope. Every field of it is in bounds, and agrees with the others.
  ///
  /// Throws `unknownFormatVersion` if a later version may have written the bytes, and `corrupted` if no version writes them.
  package static func parse(_ envelope: Data) throws(StorageProblem) -> EnvelopeHeader {
    guard begins(envelope) else { throw .corrupted }
    var reader = ByteReader(envelope.dropFirst(magic.count))
    guard try reader.integer(UInt8.self) == formatVersion else { throw .unknownFormatVersion }
    guard envelope.count >= count else { throw .corrupted }
    let algorithm = try reader.algorithm()
    let derivation = try reader.integer(UInt8.self)
    let source = try reader.integer(UInt8.self)
    let metadata = try reader.metadata()
    let iterations = try reader.integer(UInt32.self)
    let stretchSalt = try reader.take(StretchParameters.saltCount)
    let keyID = try reader.take(KeyID.count)
    let salt = try reader.take(Seal.saltCount)
    let nonce = try reader.take(Seal.nonceCount)

    guard derivation <= 2, source <= Source.allCases.count else { throw .unknownFormatVersion }
    guard let algorithm else {
      guard derivation == 0, source == 0, iterations == 0, stretchSalt.isZero, keyID.isZero, salt.isZero, nonce.isZero
      else { throw .corrupted }
      return EnvelopeHeader(metadata: metadata, seal: nil)
    }
    guard let source = Source(rawValue: source), let keyID = KeyID(bytes: keyID),
      envelope.count >= overhead
    else { throw .corrupted }
    let stretch: StretchParameters?
    switch derivation {
    case 1:
      guard iterations == 0, stretchSalt.isZero else { throw .corrupted }
      stretch = nil
    case 2:
      // An `Int` has 32 bits on some watches. The number is compared before it is converted.
      guard let iterations = Int(exactly: iterations), KeyDerivation.iterations.contains(iterations) else {
        throw .corrupted
      }
      stretch = StretchParameters(iterations: iterations, salt: stretchSalt.copy)
    default: throw .corrupted
    }
    let seal = Seal(
      algorithm: algorithm, source: source, stretch: stretch, keyID: keyID, salt: salt.copy, nonce: nonce.copy)
    return EnvelopeHeader(metadata: metadata, seal: seal)
  }

  /// The 124 bytes.
  package var bytes: Data {
    var writer = ByteWriter(capacity: Self.overhead)
    writer.append(Self.magic)
    writer.append(Self.formatVersion)
    writer.append(seal?.algorithm.formatNumber ?? 0)
    writer.append(UInt8(seal == nil ? 0 : seal?.stretch == nil ? 1 : 2))
    writer.append(seal?.source.rawValue ?? 0)
    writer.append(metadata.schema)
    writer.append(metadata.writtenAt)
    writer.append(metadata.sync?.counter ?? 0)
    writer.append(metadata.sync.map { Data($0.device.bytes) } ?? Data(count: 16))
    writer.append(UInt32(seal?.stretch?.iterations ?? 0))
    writer.append(seal?.stretch?.salt ?? Data(count: StretchParameters.saltCount))
    writer.append(seal?.keyID.bytes ?? Data(count: KeyID.count))
    writer.append(seal?.salt ?? Data(count: Seal.saltCount))
    writer.append(seal?.nonce ?? Data(count: Seal.nonceCount))
    return writer.bytes
  }
}

extension EncryptionAlgorithm {
  /// The number of the algorithm in the library's formats.
  package var formatNumber: UInt8 {
    switch self {
    case .aes256GCM: 1
    case .chaCha20Poly1305: 2
    }
  }

  /// Creates the algorithm with a number, or throws `unknownFormatVersion` if no algorithm has it.
  package init(formatNumber number: UInt8) throws(StorageProblem) {
    guard let algorithm = Self.allCases.first(where: { $0.formatNumber == number }) else { throw .unknownFormatVersion }
    self = algorithm
  }
}

extension ByteReader {
  fileprivate mutating func algorithm() throws(StorageProblem) -> EncryptionAlgorithm? {
    let number = try integer(UInt8.self)
    if number == 0 { return nil }
    return try EncryptionAlgorithm(formatNumber: number)
  }

  fileprivate mutating func metadata() throws(StorageProblem) -> EnvelopeMetadata {
    let schema = try integer(UInt32.self)
    let writtenAt = try integer(Int64.self)
    let counter = try integer(UInt64.self)
    let device = try take(16)
    if device.isZero {
      guard counter == 0 else { throw .corrupted }
      return EnvelopeMetadata(schema: schema, writtenAt: writtenAt)
    }
    return EnvelopeMetadata(
      schema: schema, writtenAt: writtenAt, sync: .init(counter: counter, device: UUID(bytes: device)))
  }
}

extension Data {
  /// A copy that does not keep the data alive that these bytes are a part of. `Data(_:)` takes any sequence, and would look
  /// for its type first.
  var copy: Data {
    withUnsafeBytes { bytes in bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data() }
  }

  package var isZero: Bool { withUnsafeBytes { $0.allSatisfy { $0 == 0 } } }
}

extension UUID {
  package init(bytes: Data) {
    var uuid = zeroUUID
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
    self.init(uuid: uuid)
  }

  package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}

/// Sixteen zero bytes.
private let zeroUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

extension ValueIdentity {
  /// Returns the tuple that a seal of this value is bound to, besides its header.
  ///
  /// - Parameter schema: The schema in the header. The stored value may be older than the key that reads it.
  package func associatedData(schema: UInt32) -> Data {
    var writer = ByteWriter(capacity: 128)
    writer.appendField("value")
    writer.appendField(domain.rawValue)
    writer.append(container: container)
    writer.appendField(name)
    writer.appendField(withUnsafeBytes(of: schema.bigEndian) { Data($0) })
    return writer.bytes
  }
}

extension ByteWriter {
  /// Appends the fields of a container's identity.
  package mutating func append(container: StorageContainer) {
    let kind = container.domain.kind
    let fields = container.domain.fields
    appendField(kind.containerName)
    if kind.namesContainer { appendField(fields.name) }
    // As in the keystore, an item is its group, service and account: whether it is synchronized names none.
    if kind.store == .keychain { appendField(fields.accessGroup) }
    if let directory = fields.directory { append(directory: directory) }
  }

  fileprivate mutating func append(directory: FileDirectory) {
    appendField(directory.kind.rawValue)
    appendField(directory.text)
  }
}

extension ByteReader {
  /// Reads the fields of a container's identity. A synchronizable item is read as one that is not.
  mutating func container() throws(StorageProblem) -> StorageContainer {
    let name = try requiredText()
    guard let kind = StorageDomain.Kind.allCases.first(where: { $0.containerName == name }) else { throw .corrupted }
    var fields = StorageDomain.Fields(named: kind.namesContainer ? try text() : nil)
    switch kind.store {
    case .preferences: break
    case .keychain: fields.accessGroup = try text()
    case .files: fields.directory = try directory()
    }
    guard let container = StorageContainer(name, fields) else { throw .corrupted }
    return container
  }

  private mutating func directory() throws(StorageProblem) -> FileDirectory {
    guard let kind = FileDirectory.Kind(rawValue: try requiredText()),
      let directory = FileDirectory(kind, try text())
    else { throw .corrupted }
    return directory
  }

  mutating func requiredText() throws(StorageProblem) -> String {
    guard let text = try text() else { throw .corrupted }
    return text
  }
}

extension StorageDomain.Kind {
  /// A Boolean value that indicates whether a container has a field for its suite, app group or service.
  fileprivate var namesContainer: Bool { isAppGroup || store != .files }
}

extension FileDirectory {
  /// Creates a directory from its fields, or returns `nil` if a path belongs to it and there is none, or the other way round.
  package init?(_ kind: Kind, _ path: String?) {
    switch (kind, path) {
    case (.documents, nil): self = .documents
    case (.applicationSupport, nil): self = .applicationSupport
    case (.caches, nil): self = .caches
    case (.custom, let path?): self = .custom(path)
    case (.exact, let name?):
      guard let folder = ForeignDirectory(rawValue: name) else { return nil }
      self = .exact(folder)
    default: return nil
    }
  }
}
