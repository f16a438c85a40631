import LocalDataEmission
import CatalogModel
import StorageAudit
import StorageVocabulary

/// Writes a table of the fates of a catalog's values: a row for each key and record, and a column for each event.
struct MarkdownFates {
  let catalog: ResolvedCatalog

  func write(to output: inout OutputBuffer) {
    let fates = CatalogFates(catalog)
    guard !fates.profiles.isEmpty else { return }
    output.write(
      "\n## Fates\n\nWhat happens to each value on iPhone, iPad and Apple Watch. The master key of encrypted values is "
    )
    output.write(
      "\(StoredFacts.defaultMasterKey.rawValue), unless the app configures another accessibility.\n\n| value | sensitivity |"
    )
    for event in StorageEvent.shown { output.write(" \(event.title) |") }
    output.write("\n|---|---|")
    for _ in StorageEvent.shown { output.write("---|") }
    output.write("\n")
    writeRows(fates, to: &output)
    output.write("\n")
    for outcome in fates.outcomes {
      output.write("- \(outcome.text): \(outcome.meaning)\n")
    }
    output.write("\nThe cells follow from these rules:\n\n")
    for rule in fates.rules { output.write("- \(rule.id): \(rule.title) (\(rule.link))\n") }
  }

  private func writeRows(_ fates: CatalogFates, to output: inout OutputBuffer) {
    // The cells are the same for all values of a profile.
    let cells = fates.profiles.map { profile in
      OutputBuffer.collect { output in
        for fate in profile.fates.shown { output.write(" | \(fate.outcome.text)") }
        output.write(" |\n")
      }[...]
    }
    for (key, index) in zip(catalog.keys, fates.keys) {
      output.write("| ")
      output.write(key.descriptor.member)
      output.write(" | ")
      output.write(key.descriptor.sensitivity.rawValue)
      output.write(cells[index])
    }
    var copies = BackupCopies()
    for record in catalog.records {
      guard let database = catalog.database(of: record), let (plain, sealed) = fates.indices(of: record) else {
        continue
      }
      for part in AuditedPart.all(of: record, in: database, &copies) {
        output.write("| ")
        output.write(part.name)
        output.writeCell(part.sensitivityText, isFree: false)
        output.write(cells[part.protection == .none ? plain : sealed ?? plain])
      }
    }
  }
}

extension FateRule {
  /// The source as a link, or the path of a document of LocalData.
  fileprivate var link: String { source.hasPrefix("https://") ? "[source](\(source))" : "`\(source)` of LocalData" }
}
