import Foundation
import LocalData

/// The types of the app that transform the values of old stores.
enum OldNote {
  struct BadSize: Error {}

  static func size(_ number: Double?) throws -> Int? {
    guard let number else { return nil }
    guard let size = Int(exactly: number) else { throw BadSize() }
    return size
  }
}

/// An element of a list of an earlier release.
struct OldTag: Codable, Hashable, Sendable {
  var title: String
  var rank: Int

  struct Untitled: Error {}

  static func count(_ tags: [OldTag]) -> Int { tags.count }

  static func record(_ tag: OldTag) throws -> Tag {
    guard !tag.title.isEmpty else { throw Untitled() }
    return Tag(id: tag.title, rank: tag.rank)
  }
}

/// Opens the values of an old wallet with a key that an earlier release has stored.
struct OldWallet: Sendable {
  let key: String

  init(_ router: StorageRouter) async throws {
    guard let key = try await router.get(.walletKey) else { throw MissingKey() }
    self.key = key
  }

  /// A value is the key, a colon and the text.
  func opened(_ value: String) throws -> String {
    guard value.hasPrefix(key + ":") else { throw WrongKey() }
    return String(value.dropFirst(key.count + 1))
  }

  struct MissingKey: Error {}
  struct WrongKey: Error {}
}

extension OldWallet {
  static func photo(_ bytes: Data) -> Data? { bytes }
}
