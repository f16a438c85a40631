/// How long a value is kept.
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

  /// What `until` takes.
  public enum End: String, Sendable, Hashable, Codable, CaseIterable {
    case relaunch, reinstall
  }

  /// The units of a duration, with their length in seconds.
  public static let units: [(symbol: String, seconds: Int)] = [
    ("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  /// A duration as a catalog writes it, in the largest unit that divides it: `90d`, `1h`.
  public static func text(seconds: Int) -> String {
    let unit = units.first { seconds.isMultiple(of: $0.seconds) } ?? ("s", 1)
    return "\(seconds / unit.seconds)\(unit.symbol)"
  }
}

/// Written as in a catalog: `{"maxAge": "90d"}`, `{"until": "relaunch"}`.
extension Retention: Codable {
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    let text: String = try form.payload()
    switch (form.kind, text) {
    case (.until, "relaunch"): self = .untilRelaunch
    case (.until, "reinstall"): self = .untilReinstall
    case (.maxAge, _):
      guard let unit = Self.units.first(where: { text.hasSuffix($0.symbol) }),
        let count = Int(text.dropLast()), count > 0
      else { fallthrough }
      self = .maxAge(seconds: count * unit.seconds)
    default:
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "Not a retention."))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .maxAge(let seconds): try CaseForm.encode(Kind.maxAge, Self.text(seconds: seconds), to: encoder)
    case .untilRelaunch: try CaseForm.encode(Kind.until, "relaunch", to: encoder)
    case .untilReinstall: try CaseForm.encode(Kind.until, "reinstall", to: encoder)
    }
  }
}
