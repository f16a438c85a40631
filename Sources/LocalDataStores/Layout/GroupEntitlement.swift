import LocalDataFoundation

#if os(macOS)
  internal import Security
#endif

/// The app groups that the process may use on macOS.
///
/// macOS returns a URL for the container of every app group, even if the app may not use the group. An app in the sandbox may
/// use only the groups of its entitlement. Another app may use every group, but from macOS 15 on the system asks the user
/// first.
struct GroupEntitlement: Sendable {
  var isSandboxed: Bool
  /// The identifiers of the entitlement `com.apple.security.application-groups`.
  var groups: [String]

  /// Returns false if the process certainly has no access to a group.
  func mayUse(_ identifier: String) -> Bool { !isSandboxed || groups.contains(identifier) }
}

#if os(macOS)
  extension GroupEntitlement {
    /// The entitlement of this process.
    static let current: GroupEntitlement = {
      func value(_ name: String) -> Any? {
        SecTaskCreateFromSelf(nil).flatMap { SecTaskCopyValueForEntitlement($0, name as CFString, nil) }
      }
      return GroupEntitlement(
        isSandboxed: value("com.apple.security.app-sandbox") as? Bool ?? false,
        groups: value("com.apple.security.application-groups") as? [String] ?? [])
    }()
  }
#endif
