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

  // The list of the linker's inputs has this form on Linux.
  #if os(Linux)
    /// The objects of the runtime and of the sample's own types: those of the sample without its program and its keys, and
    /// those of further targets.
    package static func objects(and targets: [String] = []) throws -> [String] {
      let list = folder.appendingPathComponent("storage-sample.product/Objects.LinkFileList")
      let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
        .map { $0.trimmingCharacters(in: ["'"]) }
        .filter { !$0.contains("/storage_sample.build/") && !$0.contains("/ExampleKeys.build/") }
      let missing = targets.filter { target in !objects.contains { $0.contains("/\(target).build/") } }
      return try objects
        + missing.flatMap { target in
          try FileManager.default.contentsOfDirectory(
            at: folder.appendingPathComponent("\(target).build"), includingPropertiesForKeys: nil
          ).filter { $0.lastPathComponent.hasSuffix(".swift.o") }.map(\.path)
        }
    }
  #endif
}
