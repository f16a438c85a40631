import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The data that the keys and the records of catalogs collect, in the terms of Apple's privacy manifests.
///
/// A manifest has one entry for each type of data, so the declarations of one type are merged: the type is linked or used
/// for tracking if any of them is, and it has the purposes of all of them.
struct PrivacyManifest {
  struct Entry {
    var dataType: ResolvedPrivacy.DataType
    var isLinked = false
    var isTracking = false
    /// The purposes in Apple's order.
    var purposes: [ResolvedPrivacy.Purpose] = []
    /// The keys, the records and the fields that collect this type, in the order of the catalog.
    var members: [String] = []
  }

  /// The collected types in Apple's order. A type that nothing collects has no entry.
  let entries: [Entry]

  init(_ catalog: ResolvedCatalog) { self.init([catalog]) }

  init(_ catalogs: [ResolvedCatalog]) {
    var entries: [ResolvedPrivacy.DataType: Entry] = [:]
    func add(_ member: String, _ privacy: ResolvedPrivacy) {
      guard privacy.isCollected, let dataType = privacy.dataType else { return }
      var entry = entries[dataType] ?? Entry(dataType: dataType)
      entry.isLinked = entry.isLinked || privacy.isLinked
      entry.isTracking = entry.isTracking || privacy.isTracking
      entry.purposes = ResolvedPrivacy.Purpose.allCases.filter {
        entry.purposes.contains($0) || privacy.purposes.contains($0)
      }
      entry.members.append(member)
      entries[dataType] = entry
    }
    for catalog in catalogs { catalog.forEachPrivacy(add) }
    self.entries = ResolvedPrivacy.DataType.allCases.compactMap { entries[$0] }
  }
}

extension ResolvedCatalog {
  /// Calls `body` for each key, record, field and unmanaged data with a declaration. A field that has the declaration of its record is
  /// part of it.
  fileprivate func forEachPrivacy(_ body: (_ member: String, ResolvedPrivacy) -> Void) {
    for key in keys {
      if let privacy = key.privacy { body(key.descriptor.member, privacy) }
    }
    for record in records {
      if let privacy = record.privacy { body(record.name, privacy) }
      for field in record.fields where field.privacy != record.privacy {
        if let privacy = field.privacy { body("\(record.name).\(field.name)", privacy) }
      }
    }
    for data in unmanaged {
      if let privacy = data.key.privacy { body(data.member, privacy) }
    }
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
