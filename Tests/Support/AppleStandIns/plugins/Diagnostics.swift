// Compiled into each plugin. It hides PackagePlugin's Diagnostics, which traps without a connection to SwiftPM or Xcode.

/// The reports of a plugin, which are printed.
enum Diagnostics {
  static func error(_ message: String) { print("error: \(message)") }

  static func warning(_ message: String) { print("warning: \(message)") }
}
