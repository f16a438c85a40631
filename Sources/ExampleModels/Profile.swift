/// The signed-in user's profile: a type that the app wrote itself and a catalog names.
public struct Profile: Codable, Sendable, Hashable {
  /// What the user is called.
  public var name: String
  /// Where to write to, the preferred address first.
  public var emails: [String]
  /// The year of birth, if the user told it.
  public var birthYear: Int?

  /// Who uses the app without an account.
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
  /// What the user is called.
  public var name: String
  /// Where to write to; empty where there is no account.
  public var email: String
  /// The year of birth, if the user told it.
  public var birthYear: Int?

  /// A profile of that time.
  public init(name: String, email: String, birthYear: Int? = nil) {
    self.name = name
    self.email = email
    self.birthYear = birthYear
  }

  /// What it has become.
  public static func upgraded(_ old: ProfileV1) -> Profile {
    Profile(name: old.name, emails: old.email.isEmpty ? [] : [old.email], birthYear: old.birthYear)
  }
}
