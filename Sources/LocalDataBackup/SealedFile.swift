import LocalDataFoundation
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

#if os(Linux)
  @_spi(_Unicode) import Swift
#endif

/// The key of a sealed backup, from a passphrase and the header of the file. See `BackupFormat.md`.
struct BackupCipher: Sendable {
  static let magic: [UInt8] = [0x89, 0x4c, 0x44, 0x42]
  static let headerCount = 76
  static let chunkCount = 1 << 16
  static let tagCount = 16
  /// The bounds of the iterations in a header: a larger number would keep the device busy for minutes.
  static let iterations = 600_000...10_000_000

  let header: Data
  private let key: DerivedKey
  private let algorithm: EncryptionAlgorithm

  /// Creates the cipher of a new file.
  init(
    _ passphrase: SecretBytes, iterations: Int, stretching: KeyStretching
  ) throws(StorageProblem) {
    var writer = ByteWriter(capacity: Self.headerCount)
    writer.append(Self.magic)
    writer.append([1, EncryptionAlgorithm.aes256GCM.formatNumber, 1, 16])
    writer.append(UInt32(iterations))
    let salt = Randomness.system.bytes(16)
    writer.append(salt)
    let stretched = try stretching.stretch(passphrase, StretchParameters(iterations: iterations, salt: salt))
    writer.append(Self.commitment(stretched, salt))
    writer.append(writer.bytes.sha256.prefix(16))
    self.init(writer.bytes, stretched, salt, .aes256GCM)
  }

  /// Creates the cipher of a file. The checksum of the header is compared before anything else in it is used.
  init(header: Data, _ passphrase: SecretBytes, _ stretching: KeyStretching) throws(BackupError) {
    let parameters = try Self.parameters(of: header)
    let stretched: SecretBytes
    do throws(StorageProblem) { stretched = try stretching.stretch(passphrase, parameters.stretch) } catch {
      throw BackupError(error)
    }
    guard Self.commitment(stretched, parameters.stretch.salt) == header.dropFirst(28).prefix(32) else {
      throw BackupError(.wrongPassphrase)
    }
    self.init(header, stretched, parameters.stretch.salt, parameters.algorithm)
  }

  private init(_ header: Data, _ stretched: SecretBytes, _ salt: Data, _ algorithm: EncryptionAlgorithm) {
    self.header = header
    self.algorithm = algorithm
    key = DerivedKey(from: stretched, salt: salt, info: Data("LocalData backup".utf8) + header.sha256)
  }

  private static func commitment(_ stretched: SecretBytes, _ salt: Data) -> Data {
    DerivedKey.bytes(from: stretched, salt: salt, info: Data("LocalData backup commitment".utf8))
  }

  /// Returns the parameters in a header.
  static func parameters(
    of header: Data
  ) throws(BackupError) -> (stretch: StretchParameters, algorithm: EncryptionAlgorithm) {
    guard header.starts(with: magic) else { throw BackupError(.notABackup) }
    guard header.count == headerCount, header.prefix(60).sha256.prefix(16) == header.suffix(16) else {
      throw BackupError(.damagedHeader)
    }
    var reader = ByteReader(header.dropFirst(4))
    do throws(StorageProblem) {
      guard try reader.integer(UInt8.self) == 1 else { throw .unknownFormatVersion }
      let algorithm = try EncryptionAlgorithm(formatNumber: reader.integer())
      guard try reader.integer(UInt8.self) == 1, try reader.integer(UInt8.self) == 16 else {
        throw .unknownFormatVersion
      }
      let iterations = try Int(exactly: reader.integer(UInt32.self)) ?? 0
      guard Self.iterations.contains(iterations) else { throw .unknownFormatVersion }
      return (StretchParameters(iterations: iterations, salt: try reader.take(16).copied), algorithm)
    } catch { throw BackupError(.unknownFormat) }
  }

  /// Returns the ciphertext and the tag of a chunk.
  func seal(_ chunk: [UInt8], _ number: UInt32, isLast: Bool) throws(StorageProblem) -> Data {
    let nonce = Self.nonce(number, isLast)
    return try key.seal(chunk, algorithm, nonce: nonce, associatedData: []).dropFirst(nonce.count)
  }

  /// Returns the plaintext of a chunk, or nil if it was changed or cut off.
  func open(_ sealed: Data, _ number: UInt32, isLast: Bool) -> Data? {
    do throws(StorageProblem) {
      return try key.open(Self.nonce(number, isLast) + sealed, algorithm, associatedData: [])
    } catch { return nil }
  }

  private static func nonce(_ number: UInt32, _ isLast: Bool) -> Data {
    var nonce = ByteWriter(capacity: 12)
    nonce.append([UInt8](repeating: 0, count: 7))
    nonce.append(number)
    nonce.append(UInt8(isLast ? 1 : 0))
    return nonce.bytes
  }
}

/// The bytes of a passphrase.
enum BackupPassphrase {
  /// Returns the UTF-8 of the normalized passphrase.
  ///
  /// - Parameter minimum: The smallest number of characters, or nil if any passphrase may open a file.
  static func bytes(_ passphrase: String, minimum: Int? = nil) throws(BackupError) -> SecretBytes {
    let isPlain = passphrase.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isPlain, passphrase.count >= minimum ?? 0 else { throw BackupError(.weakPassphrase(minimum: minimum ?? 1)) }
    var bytes = normalized(passphrase)
    defer { bytes.wipe() }
    return SecretBytes(bytes)
  }

  private static func normalized(_ passphrase: String) -> Data {
    #if os(Linux)
      var text = String.UnicodeScalarView()
      for scalar in passphrase._nfc { text.append(scalar) }
      return Data(String(text).utf8)
    #else
      return Data(passphrase.precomposedStringWithCanonicalMapping.utf8)
    #endif
  }
}

extension Data {
  fileprivate var copied: Data { Data(Array(self)) }
}
