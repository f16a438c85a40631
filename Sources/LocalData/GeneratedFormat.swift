public import StorageVocabulary

import Foundation

/// The version of what generated code and the runtime agree on.
///
/// Generated code names the version that it was written for, so that it no longer compiles against a runtime that has
/// dropped it.
@_spi(Generated) public enum GeneratedFormat: Sendable {
  case version1

  /// The descriptors of a generated catalog, from the JSON that stands in it.
  ///
  /// A catalog is written whole by the generator; a list that does not decode was edited by hand, and is empty outside
  /// debug builds, where it stops the program.
  public func descriptors(_ json: String) -> [StorageKeyDescriptor] { decode(json) }

  /// The reserved names of a generated catalog, from the JSON that stands in it.
  public func reservedNames(_ json: String) -> [StorageReservedName] { decode(json) }

  private func decode<Row: Decodable>(_ json: String) -> [Row] {
    do {
      return try JSONDecoder().decode([Row].self, from: Data(json.utf8))
    } catch {
      assertionFailure("The generated catalog was changed by hand: \(error)")
      return []
    }
  }
}
