import Foundation
import Testing

/// The verbs about the privacy manifest and the entitlements of an app.
@Suite struct AppStoreTests {
  private static let catalog = """
    localdata: 1
    catalog: A
    defaults: {owner: Team, security: none}
    keys:
      email:
        type: String
        domain: {appGroupUserDefaults: {identifier: group.com.example}}
        availability: phoneOnly
        privacy: {collected: true, linked: true, dataType: emailAddress, purposes: [appFunctionality]}
        description: Where receipts are sent to.
      steps:
        type: Int
        domain: userDefaults
        availability: watchOnly
        privacy: {collected: true, dataType: fitness, purposes: [appFunctionality]}
        description: How far the user walked today.

    """

  private func tool() throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Self.catalog)
    return tool
  }

  private func values(_ text: String) throws -> [String: Any] {
    let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    return try #require(list as? [String: Any])
  }

  @Test func aManifestIsWrittenOnceAndThenCurrent() throws {
    let tool = try tool()
    let printed = try tool.run("manifest")
    #expect(printed.code == 0)
    #expect(try values(printed.output).count == 3)
    let path = "App/PrivacyInfo.xcprivacy"
    try tool.write(
      path,
      "\u{FEFF}<plist version=\"1.0\">\r\n<dict>\r\n  <!-- Ours. -->\r\n  <key>A</key><true/>\r\n</dict>\r\n</plist>")

    let stale = try tool.run("manifest", "--into", path, "--check")
    #expect(stale.code == 1 && stale.output.contains("+++ \(path)"))
    #expect(try tool.run("doctor", "--manifest", path).code == 1)
    #expect(try tool.run("manifest", "--into", path).code == 0)
    let state = try tool.state(of: "App")
    let text = try tool.read(path)
    #expect(
      text.hasPrefix(
        "\u{FEFF}<plist version=\"1.0\">\r\n<dict>\r\n  <!-- Ours. -->\r\n  <key>A</key><true/>\r\n  <key>NSPrivacyCollected"
      ))
    #expect(text.hasSuffix("\r\n  </array>\r\n</dict>\r\n</plist>"))
    #expect(try values(text)["NSPrivacyCollectedDataTypes"] as? [[String: Any]] != nil)

    #expect(try tool.run("manifest", "--into", path).code == 0)
    #expect(try tool.run("manifest", "--into", path, "--check").code == 0)
    let doctor = try tool.run("doctor", "--manifest", path)
    #expect(doctor.code == 0 && doctor.output == "no findings in 1 file\n")
    #expect(try tool.state(of: "App") == state, "an up-to-date file is not written again")
    #expect(tool.files(in: "App") == ["PrivacyInfo.xcprivacy"])
  }

  @Test func aMissingManifestIsCreated() throws {
    let tool = try tool()
    #expect(try tool.run("manifest", "--into", "New.xcprivacy").code == 0)
    #expect(try tool.read("New.xcprivacy") == tool.run("manifest").output)
    #expect(try tool.run("manifest", "--into", "None/New.xcprivacy").code == 3)
    #expect(try tool.run("manifest", "--into", "Catalogs").code == 2)
    #expect(try tool.run("manifest", "--into", "Catalogs/A.yaml").code == 2)
    #expect(try tool.read("Catalogs/A.yaml") == Self.catalog)
  }

  @Test(arguments: ["phone": "EmailAddress", "watch": "Fitness"].sorted { $0.key < $1.key })
  func theManifestOfAPlatform(platform: String, type: String) throws {
    let result = try tool().run("manifest", "--platform", platform)
    let types = try values(result.output)["NSPrivacyCollectedDataTypes"] as? [[String: Any]]
    #expect(
      types?.map { $0["NSPrivacyCollectedDataType"] as? String } == ["NSPrivacyCollectedDataType\(type)"])
  }

  @Test(arguments: [
    ("<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>", ":1:33: error: 'a' is in a <dict> twice"),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><plist><dict/></plist>", ":1:1: error: the document type declares something"),
    ("<plist><dict><key>NSPrivacyTracking</key><string/></dict></plist>", ":1:42: error: 'NSPrivacyTracking' is a"),
    ("bplist00", "convert it with `plutil -convert xml1 FILE`"), ("", ":1:1: error: this is not a property list"),
    (String(repeating: "<plist>", count: 50_000), "error:"),
  ])
  func aFileThatIsNotUnderstoodIsUnchanged(text: String, message: String) throws {
    let tool = try tool()
    try tool.write("App/A.plist", text)
    let state = try tool.state(of: "App")
    let merged = try tool.run("manifest", "--into", "App/A.plist")
    #expect(merged.code == 1 && merged.errors.contains(message), "\(merged.errors)")
    let doctor = try tool.run("doctor", "--manifest", "App/A.plist")
    #expect(doctor.code == 1 && doctor.output.contains(message), "\(doctor.output)")
    #expect(try tool.state(of: "App") == state)
  }

  @Test func findingsInEveryForm() throws {
    let tool = try tool()
    try tool.write("P.xcprivacy", "<plist><dict/></plist>")
    try tool.write("A.entitlements", "<plist><dict/></plist>")
    let arguments = ["doctor", "--manifest", "P.xcprivacy", "--entitlements", "A.entitlements"]
    let text = try tool.start(arguments).finish()
    #expect(text.code == 1)
    #expect(text.output.contains("does not name the group 'group.com.example' [missing-entitlement]"))
    #expect(text.output.contains("note: declared by 'email'"))
    #expect(text.output.hasSuffix("6 errors in 2 files\n"), "\(text.output)")
    let json = try tool.start(arguments + ["--format", "json"]).finish()
    let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let findings = try #require(report?["findings"] as? [[String: Any]])
    #expect(json.code == 1 && findings.count == 6)
    #expect(
      Set(findings.compactMap { $0["rule"] as? String }) == [
        "undeclared-data", "undeclared-reason", "missing-entitlement",
      ])
    #expect(findings.allSatisfy { $0["line"] as? Int == 1 && $0["column"] as? Int == 8 })
    let sarif = try tool.start(arguments + ["--format", "sarif"]).finish()
    #expect(sarif.output.contains("\"id\": \"missing-entitlement\""))
    #expect(try tool.run("explain", "missing-entitlement").code == 0)
  }

  @Test func theEntitlementsThatAreMissing() throws {
    let tool = try tool()
    let fragment = try tool.run("entitlements")
    #expect(fragment.code == 0 && fragment.output.contains("<string>group.com.example</string>"))
    try tool.write("App.entitlements", "<plist><dict>\n\(fragment.output)</dict></plist>")
    #expect(try tool.run("doctor", "--entitlements", "App.entitlements").output == "no findings in 1 file\n")
    #expect(try tool.run("entitlements", "--platform", "watch").output == "")
  }

  @Test func fastlanesFile() throws {
    let tool = try tool()
    let path = "app_privacy_details.json"
    #expect(try tool.run("manifest", "--format", "fastlane", "--output", path).code == 0)
    let text = try tool.read(path)
    #expect(text.contains("\"category\": \"EMAIL_ADDRESS\"") && text.contains("\"category\": \"FITNESS\""))
    #expect(try tool.run("manifest", "--format", "fastlane", "--output", path, "--check").code == 0)
    try tool.write("Catalogs/A.yaml", Self.catalog.replacing("fitness", with: "hands"))
    let unnamed = try tool.run("manifest", "--format", "fastlane", "--output", path)
    #expect(unnamed.code == 1 && unnamed.errors.contains("fastlane has no name for the data type 'hands'"))
    #expect(try tool.read(path) == text)
  }

  @Test(arguments: [
    ["doctor"], ["manifest", "--check"], ["manifest", "--into", "a", "--output", "b"], ["manifest", "--into", ""],
    ["manifest", "--into", "a", "--format", "fastlane"], ["manifest", "--platform", "tv"],
    ["doctor", "--manifest", ""],
    ["entitlements", "--app-group", ""],
  ])
  func wrongUse(arguments: [String]) throws {
    let tool = try tool()
    #expect(try tool.start(arguments).finish().code == 2)
    #expect(tool.files() == ["Catalogs/A.yaml"])
  }

  @Test func filesThatAreMissing() throws {
    let result = try tool().run("doctor", "--manifest", "None.xcprivacy")
    #expect(result.code == 3 && result.errors.contains("there is no file 'None.xcprivacy'"))
  }
}
