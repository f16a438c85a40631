import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// A place as the log of migrations knows it: no name, since a family's names hold its parameters.
///
/// The first 16 bytes of SHA-256 over the place's logical identity (`place`, or `foundation` where Foundation's own
/// UserDefaults keeps it; the fields of the container; the stored name), as 32 lower-case hexadecimal digits.
package struct PlaceID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let description: String

  private static let size = 16

  /// The identity of a place.
  package init(_ place: StoragePlace, isFoundation: Bool = false) {
    var writer = ByteWriter(capacity: 128)
    writer.appendField(isFoundation ? "foundation" : "place")
    writer.append(container: place.container)
    writer.appendField(place.name)
    let digits = Array("0123456789abcdef")
    description = SHA256.hash(data: writer.bytes).prefix(Self.size)
      .map { String([digits[Int($0 >> 4)], digits[Int($0 & 15)]]) }.joined()
  }

  init(_ plan: KeyPlan) { self.init(plan.place, isFoundation: plan.isFoundation) }

  package static func < (first: PlaceID, second: PlaceID) -> Bool { first.description < second.description }
}

extension PlaceID: Codable {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let isWellFormed = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    guard isWellFormed, text.utf8.count == 2 * Self.size else { throw StorageFault.corrupted }
    description = text
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
