import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The fates of a catalog's values: a row for the values of one sensitivity that share their fates, and a column for each event.
///
/// A page has its own matrix, whose cells are links to the reasons.
struct FateSection {
  let catalog: ResolvedCatalog
  let fates: CatalogFates

  func write(to document: inout some DocumentWriter & ~Copyable) {
    guard !fates.profiles.isEmpty else { return }
    document.section("Fates", "fates") { document in
      document.paragraph(
        .author(
          "What happens to each value on iPhone, iPad and Apple Watch. The master key of encrypted values is "
            + "\(StoredFacts.defaultMasterKey.rawValue), unless the app configures another accessibility."))
      document.table("Fates", ["Values", "Sensitivity"] + fates.events.shown.map(\.title)) { document in
        // The cells are the same for all values of a profile.
        let cells = fates.profiles.map { fates.events.shown($0.fates).map { DocumentText.outcome($0.outcome) } }
        for row in rows {
          document.row([.author(row.names.joined(separator: ", ")), .author(row.sensitivity)] + cells[row.profile])
        }
      }
      fates.outcomes.writeMeanings(to: &document)
      fates.rules.write(to: &document)
    }
  }

  private var rows: [FateRows<String>.Row] {
    var rows = FateRows<String>()
    for (key, index) in zip(catalog.keys, fates.keys) {
      rows.add(key.descriptor.member, key.descriptor.sensitivity.rawValue, index)
    }
    var storages = AuditedStorages()
    for (position, record) in catalog.records.enumerated() {
      guard let database = catalog.database(of: record), let (plain, sealed) = fates.indices(ofRecord: position) else {
        continue
      }
      for part in AuditedPart.all(of: record, in: database, &storages) {
        rows.add(part.name, part.sensitivityText, part.protection == .none ? plain : sealed ?? plain)
      }
    }
    for data in catalog.unmanaged {
      rows.add("\(data.member), unmanaged", data.descriptor.sensitivity.rawValue, fates.index(of: data))
    }
    for source in catalog.sources {
      rows.add("\(source.member), the old store", "until it is removed", fates.index(of: source))
    }
    return rows.all
  }
}

extension [Fate.Outcome] {
  func writeMeanings(to document: inout some DocumentWriter & ~Copyable) {
    document.table("Outcomes", ["Outcome", "Meaning"]) { document in
      for outcome in self { document.row([.outcome(outcome), .author(outcome.meaning)]) }
    }
  }
}

extension [FateRule] {
  func write(to document: inout some DocumentWriter & ~Copyable) {
    document.table("The rules from which the cells follow", ["Rule", "What it says", "Source"]) { document in
      for rule in self {
        document.row(
          [.author(rule.id), .author(rule.title), .source(rule.source)], HTMLIdentifier("rule", rule.id))
      }
    }
  }
}
