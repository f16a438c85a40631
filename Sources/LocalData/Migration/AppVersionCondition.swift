/// A condition on the version of the running app: `.below(2, 0, 0)`.
///
/// Versions are dotted integers, compared part by part; parts that are missing count as 0, so that 2 and 2.0.0 are one.
public struct AppVersionCondition: Sendable, Hashable {
  private enum Comparison: Sendable, Hashable {
    case below, atMost, exactly, atLeast, above
  }

  private let comparison: Comparison
  private let version: [Int]

  /// `<`
  public static func below(_ version: Int...) -> Self { Self(comparison: .below, version: version) }
  /// `<=`
  public static func atMost(_ version: Int...) -> Self { Self(comparison: .atMost, version: version) }
  /// `=`
  public static func exactly(_ version: Int...) -> Self { Self(comparison: .exactly, version: version) }
  /// `>=`
  public static func atLeast(_ version: Int...) -> Self { Self(comparison: .atLeast, version: version) }
  /// `>`
  public static func above(_ version: Int...) -> Self { Self(comparison: .above, version: version) }

  /// Whether it holds of a version; `nil` where that does not begin with dotted integers.
  func holds(of text: String) -> Bool? {
    guard let running = Self.parts(of: text) else { return nil }
    let count = max(running.count, version.count)
    func padded(_ parts: [Int]) -> [Int] { parts + Array(repeating: 0, count: count - parts.count) }
    let (left, right) = (padded(running), padded(version))
    let isBelow = left.lexicographicallyPrecedes(right)
    return switch comparison {
    case .below: isBelow
    case .atMost: isBelow || left == right
    case .exactly: left == right
    case .atLeast: !isBelow
    case .above: !isBelow && left != right
    }
  }

  /// The integers that a version begins with: 2 and 1 of `2.1-beta.3`.
  private static func parts(of text: String) -> [Int]? {
    let release = text.utf8.prefix { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let parts = release.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) }
    guard parts.allSatisfy({ $0 != nil }) else { return nil }
    return parts.compactMap(\.self)
  }
}
