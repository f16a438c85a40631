/// The signed-in user's profile: a type that the app wrote itself and a catalog names.
public struct Profile: Codable, Sendable, Hashable {
  /// What the user is called.
  public var name: String
  /// Where to write to.
  public var email: String
  /// The year of birth, if the user told it.
  public var birthYear: Int?

  /// Who uses the app without an account.
  public static let guest = Profile(name: "Guest", email: "")

  /// A profile.
  public init(name: String, email: String, birthYear: Int? = nil) {
    self.name = name
    self.email = email
    self.birthYear = birthYear
  }
}
