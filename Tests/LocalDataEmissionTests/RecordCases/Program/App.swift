// The declarations of the app that the cases name.

import Foundation

public nonisolated struct EveryNote: Codable, Hashable, Sendable {
  public var text: String

  public init(text: String) { self.text = text }

  public static var first: EveryNote { EveryNote(text: "first") }
  public static var part: EveryPart { EveryPart(name: "part") }
  public static var parts: [EveryPart] { [part] }
}

/// The transforms of the trips.
nonisolated enum Trips {
  struct NoTexts: Error {}

  static func summary(_ texts: [String], _ sizes: Set<Int>?, _ kind: TripKind) throws -> String? {
    if texts.isEmpty { throw NoTexts() }
    return sizes.map { "\(texts.joined()) \($0.sorted()) \(kind.rawValue)" }
  }

  static func reversed(_ stops: [TripStop]) -> [TripStop] { stops.reversed() }
  static func next(_ date: Date) -> Date { date.addingTimeInterval(1) }
  static func secret(_ secret: String, _ codes: [String: Int], _ place: TripStop?) throws -> String {
    "\(secret) \(codes["a"] ?? 0) \(place?.name ?? "nowhere")"
  }
  static func sizes(_ sizes: Set<Int>?) -> Set<Int> { sizes ?? [] }
  static func note(_ note: Double?) -> Double { note ?? -1 }
  static func kinds(_ kind: TripKind) -> [TripKind]? { [kind, kind] }
}
