/// How much harm a value does in the wrong hands, for the audit and the privacy manifest.
public enum Sensitivity: String, Sendable, Hashable, Codable, CaseIterable {
  case `public`, `internal`, personal, health, financial, credential
}
