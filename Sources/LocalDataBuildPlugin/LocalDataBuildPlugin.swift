import Foundation
import PackagePlugin

/// Generates the typed keys of a target while it is built.
///
/// The catalogs are those in the folder of the target. If there are none, they are those in the folder `Catalogs` of the
/// package.
///
/// One command generates all files of a target, because types of one catalog can be used in the others: a change of one
/// catalog can change the output of another. The tool does not touch outputs whose bytes stay the same, and so the
/// compiler sees only the files that have changed. The audit documents are written by `local-data generate`.
@main
struct LocalDataBuildPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folders = [target.directoryURL, context.package.directoryURL.appending(path: "Catalogs")]
    let sources = (target as? any SourceModuleTarget)?.sourceFiles.map(\.url) ?? []
    return try commands(
      CatalogFolder.first(of: folders), besides: sources,
      tool: tool(work: context.pluginWorkDirectoryURL) { try context.tool(named: "local-data-generate").url },
      work: context.pluginWorkDirectoryURL,
      target: target.name)
  }

  /// Returns the installed tool, or the one that SwiftPM has for the plugin.
  ///
  /// If SwiftPM compiles it, the first build says how to avoid that.
  ///
  /// - Parameter work: The plugin's folder for one target.
  private func tool(work: URL, ofPackage find: () throws -> URL) throws -> URL {
    if let tool = try InstalledTool.url() { return tool }
    let tool = try find()
    if !tool.pathComponents.contains(where: { $0.hasSuffix(".artifactbundle") }) { adviseOnce(work: work) }
    return tool
  }

  private func adviseOnce(work: URL) {
    // The folder of the package, which a sandbox may refuse, and then that of the target.
    for folder in [work.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent(), work] {
      let mark = folder.appending(path: ".compiled-tool")
      if FileManager.default.fileExists(atPath: mark.path) { return }
      guard (try? Data().write(to: mark, options: .withoutOverwriting)) != nil else { continue }
      return Diagnostics.warning(
        "this build compiles the tool local-data, which takes a minute or more: use the plugins of the package LocalDataPlugins, "
          + "which has it compiled, or set LOCALDATA_TOOL to an installed tool (see LocalData's page Tool)")
    }
  }

  /// - Parameter sources: The files of the target.
  private func commands(
    _ catalogs: CatalogFolder?, besides sources: [URL], tool: URL, work: URL, target: String
  ) throws -> [Command] {
    guard let catalogs else {
      Diagnostics.error(
        "target '\(target)' has no catalogs: add .yaml files to a folder named Catalogs in the target or the package")
      return []
    }
    let outputs = catalogs.baseNames.map { "\($0).keys.swift" }
    if let other = sources.first(where: { outputs.contains($0.lastPathComponent) }) {
      // The build fails, because two files have one name. The command plugin still runs.
      Diagnostics.warning(
        "'\(other.path)' has keys that the plugin generates: remove the file, or the plugin of target '\(target)'")
    }
    return [
      .buildCommand(
        displayName: "Generating keys for \(target)",
        executable: tool,
        arguments: [
          "generate", catalogs.url.path, "--output", work.path, "--swift-only", "--quiet", "--diagnostics", "xcode",
        ],
        inputFiles: catalogs.files + catalogs.releases,
        outputFiles: outputs.map { work.appending(path: $0) })
    ]
  }
}

/// A folder with catalogs, searched as the tool does: in a folder named Catalogs every .yaml file is a catalog, elsewhere
/// every .catalog.yaml file.
private struct CatalogFolder {
  let url: URL
  private(set) var files: [URL] = []
  /// The snapshots of releases, which today's catalogs are compared with.
  private(set) var releases: [URL] = []

  /// Returns the first folder that contains a catalog.
  static func first(of urls: [URL]) throws -> CatalogFolder? {
    for url in urls {
      let folder = try CatalogFolder(url)
      if !folder.files.isEmpty { return folder }
    }
    return nil
  }

  private init(_ url: URL) throws {
    self.url = url
    try search(url, isCatalogs: url.pathComponents.contains("Catalogs"))
    files.sort { $0.path < $1.path }
    releases.sort { $0.path < $1.path }
  }

  private mutating func search(_ folder: URL, isCatalogs: Bool) throws {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    let keys: Set<URLResourceKey> = [.isDirectoryKey, .isSymbolicLinkKey]
    let contents = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: Array(keys), options: .skipsHiddenFiles)
    for item in contents {
      let values = try item.resourceValues(forKeys: keys)
      let name = item.lastPathComponent
      if values.isDirectory == true, values.isSymbolicLink != true {
        try search(item, isCatalogs: isCatalogs || name == "Catalogs")
      } else if name.hasSuffix(isCatalogs ? ".yaml" : ".catalog.yaml") {
        files.append(item)
      } else if folder.lastPathComponent == "Releases", name.hasSuffix(".json") {
        releases.append(item)
      }
    }
  }

  /// The names of the outputs: the names of the files without `.catalog` and `.yaml`, each once.
  var baseNames: [String] {
    let names = files.map { file in
      let name = file.deletingPathExtension()
      return name.pathExtension == "catalog" ? name.deletingPathExtension().lastPathComponent : name.lastPathComponent
    }
    return Set(names).sorted()
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension LocalDataBuildPlugin: XcodeBuildToolPlugin {
    /// Targets of an Xcode project have no folder. The catalogs are those in the folder `<target>` of the project, or in
    /// its folder `Catalogs`.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let project = context.xcodeProject.directoryURL
      let folders = [target.displayName, "Catalogs"].map { project.appending(path: $0) }
      return try commands(
        CatalogFolder.first(of: folders), besides: [],
        tool: tool(work: context.pluginWorkDirectoryURL) { try context.tool(named: "local-data-generate").url },
        work: context.pluginWorkDirectoryURL,
        target: target.displayName)
    }
  }
#endif
