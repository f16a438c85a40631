import LocalDataFiles
import ArgumentParser
import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax

/// `doctor`: what is missing in the files of an app.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Compare the privacy manifest and the entitlements of the app with the catalogs.",
    discussion: "Entries that a file has beside the declared ones are no findings. Nothing is written.")

  @OptionGroup var catalogs: CatalogArguments

  @Option(
    help: ArgumentHelp("The privacy manifest of the app.", valueName: "file"),
    completion: .file(extensions: ["xcprivacy"]))
  var manifest: String?

  @Option(
    help: ArgumentHelp("The entitlements of the app.", valueName: "file"),
    completion: .file(extensions: ["entitlements"]))
  var entitlements: String?

  @OptionGroup var group: AppGroupOption

  @OptionGroup var platform: PlatformOption

  @Option(help: "The form of the findings.")
  var format = FindingsFormat.text

  @Option(help: "The form of findings about catalogs, on standard error.")
  var diagnostics = FindingsFormat.text

  func validate() throws {
    try checkPath(manifest, of: "--manifest")
    try checkPath(entitlements, of: "--entitlements")
    guard manifest != nil || entitlements != nil else {
      throw ValidationError("Name a file, for example: doctor --manifest App/PrivacyInfo.xcprivacy")
    }
  }

  func run() throws {
    let resolved = platform.select(from: try catalogs.resolved(diagnostics: diagnostics).allCatalogs)
    var findings: [Diagnostic] = []
    findings += try examine(manifest) { list throws(PropertyListFailure) in
      try ManifestComparison(list, with: resolved).findings
    }
    findings += try examine(entitlements) { list throws(PropertyListFailure) in
      try Entitlements(resolved, configured: group.appGroup).findings(in: list)
    }
    let files = [manifest, entitlements].count { $0 != nil }
    let report = try FindingsReport(findings, inFiles: files, of: resolved.count, catalogs)
    let isColored = catalogs.isColored(on: .output)
    try Terminal.write(format.render(report, isColored: isColored))
    if report.hasErrors { throw ToolExit.findings }
  }

  /// Returns the findings about a file. One that cannot be understood is a finding itself.
  private func examine(
    _ path: String?, _ compare: (PropertyList) throws(PropertyListFailure) -> [Diagnostic]
  ) throws -> [Diagnostic] {
    guard let path else { return [] }
    let file = try AppFile.read(path)
    do throws(PropertyListFailure) {
      return try compare(try file.propertyList())
    } catch {
      return [error.finding]
    }
  }
}
