package import LocalDataSyntax

/// Rules that `doctor` compares the files of an app with. The checks are in LocalDataDocuments.
extension Rule {
  static let ofAppStore: [Rule] = [
    invalidPropertyList, undeclaredData, undeclaredReason, unpublishedName, missingEntitlement,
  ]

  package static let invalidPropertyList = Rule(
    "invalid-property-list", .appStore,
    "A privacy manifest or a list of entitlements is a property list in XML, with values of the types that Apple names.",
    why: "The tool changes or checks a file only if it understands all of it.", bad: nil,
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  package static let undeclaredData = Rule(
    "undeclared-data", .appStore,
    "The privacy manifest declares each type of data that `privacy` says is collected, and no weaker.",
    why: "The App Store would show users less than the app collects.", bad: nil,
    good: .keys(
      "email:\n  type: String\n  security: recommended\n"
        + "  privacy: {collected: true, dataType: emailAddress, purposes: [appFunctionality]}\n"
        + "  description: Where receipts are sent to."))

  package static let undeclaredReason = Rule(
    "undeclared-reason", .appStore,
    "The privacy manifest has a reason for each API that needs one and that the declared domains use.",
    why: "App Store Connect refuses an app without them (ITMS-91053).", bad: nil,
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  package static let unpublishedName = Rule(
    "unpublished-name", .appStore, .warning, "The privacy manifest has only names that Apple publishes.",
    why: "A misspelt name declares nothing, and App Store Connect refuses it.", bad: nil,
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"), isOfDeclaration: false)

  package static let missingEntitlement = Rule(
    "missing-entitlement", .appStore, "The app is entitled to each app group and access group that a domain names.",
    why: "Without the entitlement, every call on these keys fails.", bad: nil,
    good: .keys(
      "theme:\n  type: String\n  domain: {appGroupUserDefaults: {identifier: group.com.example}}\n"
        + "  description: The colour scheme the user chose."))
}
