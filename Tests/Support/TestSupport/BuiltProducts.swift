package import Foundation

/// What the build that runs this test has made.
package enum BuiltProducts {
  /// The folder of its executables: the test's own lies there, on Apple inside a bundle.
  package static let folder: URL = {
    if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
      return bundle.bundleURL.deletingLastPathComponent()
    }
    let path = CommandLine.arguments.first ?? ""
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? path
    return URL(fileURLWithPath: own).deletingLastPathComponent()
  }()

  package static func executable(_ name: String) -> URL { folder.appendingPathComponent(name) }
}
