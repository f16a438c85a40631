import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The fates of a catalog's values: a row for each key and each part of a record, and a column for each event.
///
/// A page has its own matrix, whose cells are links to the reasons.
struct FateSection {
  let catalog: ResolvedCatalog

  func write(to document: inout some DocumentWriter & ~Copyable) {
    let fates = CatalogFates(catalog)
    guard !fates.profiles.isEmpty else { return }
    document.section("Fates", "fates") { document in
      document.paragraph(
        .author(
          "What happens to each value on iPhone, iPad and Apple Watch. The master key of encrypted values is "
            + "\(StoredFacts.defaultMasterKey.rawValue), unless the app configures another accessibility."))
      document.table("Fates", ["Value", "Sensitivity"] + fates.events.shown.map(\.title)) { document in
        writeRows(fates, to: &document)
      }
      fates.outcomes.writeMeanings(to: &document)
      fates.rules.write(to: &document)
    }
  }

  private func writeRows(_ fates: CatalogFates, to document: inout some DocumentWriter & ~Copyable) {
    // The cells are the same for all values of a profile.
    let cells = fates.profiles.map { fates.events.shown($0.fates).map { DocumentText.outcome($0.outcome) } }
    for (key, index) in zip(catalog.keys, fates.keys) {
      document.row([.author(key.descriptor.member), .author(key.descriptor.sensitivity.rawValue)] + cells[index])
    }
    var storages = AuditedStorages()
    for (position, record) in catalog.records.enumerated() {
      guard let database = catalog.database(of: record), let (plain, sealed) = fates.indices(ofRecord: position) else {
        continue
      }
      for part in AuditedPart.all(of: record, in: database, &storages) {
        let index = part.protection == .none ? plain : sealed ?? plain
        document.row([.author(part.name), .author(part.sensitivityText)] + cells[index])
      }
    }
    for data in catalog.unmanaged {
      guard let index = fates.index(of: data) else { continue }
      document.row(
        [.author("\(data.member), unmanaged"), .author(data.descriptor.sensitivity.rawValue)] + cells[index])
    }
    for source in catalog.sources {
      guard let index = fates.index(of: source) else { continue }
      document.row([.author("\(source.member), the old store"), .author("until it is removed")] + cells[index])
    }
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
