/// The signed-in user's profile: a type that the app wrote itself and a catalog names.
public struct Profile: Codable, Sendable, Hashable {
  /// The name of the user.
  public var name: String
  /// The email addresses, the preferred one first.
  public var emails: [String]
  /// The year of birth, if it is known.
  public var birthYear: Int?

  /// The profile of users without an account.
  public static let guest = Profile(name: "Guest", emails: [])

  /// A profile.
  public init(name: String, emails: [String], birthYear: Int? = nil) {
    self.name = name
    self.emails = emails
    self.birthYear = birthYear
  }
}

/// The profile of releases before 2.0, which knew one address of a user.
public struct ProfileV1: Codable, Sendable, Hashable {
  /// The name of the user.
  public var name: String
  /// The email address; empty if there is no account.
  public var email: String
  /// The year of birth, if it is known.
  public var birthYear: Int?

  /// A profile of that time.
  public init(name: String, email: String, birthYear: Int? = nil) {
    self.name = name
    self.email = email
    self.birthYear = birthYear
  }

  /// Returns the profile that an old one becomes.
  public static func upgraded(_ old: ProfileV1) -> Profile {
    Profile(name: old.name, emails: old.email.isEmpty ? [] : [old.email], birthYear: old.birthYear)
  }
}
