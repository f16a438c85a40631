public import Foundation
public import LocalData

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// Opens the values that releases before 2.0 stored in Core Data: each is the text of AES-GCM, see ``SeedMigration``.
public struct OldWallet: Sendable {
  private let key: Data

  /// Reads the key of the old values.
  ///
  /// - Throws: ``SeedError/noKey`` if there is none. Then nothing is imported, and the old store stays.
  public init(_ router: StorageRouter) async throws {
    guard let key = try await router.get(SeedMigration.valuesKey) else { throw SeedError.noKey }
    self.key = key
  }

  /// Returns the bytes of a value.
  private func bytes(_ value: String) throws -> Data { try Self.open(value, with: key) }

  public func text(_ value: String) throws -> String {
    guard let text = String(bytes: try bytes(value), encoding: .utf8) else { throw SeedError.damaged }
    return text
  }

  public func optionalText(_ value: String?) throws -> String? { try value.map(text) }

  /// Returns a case of an enum whose raw values are texts.
  public func word<Word: RawRepresentable<String>>(_ value: String) throws -> Word {
    guard let word = Word(rawValue: try text(value)) else { throw SeedError.damaged }
    return word
  }

  /// Returns a date, which is stored as the seconds since 1970 in 8 bytes.
  public func date(_ value: String) throws -> Date { Date(timeIntervalSince1970: Double(try number(value) as Int64)) }

  public func optionalDate(_ value: String?) throws -> Date? { try value.map(date) }

  public func optionalNumber(_ value: String?) throws -> Int32? { try value.map(number) }

  /// Returns a number, whose bytes are stored with the lowest one first.
  private func number<Number: FixedWidthInteger>(_ value: String) throws -> Number {
    let bytes = try bytes(value)
    guard bytes.count == Number.bitWidth / 8 else { throw SeedError.damaged }
    return bytes.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// Returns a value as earlier releases stored it: ciphertext, nonce and tag in Base64, joined by dots.
  public static func seal(_ bytes: Data, with key: Data) throws -> String {
    let box = try AES.GCM.seal(bytes, using: SymmetricKey(data: key))
    return [box.ciphertext, Data(box.nonce), box.tag].map { $0.base64EncodedString() }.joined(separator: ".")
  }

  static func open(_ text: String, with key: Data) throws -> Data {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Data(base64Encoded: String($0)) }
    guard parts.count == 3, let ciphertext = parts[0], let nonce = parts[1], let tag = parts[2] else {
      throw SeedError.damaged
    }
    let box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: nonce), ciphertext: ciphertext, tag: tag)
    return try AES.GCM.open(box, using: SymmetricKey(data: key))
  }
}
