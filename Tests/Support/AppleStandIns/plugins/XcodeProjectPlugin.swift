// The part of Xcode's module XcodeProjectPlugin that the plugins use. It works: a test fills in the project.
public import Foundation
@_spi(PackagePluginInternal) public import PackagePlugin

public protocol XcodeBuildToolPlugin: BuildToolPlugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

public protocol XcodeCommandPlugin: CommandPlugin {
  func performCommand(context: XcodePluginContext, arguments: [String]) throws
}

public struct XcodePluginContext {
  public let xcodeProject: XcodeProject
  public let pluginWorkDirectoryURL: URL
  private let tools: [String: URL]

  public func tool(named name: String) throws -> PluginContext.Tool {
    guard let url = tools[name] else { throw PluginContextError.toolNotFound(name: name) }
    return PluginContext.Tool(name: name, path: Path(url.path), url: url)
  }
}

public struct XcodeProject {
  public let displayName: String
  public let directoryURL: URL
  public let targets: [XcodeTarget]
}

public struct XcodeTarget {
  public let displayName: String
}

// What Xcode fills in.

extension XcodePluginContext {
  package init(project: URL, targets: [String], workDirectory: URL, tools: [String: URL]) {
    xcodeProject = XcodeProject(
      displayName: project.lastPathComponent, directoryURL: project, targets: targets.map(XcodeTarget.init))
    pluginWorkDirectoryURL = workDirectory
    self.tools = tools
  }
}
