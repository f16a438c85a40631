import Foundation

/// Functions of the apps that the catalogs name.
nonisolated enum Computed {
  private struct UnknownWord: Error {}

  /// The language of the user.
  static var language: String { ProcessInfo.processInfo.environment["LANG"] ?? "en" }

  /// The region of the user.
  static var region: String { ProcessInfo.processInfo.environment["LC_ALL"] ?? "US" }

  /// The name of the device.
  static var deviceName: String { ProcessInfo.processInfo.processName }

  /// Returns the choice that an earlier release has stored in any case.
  static func fillMode(_ text: String) throws -> FillMode {
    guard let mode = FillMode.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
      throw UnknownWord()
    }
    return mode
  }
}
