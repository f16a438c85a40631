import Foundation
import Testing

/// The privacy manifest. Without an entry for an API that needs a reason, App Store Connect refuses apps that contain the package
/// (ITMS-91053). Xcode copies the file into the app, because the package has tools version 6.0 or later.
struct PrivacyManifestTests {
  /// The APIs of each category, by the names that code uses.
  static let categories: [String: [String]] = [
    "UserDefaults": ["UserDefaults", "NSUserDefaults"],
    "FileTimestamp": [
      "stat", "fstat", "lstat", "fstatat", "getattrlist", "getattrlistbulk", "fgetattrlist", "getattrlistat",
      "creationDate", "modificationDate", "fileModificationDate", "creationDateKey", "contentModificationDateKey",
      "contentModificationDate", "attributesOfItem",
    ],
    "SystemBootTime": ["systemUptime", "mach_absolute_time"],
    "DiskSpace": [
      "statfs", "fstatfs", "statvfs", "fstatvfs", "volumeAvailableCapacityKey", "volumeAvailableCapacity",
      "volumeAvailableCapacityForImportantUsageKey", "volumeAvailableCapacityForImportantUsage",
      "volumeAvailableCapacityForOpportunisticUsageKey", "volumeAvailableCapacityForOpportunisticUsage",
      "volumeTotalCapacityKey", "volumeTotalCapacity", "systemFreeSize", "systemSize", "attributesOfFileSystem",
    ],
    "ActiveKeyboards": ["activeInputModes"],
  ]

  /// The reasons that hold for the package: its own preferences and those of app groups, and files in their containers.
  static let reasons = ["UserDefaults": ["CA92.1", "1C8F.1"], "FileTimestamp": ["C617.1"]]

  private func manifest() throws -> [String: Any] {
    let file = SwiftFile.package.appendingPathComponent("Sources/LocalData/PrivacyInfo.xcprivacy")
    let list = try PropertyListSerialization.propertyList(from: try Data(contentsOf: file), format: nil)
    return try #require(list as? [String: Any])
  }

  private func usedCategories() throws -> Set<String> {
    var used: Set<String> = []
    for file in try SwiftFile.runtime.flatMap({ try SwiftFile.all(in: $0) }) {
      let words = file.words
      for (category, names) in Self.categories where names.contains(where: { words.contains($0[...]) }) {
        used.insert(category)
      }
    }
    return used
  }

  @Test func theManifestNamesTheCategoriesOfTheAPIsThatTheSourcesUse() throws {
    let entries = try #require(try manifest()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    var declared: [String: [String]] = [:]
    for entry in entries {
      let type = try #require(entry["NSPrivacyAccessedAPIType"] as? String)
      let category = try #require(type.wholeMatch(of: /NSPrivacyAccessedAPICategory(\w+)/)).1
      declared[String(category)] = entry["NSPrivacyAccessedAPITypeReasons"] as? [String]
    }
    #expect(declared == Self.reasons)
    #expect(try usedCategories() == Set(declared.keys))
  }

  @Test func nothingIsCollectedAndNobodyIsTracked() throws {
    let manifest = try manifest()
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
    #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
  }
}
