package import LocalData
package import LocalDataStores

/// The steps of another product before the first call of a launch on a database, and after its rows were removed.
public struct RecordOpening: Sendable {
  package typealias Opener = @Sendable (_ router: StorageRouter, _ address: StorageAddress) -> any RecordOpener

  package let opener: Opener

  package init(_ opener: @escaping Opener) { self.opener = opener }
}

/// The opening of one database of a router. See ``RecordOpening``.
package protocol RecordOpener: Sendable {
  /// A Boolean value that indicates whether the caller finds the database as it is.
  var isDone: Bool { get }

  func open(_ store: RecordStore) async throws(StorageError)

  /// Returns the notes that the database gets in `local_data` when its rows are removed, by their names.
  ///
  /// - Parameter kept: The records whose rows stay.
  func notesOfRemoval(besides kept: Set<String>) -> [String: String]

  func endRemoval(_ store: RecordStore) async throws(StorageError)
}
