import LocalDataFiles
import ArgumentParser
import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax

/// `manifest`: the privacy manifest of the app, and the answers about privacy for fastlane.
struct ManifestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manifest", abstract: "Write what the catalogs declare into the privacy manifest of the app.",
    discussion: """
      The manifest gets an entry for each collected type of data, and a reason for each API that the declared domains use. \
      What the file has beside them is not changed, to the byte. Without a path, a new manifest is printed.
      """)

  /// The forms of the document.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case xcprivacy
    /// `app_privacy_details.json` of the action upload_app_privacy_details_to_app_store.
    case fastlane
  }

  @OptionGroup var catalogs: CatalogArguments

  @Option(help: "The form of the document.")
  var format = Format.xcprivacy

  @Option(
    help: ArgumentHelp(
      "The privacy manifest to add the entries to. It is created if it is missing.", valueName: "file"),
    completion: .file(extensions: ["xcprivacy"]))
  var into: String?

  @Option(
    name: .shortAndLong, help: "The file to write the whole document to (default: standard output).",
    completion: .file())
  var output: String?

  @Flag(help: "Write nothing; print a diff and exit with 1 if the file is stale.")
  var check = false

  @OptionGroup var platform: PlatformOption

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = FindingsFormat.text

  func validate() throws {
    try checkPath(into, of: "--into")
    try checkPath(output, of: "--output")
    if into != nil, output != nil { throw ValidationError("'--into' and '--output' cannot be combined.") }
    if into != nil, format != .xcprivacy {
      throw ValidationError("'--into' is for privacy manifests. Write fastlane's file with '--output'.")
    }
    if check, into == nil, output == nil { throw ValidationError("'--check' needs '--into' or '--output'.") }
  }

  func run() throws {
    let all = try catalogs.resolved(diagnostics: diagnostics).allCatalogs
    let selected = platform.select(from: all)
    guard let path = into ?? output else { return try Terminal.write(try document(of: selected)) }
    try catalogs.checkIsNoInput(path, all)
    let file = try AppFile.readIfPresent(path)
    let new = into == nil ? try document(of: selected) : try merged(file, selected)
    // Git may have changed the line ends of a document that is written as a whole.
    if file.bytes?.withLineFeeds != new.withLineFeeds { try write(new, over: file) }
  }

  /// Returns the document as a whole.
  private func document(of catalogs: [ResolvedCatalog]) throws -> [UInt8] {
    switch format {
    case .xcprivacy: return try merged(AppFile(path: "PrivacyInfo.xcprivacy"), catalogs)
    case .fastlane:
      let details = PrivacyDetails(catalogs)
      if let first = details.unnamed.first {
        throw ToolFailure(
          .findings,
          "fastlane has no name for the data type '\(first.dataType)', which is declared by \(first.members)",
          help: "answer the questions of App Store Connect on its page")
      }
      return Array(details.json.utf8)
    }
  }

  /// Returns a manifest with what is missing. Prints what the tool cannot add.
  private func merged(_ file: AppFile, _ selected: [ResolvedCatalog]) throws -> [UInt8] {
    let findings: [Diagnostic]
    var text: [UInt8] = []
    do throws(PropertyListFailure) {
      text = try ManifestComparison(try file.propertyList(orNew: NewManifest.text), with: selected).merged
      // The result is read again: it is written only if nothing is missing in it.
      let again = try PropertyListReader.read(SourceFile(path: file.path, bytes: text))
      findings = try ManifestComparison(again, with: selected).findings
    } catch {
      findings = [error.finding]
    }
    try report(findings)
    return file.encoded(text)
  }

  private func report(_ findings: [Diagnostic]) throws {
    let report = try FindingsReport(findings, inFiles: 1, of: 0, catalogs)
    guard !report.findings.isEmpty else { return }
    GeneratorPipeline.printToError(report, as: diagnostics, isColored: catalogs.isColored(on: .error))
    if report.hasErrors { throw ToolExit.findings }
  }

  private func write(_ bytes: [UInt8], over file: AppFile) throws {
    guard check else { return try DocumentFile.write(bytes, to: file.path) }
    let difference = UnifiedDiff.write(old: file.bytes, new: bytes, path: file.path)
    try Terminal.write(SafeText.lines(String(decoding: difference, as: UTF8.self)))
    throw ToolExit.findings
  }
}

/// The device whose app a verb is about.
struct PlatformOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The keys that exist on 'phone' (all systems but watchOS) or on 'watch' (default: all keys).",
      valueName: "platform"))
  var platform: AppPlatform?

  func select(from catalogs: [ResolvedCatalog]) -> [ResolvedCatalog] { platform.map(catalogs.on) ?? catalogs }
}

extension AppPlatform: ExpressibleByArgument {}
