import LocalDataDocuments
import LocalDataModel
import Foundation
import LocalDataVocabulary
import Testing

/// `app_privacy_details.json`, as fastlane reads it.
@Suite struct PrivacyDetailsTests {
  private static func details(_ privacies: ResolvedPrivacy...) -> PrivacyDetails {
    PrivacyDetails([
      Samples.catalog(
        keys: privacies.enumerated().map { Manifests.key("key\($0.offset)", .userDefaults(), $0.element) })
    ])
  }

  @Test func theForm() {
    let details = Self.details(
      .init(isCollected: true, dataType: .photosOrVideos, purposes: [.other]),
      .init(
        isCollected: true, isLinked: true, isTracking: true, dataType: .emailAddress,
        purposes: [.developerAdvertising, .appFunctionality]))
    #expect(
      details.json == """
        [
          {
            "category": "EMAIL_ADDRESS",
            "purposes": [
              "APP_FUNCTIONALITY",
              "DEVELOPERS_ADVERTISING"
            ],
            "data_protections": [
              "DATA_LINKED_TO_YOU",
              "DATA_USED_TO_TRACK_YOU"
            ]
          },
          {
            "category": "PHOTOS_OR_VIDEOS",
            "purposes": [
              "OTHER_PURPOSES"
            ],
            "data_protections": [
              "DATA_NOT_LINKED_TO_YOU"
            ]
          }
        ]

        """)
  }

  @Test func nothingIsCollected() throws {
    let json = Self.details(.init(isCollected: false)).json
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: [String]]]
    #expect(list == [["data_protections": ["DATA_NOT_COLLECTED"]]])
  }

  /// Every type and purpose, read back and compared with the published names.
  @Test func everyNameIsPublished() throws {
    let purposes = ResolvedPrivacy.Purpose.allCases
    for type in ResolvedPrivacy.DataType.allCases {
      let details = Self.details(.init(isCollected: true, dataType: type, purposes: purposes))
      guard let name = AppStoreTables.dataTypes.first(where: { $0.manifest == type.manifestName })?.fastlane else {
        #expect(details.unnamed.map(\.dataType) == [type.rawValue])
        continue
      }
      #expect(details.unnamed.isEmpty)
      let list = try JSONSerialization.jsonObject(with: Data(details.json.utf8)) as? [[String: Any]]
      let entry = try #require(list?.first)
      #expect(entry["category"] as? String == name)
      #expect(entry["purposes"] as? [String] == AppStoreTables.purposes.compactMap(\.fastlane).sorted())
      #expect(entry["data_protections"] as? [String] == ["DATA_NOT_LINKED_TO_YOU"])
    }
  }
}
