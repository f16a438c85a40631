/// The keys that encrypt a container's values: the app's own, or those of an app group.
package enum KeysetID: Hashable, Sendable {
  case app
  case group(identifier: String)

  /// Creates the keyset of a container. Values in an app group are for all members of the group.
  package init(of container: StorageContainer) {
    self =
      switch container {
      case .groupPreferences(let identifier), .groupDirectory(let identifier, _): .group(identifier: identifier)
      case .preferences, .keychain, .directory: .app
      }
  }
}
