package import Foundation

/// The products of the build that runs this test.
package enum BuiltProducts {
  /// The folder of the executables. The test's own executable is there; on Apple's platforms it is inside a bundle.
  package static let folder: URL = {
    if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
      return bundle.bundleURL.deletingLastPathComponent()
    }
    let path = CommandLine.arguments.first ?? ""
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? path
    return URL(fileURLWithPath: own).deletingLastPathComponent()
  }()

  /// The arguments with which the compiler finds the modules of the package: the built ones, and the C modules of the runtime.
  package static var moduleArguments: [String] {
    let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Sources").standardizedFileURL
    let maps = ["CLocalDataLinux", "CLocalDataSQLite"].map { "\(sources.path)/\($0)/module.modulemap" }
    return ["-I", folder.appendingPathComponent("Modules").path] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }

  package static func executable(_ name: String) -> URL { folder.appendingPathComponent(name) }
}
