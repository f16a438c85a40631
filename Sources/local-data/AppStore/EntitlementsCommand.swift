import LocalDataFiles
import ArgumentParser
import LocalDataDocuments
import LocalDataSyntax

/// `entitlements`: the app groups and the keychain access groups that the catalogs name.
struct EntitlementsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entitlements",
    abstract: "Print the app groups and keychain access groups that the app has to be entitled to.",
    discussion: """
      The text is to be pasted into the dictionary of the app's file .entitlements. `doctor --entitlements` says what is \
      missing in that file.
      """)

  @OptionGroup var catalogs: CatalogArguments

  @OptionGroup var group: AppGroupOption

  @OptionGroup var platform: PlatformOption

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = FindingsFormat.text

  func run() throws {
    let resolved = platform.select(from: try catalogs.resolved(diagnostics: diagnostics).allCatalogs)
    let entitlements = Entitlements(resolved, configured: group.appGroup)
    if let text = entitlements.unnamedText {
      Terminal.writeError("local-data: note: \(SafeText.escaped(text)); name the group with --app-group\n")
    }
    try Terminal.write(entitlements.fragment)
  }
}

/// The app group of keys whose domain names none.
struct AppGroupOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The app group that the app configures for keys whose domain names none.", valueName: "identifier"))
  var appGroup: String?

  func validate() throws {
    guard appGroup?.isEmpty == true else { return }
    throw ValidationError("'--app-group' needs an identifier, for example: --app-group group.com.example.app")
  }
}
