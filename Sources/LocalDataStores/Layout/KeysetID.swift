import LocalDataVocabulary

/// The keys that encrypt a container's values: the app's own, or those of an app group.
package enum KeysetID: Hashable, Sendable {
  case app
  case group(identifier: String)

  /// Creates the keyset of a container. Values in an app group are for all members of the group.
  package init(of container: StorageContainer) {
    let group = container.domain.kind.isAppGroup ? container.domain.fields.identifier : nil
    self = group.map { .group(identifier: $0) } ?? .app
  }

  /// The identifier of the app group, or `nil` for the keys of the app.
  package var group: String? { if case .group(let identifier) = self { identifier } else { nil } }

  /// Returns the container of a directory of the app or of the group.
  func container(_ directory: FileDirectory) -> StorageContainer {
    group.map { .groupDirectory(identifier: $0, directory) } ?? .directory(directory)
  }
}
