/// The harm that a value does in the wrong hands, for audits.
public enum Sensitivity: String, Sendable, Hashable, Codable, CaseIterable {
  case `public`, `internal`, personal, health, financial, credential
}
