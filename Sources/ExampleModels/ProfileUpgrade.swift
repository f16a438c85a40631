/// Profiles from what there was before them.
public enum ProfileUpgrade {
  /// The profile of a name and an address, of which either may be missing.
  public static func joined(_ name: String?, _ email: String?) -> Profile {
    Profile(name: name ?? Profile.guest.name, emails: email.map { [$0] } ?? Profile.guest.emails)
  }
}
