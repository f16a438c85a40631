import Foundation
import PackagePlugin

/// Generates the typed keys and audit documents of targets ahead of time, in the folder `Generated` of each target:
///
///     swift package --allow-writing-to-package-directory generate-local-data --target App
///
/// Without `--target`, these are all targets with a folder named Catalogs. Other arguments are passed to
/// `local-data generate`, for example `--check`.
@main
struct LocalDataGenerate: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let targets = try context.package.targets(named: names).map { Place(name: $0.name, folder: $0.directoryURL) }
    let all = context.package.targets.map { Place(name: $0.name, folder: $0.directoryURL) }
    try generate(
      names.isEmpty ? all.filter(\.hasCatalogs) : targets, catalogs: context.package.directoryURL,
      tool: InstalledTool.url() ?? context.tool(named: "local-data").url, arguments: extractor.remainingArguments)
  }

  /// A target and its folder.
  private struct Place {
    var name: String
    var folder: URL

    var catalogs: URL { folder.appending(path: "Catalogs") }
    var hasCatalogs: Bool { FileManager.default.fileExists(atPath: catalogs.path) }
  }

  private func generate(_ targets: [Place], catalogs package: URL, tool: URL, arguments: [String]) throws {
    if targets.isEmpty {
      Diagnostics.error("no target has a folder named Catalogs; name the target, for example: --target App")
    }
    for target in targets {
      let catalogs = target.hasCatalogs ? target.catalogs : package.appending(path: "Catalogs")
      let output = target.folder.appending(path: "Generated")
      let process = Process()
      process.executableURL = tool
      process.currentDirectoryURL = package
      process.arguments = ["generate", catalogs.path, "--output", output.path, "--diagnostics", "xcode"] + arguments
      try process.run()
      process.waitUntilExit()
      if process.terminationStatus != 0 {
        Diagnostics.error("the keys of target '\(target.name)' were not generated")
      }
    }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension LocalDataGenerate: XcodeCommandPlugin {
    /// Xcode passes the names of the selected targets. Targets of an Xcode project have no folder: outputs go to the
    /// folder `<target>/Generated` of the project.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      var extractor = ArgumentExtractor(arguments)
      let names = extractor.extractOption(named: "target")
      let project = context.xcodeProject.directoryURL
      let all = context.xcodeProject.targets.map {
        Place(name: $0.displayName, folder: project.appending(path: $0.displayName))
      }
      try generate(
        names.isEmpty ? all.filter(\.hasCatalogs) : all.filter { names.contains($0.name) }, catalogs: project,
        tool: InstalledTool.url() ?? context.tool(named: "local-data").url, arguments: extractor.remainingArguments)
    }
  }
#endif
