import CatalogModel
import StorageAudit
import StorageVocabulary

/// The data that the keys of a catalog collect, in the terms of Apple's privacy manifests.
///
/// A manifest has one entry for each type of data, so the keys of one type are merged: the type is linked or used for
/// tracking if any of its keys is, and it has the purposes of all of them.
struct PrivacyManifest {
  struct Entry {
    var dataType: ResolvedPrivacy.DataType
    var isLinked = false
    var isTracking = false
    /// The purposes in Apple's order.
    var purposes: [ResolvedPrivacy.Purpose] = []
    /// The members of the keys that collect this type, in the order of the catalog.
    var keys: [String] = []
  }

  /// The collected types in Apple's order. A type that no key collects has no entry.
  let entries: [Entry]

  init(_ keys: [ResolvedKey]) {
    var entries: [ResolvedPrivacy.DataType: Entry] = [:]
    for key in keys {
      guard let privacy = key.privacy, privacy.isCollected, let dataType = privacy.dataType else { continue }
      var entry = entries[dataType] ?? Entry(dataType: dataType)
      entry.isLinked = entry.isLinked || privacy.isLinked
      entry.isTracking = entry.isTracking || privacy.isTracking
      entry.purposes = ResolvedPrivacy.Purpose.allCases.filter {
        entry.purposes.contains($0) || privacy.purposes.contains($0)
      }
      entry.keys.append(key.descriptor.member)
      entries[dataType] = entry
    }
    self.entries = ResolvedPrivacy.DataType.allCases.compactMap { entries[$0] }
  }
}

extension ResolvedPrivacy {
  /// The declaration in words, for example `collected as emailAddress, linked to the user, for appFunctionality`.
  var auditText: String {
    guard isCollected else { return "not collected" }
    return "collected" + (dataType.map { " as \($0.rawValue)" } ?? "")
      + (isLinked ? ", linked to the user" : ", not linked to the user")
      + (isTracking ? ", used for tracking" : ", not used for tracking")
      + (purposes.isEmpty ? "" : ", for " + purposes.map(\.rawValue).joined(separator: " and "))
  }
}
