import LocalDataModel
import LocalDataSyntax
import LocalDataFiles

/// The tool of the build plugin, which writes the Swift files of one folder of catalogs:
///
///     local-data-generate generate FOLDER --output FOLDER --swift-only --quiet --diagnostics xcode
///
/// SwiftPM compiles this tool for every app whose build generates its keys, and nothing of `local-data`. It takes these
/// arguments in this order and no others. `local-data` takes them too, and does the same.
@main
enum LocalDataGenerateTool {
  static func main() {
    Terminal.ignoreClosedPipes()
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let failure as ToolFailure {
      Terminal.writeError(failure.text)
      Terminal.exit(failure.code)
    } catch {
      Terminal.exit(error as? ToolExit ?? .cannotReadOrWrite)
    }
  }

  private static func run(_ arguments: [String]) throws {
    guard arguments.count == 8, arguments[0] == "generate", arguments[2] == "--output", !arguments[3].isEmpty,
      arguments[4...] == ["--swift-only", "--quiet", "--diagnostics", "xcode"]
    else {
      throw ToolFailure(
        .wrongUse, "this tool takes the arguments of the build plugin alone",
        help: "local-data-generate generate FOLDER --output FOLDER --swift-only --quiet --diagnostics xcode")
    }
    try generate(arguments[1], to: arguments[3])
  }

  private static func generate(_ catalogs: String, to output: String) throws {
    let project = try ProjectFile.read(nil)
    let pass = FindingsPass(severities: project.severities, today: .today)
    let checks = Checks(pass: pass, project: project, target: Project.Target(catalogs: [catalogs]))
    let folder = try OutputFolder(path: output, documents: nil, isOfBuildSystem: true)
    let selection = try CatalogFinder.find([catalogs])
    let sources = try GeneratorPipeline.read(selection)
    let resolution = try GeneratorPipeline.resolve(sources, checks, releasesBeside: selection)
    GeneratorPipeline.printToError(resolution.report, in: .xcode)
    guard let resolved = resolution.catalogs else { throw ToolExit.findings }
    let plan = try GeneratorPipeline.plan(GeneratorPipeline.emitSwift(resolved), of: selection, for: folder)
    try selection.checkExists(except: plan.lost)
    try folder.apply(plan)
    // The process ends here. To free ten thousand keys first would take a twentieth of its time.
    withExtendedLifetime(resolution) { Terminal.exit(.success) }
  }
}
