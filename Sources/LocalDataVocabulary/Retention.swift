/// The time for which a value is kept.
public enum Retention: Sendable, Hashable {
  /// So many seconds from its last writing.
  case maxAge(seconds: Int)
  /// Until the app is launched again.
  case untilRelaunch
  /// Until the app is installed again: for the keychain, which outlives an uninstall.
  case untilReinstall

  /// The fields of a retention in a catalog.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case maxAge, until
  }

  /// The values of `until`.
  public enum End: String, Sendable, Hashable, Codable, CaseIterable {
    case relaunch, reinstall
  }
}
