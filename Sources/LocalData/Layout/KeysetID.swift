/// Which keys seal a value: the app's own, or an app group's.
package enum KeysetID: Hashable, Sendable {
  case app
  case group(identifier: String)

  /// The keyset of what lies in a container: what lies in an app group is for all its members.
  package init(of container: StorageContainer) {
    self =
      switch container {
      case .groupPreferences(let identifier), .groupDirectory(let identifier, _): .group(identifier: identifier)
      case .preferences, .keychain, .directory: .app
      }
  }
}
