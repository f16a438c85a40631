import Foundation

/// Values that several things have.
enum Sample {
  static let firstID = UUID(uuid: (0xAB, 0xCD, 0xEF, 1, 2, 3, 0x4A, 5, 0x8B, 6, 7, 8, 9, 0xA0, 0xB0, 0xC0))
  static let secondID = UUID(uuid: (0xFE, 0xDC, 0xBA, 9, 8, 7, 0x4F, 6, 0xBE, 5, 4, 3, 2, 1, 0, 0xFF))

  /// Dates with whole milliseconds.
  static let firstDate = Date(timeIntervalSince1970: 1_700_000_000)
  static let secondDate = Date(timeIntervalSince1970: 1_700_086_400.25)

  /// A date of whole seconds. Foundation on Linux reads dates in preferences anew without their fraction once a suite was used besides
  /// the app's own preferences.
  static let wholeDate = Date(timeIntervalSince1970: 1_700_086_400)
}
