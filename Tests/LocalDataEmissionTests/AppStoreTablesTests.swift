import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax
import Foundation
import Testing

/// The language, and everything that is written for the App Store, compared with the published names.
@Suite struct AppStoreTablesTests {
  @Test func theLanguageHasThePublishedNames() {
    #expect(ResolvedPrivacy.DataType.allCases.map(\.manifestName) == AppStoreTables.dataTypes.map(\.manifest))
    #expect(ResolvedPrivacy.Purpose.allCases.map(\.manifestName) == AppStoreTables.purposes.map(\.manifest))
  }

  @Test func namesAreDistinctAndWellFormed() throws {
    let manifest = AppStoreTables.dataTypes.map(\.manifest) + AppStoreTables.purposes.map(\.manifest)
    #expect(Set(manifest).count == manifest.count)
    let fastlane = (AppStoreTables.dataTypes + AppStoreTables.purposes).compactMap(\.fastlane)
    #expect(Set(fastlane).count == fastlane.count)
    for name in fastlane { #expect(name.wholeMatch(of: /[A-Z]+(_[A-Z]+)*/) != nil, "\(name)") }
    let codes = AppStoreTables.requiredReasons.flatMap(\.codes)
    #expect(Set(codes).count == codes.count)
    for code in codes { #expect(code.wholeMatch(of: /[0-9A-F]{4}\.1/) != nil, "\(code)") }
    for source in AppStoreTables.sources { #expect(source.hasPrefix("https://")) }
  }

  /// The names of fastlane belong to the same things: they differ from Apple's in case and words, for these alone.
  @Test func namesOfFastlaneStandForTheSame() {
    let renamed = [
      "OtherUserContactInfo": "OTHER_CONTACT_INFO", "PaymentInfo": "PAYMENT_INFORMATION",
      "CreditInfo": "CREDIT_AND_FRAUD", "AudioData": "AUDIO", "OtherDataTypes": "OTHER_DATA",
      "PurposeDeveloperAdvertising": "DEVELOPERS_ADVERTISING", "PurposeOther": "OTHER_PURPOSES",
    ]
    for name in AppStoreTables.dataTypes + AppStoreTables.purposes {
      guard let fastlane = name.fastlane else { continue }
      let apple = String(name.manifest.dropFirst("NSPrivacyCollectedDataType".count))
      let expected = renamed[apple] ?? apple.replacing("Purpose", with: "")
      #expect(
        fastlane.replacing("_", with: "").lowercased() == expected.replacing("_", with: "").lowercased(), "\(apple)")
    }
    let unnamed = AppStoreTables.dataTypes.filter { $0.fastlane == nil }.map(\.manifest)
    #expect(
      unnamed.map { $0.dropFirst("NSPrivacyCollectedDataType".count) } == ["EnvironmentScanning", "Hands", "Head"])
  }

  /// The package's own manifest has the reasons of all domains, and the tool reads it as Foundation does.
  @Test func theManifestOfThePackage() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/LocalData/PrivacyInfo.xcprivacy")
    let list = try PropertyListReader.read(
      SourceFile(path: "PrivacyInfo.xcprivacy", bytes: Array(try Data(contentsOf: path))))
    let reasons = StorageUse(Manifests.everything).reasons
    #expect(reasons.map(\.code) == ["CA92.1", "1C8F.1", "C617.1"])
    for reason in reasons {
      let published = AppStoreTables.requiredReasons.first { $0.category == reason.category }
      #expect(published?.codes.contains(reason.code) == true, "\(reason.code)")
    }
    let findings = try ManifestComparison(list, with: Manifests.everything).findings
    #expect(!findings.contains { ["undeclared-reason", "unpublished-name"].contains($0.rule) })
    // The package itself collects nothing, so the data of these catalogs is missing in it.
    #expect(findings.contains { $0.rule == "undeclared-data" })
  }
}
