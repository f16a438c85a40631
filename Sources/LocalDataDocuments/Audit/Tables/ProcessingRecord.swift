import LocalDataEmission
package import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// Writes a record of processing activities (GDPR, Article 30) as CSV: a row for each purpose of collected data, and for each
/// purpose that the project declares.
///
///     purpose,dataCategories,declarations,subjects,recipients,basis,retention,protection,tracking
///
/// A cell without a declaration says `not declared`. Personal data without `privacy` has its own row, so that it is not forgotten. Data
/// with `collected: false` stays on the device and is left out.
package enum ProcessingRecord {
  static let columns = [
    "purpose", "dataCategories", "declarations", "subjects", "recipients", "basis", "retention", "protection",
    "tracking",
  ]
  static let notDeclared = "not declared"

  package static func emit(_ catalogs: [ResolvedCatalog], _ processing: [Processing]) -> [UInt8] {
    let items = catalogs.flatMap { catalog in Self.items(of: catalog, databases: catalogs.flatMap(\.databases)) }
    return OutputBuffer.collect { output in
      output.writeCSVRow(columns)
      for purpose in ResolvedPrivacy.Purpose.allCases {
        let own = items.filter { $0.privacy?.purposes.contains(purpose) ?? false }
        let declared = processing.first { $0.purpose == purpose }
        if !own.isEmpty || declared != nil { output.writeCSVRow(row(purpose.rawValue, own, declared)) }
      }
      let others = items.filter { $0.privacy == nil && $0.isPersonal }
      if !others.isEmpty { output.writeCSVRow(row(notDeclared, others, nil)) }
    }
  }

  /// A key, a field of a record, or unmanaged data.
  private struct Item {
    var name: String
    var privacy: ResolvedPrivacy?
    var isPersonal: Bool
    var kept: String
    var protection: String
  }

  private static func items(of catalog: ResolvedCatalog, databases: [ResolvedDatabase]) -> [Item] {
    let keys = catalog.keys.filter { !$0.descriptor.isLegacy }.map { key in
      Item(
        name: key.descriptor.member, privacy: key.privacy, isPersonal: key.descriptor.sensitivity.isPersonal,
        kept: key.descriptor.keptText, protection: key.descriptor.security.auditText)
    }
    let fields = catalog.records.flatMap { record in
      let database = databases.first { $0.member == record.database }
      return record.fields.map { field in
        Item(
          name: "\(record.name).\(field.name)", privacy: field.privacy, isPersonal: field.sensitivity.isPersonal,
          kept: record.retention?.auditText ?? "until removed",
          protection: database?.securityText(of: field) ?? SecurityPolicy.none.auditText)
      }
    }
    let unmanaged = catalog.unmanaged.map { data in
      Item(
        name: data.member, privacy: data.key.privacy, isPersonal: data.descriptor.sensitivity.isPersonal,
        kept: data.descriptor.periodText, protection: data.securedText)
    }
    return keys + fields + unmanaged
  }

  private static func row(_ purpose: String, _ items: [Item], _ declared: Processing?) -> [String] {
    let types = ResolvedPrivacy.DataType.allCases.filter { type in items.contains { $0.privacy?.dataType == type } }
    return [
      purpose, text(types.map(\.rawValue)), text(items.map(\.name)), text(declared?.subjects ?? []),
      text(declared?.recipients ?? []), declared?.basis?.rawValue ?? notDeclared, grouped(items, by: \.kept),
      grouped(items, by: \.protection), items.contains { $0.privacy?.isTracking ?? false } ? "yes" : "no",
    ]
  }

  private static func text(_ parts: [String]) -> String {
    parts.isEmpty ? notDeclared : parts.joined(separator: ", ")
  }

  /// Each text once, with the names of the items that have it: `until removed (name, address); 30d after … (draft)`.
  private static func grouped(_ items: [Item], by path: (Item) -> String) -> String {
    var texts: [String] = []
    var names: [String: [String]] = [:]
    for item in items {
      let text = path(item)
      if names[text] == nil { texts.append(text) }
      names[text, default: []].append(item.name)
    }
    return texts.isEmpty
      ? notDeclared : texts.map { "\($0) (\(names[$0, default: []].joined(separator: ", ")))" }.joined(separator: "; ")
  }
}

extension Sensitivity {
  fileprivate var isPersonal: Bool { self != .public && self != .internal }
}
