import Foundation
@testable import LocalDataBackup
import LocalData
import LocalDataFoundation
import LocalDataStores
import LocalDataSystem
import TestSupport
import Testing

/// A sealed file of two chunks, with a stretching that costs nothing.
struct DamageTests {
  private let scratch: ScratchFolder
  private let bytes: Data
  private let lines: [String]
  private static let stretching = KeyStretching { (material, parameters) throws(StorageProblem) in
    SecretBytes((material.withUnsafeBytes { Data($0) } + parameters.salt).sha256)
  }

  init() throws {
    scratch = try ScratchFolder(isInMemory: true)
    lines = (0..<700).map { "line \($0) " + String(repeating: "x", count: 90) }
    let path = scratch.url.appendingPathComponent("sealed").path
    let file = Descriptor(raw: open(path, O_RDWR | O_CREAT | O_EXCL, 0o600))
    let cipher = try BackupCipher(Self.secret("right"), iterations: 1_000_000, stretching: Self.stretching)
    let output = try BackupOutput(file, cipher)
    for line in lines { try output.add(Array(line.utf8)) }
    _ = try output.finish()
    bytes = try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private static func secret(_ text: String) -> SecretBytes { SecretBytes(Data(text.utf8)) }

  /// Reads all lines of a file with these bytes.
  private func read(_ bytes: Data, _ passphrase: String = "right") throws -> [String] {
    let path = scratch.url.appendingPathComponent("read")
    try bytes.write(to: path)
    let input = try BackupInput(Descriptor(readingFileAt: path.path), Self.secret(passphrase), Self.stretching)
    var found: [String] = []
    while let line = try input.next() { found.append(String(decoding: line, as: UTF8.self)) }
    return found
  }

  private func problem(_ bytes: Data, _ passphrase: String = "right") -> BackupError.Problem? {
    do {
      _ = try read(bytes, passphrase)
      return nil
    } catch { return (error as? BackupError)?.problem }
  }

  /// The offset of the second chunk.
  private var second: Int { 76 + 65_536 + 16 }

  @Test func undamagedFileIsRead() throws {
    #expect(bytes.count > second)
    #expect(try read(bytes).dropLast() == lines[...])
    #expect(problem(bytes, "wrong") == .wrongPassphrase)
  }

  /// A build without PBKDF2 opens no sealed file, and does not call it damaged.
  @Test func withoutDerivationTheFileIsNotDamaged() {
    let withoutTrait = KeyStretching { (_, _) throws(StorageProblem) in throw .noKeyDerivation }
    #expect(throws: BackupError(.storage(StorageError(.noKeyDerivation, .none)))) {
      try BackupCipher(header: bytes.prefix(BackupCipher.headerCount), Self.secret("right"), withoutTrait)
    }
  }

  @Test func eachChangedByteIsOfItsClass() throws {
    // Each byte of the header and of both ends of the chunks; the others in steps.
    let near = Array(0..<400) + Array((second - 200)..<(second + 200)) + Array((bytes.count - 200)..<bytes.count)
    let offsets = Set(near).union(stride(from: 0, to: bytes.count, by: Sweep.isFull ? 1 : 97))
    for offset in offsets.sorted() {
      var changed = bytes
      changed[offset] ^= 1 << UInt8(offset % 8)
      let expected: BackupError.Problem =
        switch offset {
        case 0..<4: .notABackup
        case 4..<76: .damagedHeader
        case 76..<second: .damagedChunk(0)
        default: .damagedChunk(1)
        }
      // What does not begin like a sealed file is read as a document.
      let found = offset < 4 ? BackupError.Problem.notABackup : problem(changed)
      #expect(found == expected, "byte \(offset)")
    }
  }

  @Test func eachCutIsOfItsClass() throws {
    let near = Array(0..<400) + Array((second - 200)..<(second + 200)) + Array((bytes.count - 200)..<bytes.count)
    let counts = Set(near).union(stride(from: 0, to: bytes.count, by: Sweep.isFull ? 1 : 97))
    for count in counts.sorted() {
      let expected: BackupError.Problem =
        switch count {
        case 0..<4: .notABackup
        case 4..<76: .damagedHeader
        case 76..<second: .damagedChunk(0)
        default: .damagedChunk(1)
        }
      #expect(problem(bytes.prefix(count)) == expected || count < 4, "\(count) bytes")
    }
  }

  @Test func chunksCannotChangePlaces() throws {
    let head = bytes.prefix(76)
    let (one, two) = (bytes[76..<second], bytes[second...])
    #expect(problem(head + two) == .damagedChunk(0))
    #expect(problem(head + one + one + two) == .damagedChunk(1))
    #expect(problem(bytes + Data([0])) == .damagedChunk(1))
  }

  @Test(arguments: [0, 599_999, 10_000_001, UInt32(1) << 31, .max]) func iterationsAreBounded(
    _ iterations: UInt32
  ) throws {
    var header = bytes.prefix(60)
    withUnsafeBytes(of: iterations.bigEndian) { header.replaceSubrange(8..<12, with: Data($0)) }
    #expect(problem(header + header.sha256.prefix(16) + bytes.dropFirst(76)) == .unknownFormat)
  }

  @Test(arguments: [4, 5, 6, 7]) func otherFormatsAreNamed(_ offset: Int) throws {
    var header = bytes.prefix(60)
    header[offset] = 77
    #expect(problem(header + header.sha256.prefix(16) + bytes.dropFirst(76)) == .unknownFormat)
  }

  @Test func passphraseIsNormalized() throws {
    let (composed, decomposed) = ("caf\u{e9} au lait", "cafe\u{301} au lait")
    let bytes = try [composed, decomposed].map { try BackupPassphrase.bytes($0).withUnsafeBytes { Data($0) } }
    #expect(bytes[0] == bytes[1])
    #expect(bytes[0] == Data("caf\u{e9} au lait".utf8))
    #expect(throws: BackupError(.weakPassphrase(minimum: 8))) { try BackupPassphrase.bytes("1234567", minimum: 8) }
    #expect(throws: BackupError(.weakPassphrase(minimum: 8))) {
      try BackupPassphrase.bytes("12345678\u{7}", minimum: 8)
    }
  }
}
