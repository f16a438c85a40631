package import LocalDataModel
import LocalDataSyntax

/// The answers about privacy for App Store Connect, as fastlane uploads them (`app_privacy_details.json`).
///
///     [
///       {
///         "category": "EMAIL_ADDRESS",
///         "purposes": [
///           "APP_FUNCTIONALITY"
///         ],
///         "data_protections": [
///           "DATA_LINKED_TO_YOU"
///         ]
///       }
///     ]
///
/// Categories, purposes and protections are sorted, and the form is that of fastlane itself, so that a file that fastlane
/// downloads is compared line by line.
package struct PrivacyDetails {
  typealias Protection = AppStoreTables.DataProtection

  private let manifest: PrivacyManifest

  package init(_ catalogs: [ResolvedCatalog]) { manifest = PrivacyManifest(catalogs) }

  /// The collected types for which fastlane has no name, with the members that collect them. The document cannot contain
  /// them.
  package var unnamed: [(dataType: String, members: String)] {
    manifest.entries.filter { Self.name(of: $0.dataType) == nil }
      .map { ($0.dataType.rawValue, MemberList.text($0.members)) }
  }

  /// The document.
  package var json: String {
    let objects = manifest.entries.compactMap { entry in
      Self.name(of: entry.dataType).map { ($0, Self.object($0, entry)) }
    }
    .sorted { $0.0 < $1.0 }.map(\.1)
    let all = objects.isEmpty ? [Self.object([("data_protections", [Protection.notCollected.rawValue])])] : objects
    return "[\n\(all.joined(separator: ",\n"))\n]\n"
  }

  private static func object(_ category: String, _ entry: PrivacyManifest.Entry) -> String {
    var protections = [entry.isLinked ? Protection.linked : .notLinked]
    if entry.isTracking { protections.append(.tracking) }
    let purposes = entry.purposes.compactMap { purpose in
      AppStoreTables.purposes.first { $0.manifest == purpose.manifestName }?.fastlane
    }
    return object(
      [("purposes", purposes.sorted()), ("data_protections", protections.map(\.rawValue).sorted())],
      before: "    \"category\": \(JSONText.quoted(category)),\n")
  }

  private static func object(_ lists: [(name: String, elements: [String])], before: String = "") -> String {
    let fields = lists.map { list in
      let elements = list.elements.map { "      \(JSONText.quoted($0))" }.joined(separator: ",\n")
      return "    \(JSONText.quoted(list.name)): [\n\(elements)\n    ]"
    }
    return "  {\n\(before)\(fields.joined(separator: ",\n"))\n  }"
  }

  private static func name(of dataType: ResolvedPrivacy.DataType) -> String? {
    AppStoreTables.dataTypes.first { $0.manifest == dataType.manifestName }?.fastlane
  }
}
