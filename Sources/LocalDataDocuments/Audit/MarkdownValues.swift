import LocalDataEmission
import CatalogModel
import StorageAudit
import StorageVocabulary

/// Writes the answers about all values of a catalog: counts, what is not encrypted, what leaves the device, and the sign-out.
struct MarkdownValues {
  let catalog: ResolvedCatalog

  func write(to output: inout OutputBuffer) {
    let values = AuditedValues([catalog])
    writeCounts(values, to: &output)
    heading(AuditedValues.exposuresTitle, to: &output)
    if values.exposures.isEmpty {
      paragraph(AuditedValues.noExposure, to: &output)
    } else {
      output.write("| sensitivity | where | keys and fields |\n|---|---|---|\n")
      for exposure in values.exposures {
        output.write("| ")
        output.write(exposure.sensitivity.rawValue)
        output.writeCell(exposure.place)
        output.writeCell(exposure.names.joined(separator: ", "), isFree: false)
        output.write(" |\n")
      }
    }
    heading(AuditedValues.departuresTitle, to: &output)
    if values.departures.isEmpty {
      paragraph(AuditedValues.noDeparture, to: &output)
    } else {
      output.write("| to | form | sensitivity | keys and records |\n|---|---|---|---|\n")
      for departure in values.departures {
        output.write("| ")
        output.write(departure.copy.destination)
        output.writeCell(departure.copy.form, isFree: false)
        output.writeCell(departure.sensitivity.rawValue, isFree: false)
        output.writeCell(departure.names.joined(separator: ", "), isFree: false)
        output.write(" |\n")
      }
    }
    heading(AuditedValues.signOutTitle, to: &output)
    for sentence in values.signOut([catalog]) {
      output.write("- ")
      output.writeMarkdown(sentence, in: .document)
      output.write("\n")
    }
  }

  private func writeCounts(_ values: AuditedValues, to output: inout OutputBuffer) {
    guard !values.sensitivities.isEmpty else { return }
    heading(AuditedValues.countsTitle, to: &output)
    paragraph(AuditedValues.countsText, to: &output)
    output.write("\n| sensitivity |")
    for protection in AuditedPart.Protection.allCases { output.write(" \(protection.title) |") }
    output.write("\n|---|---|---|---|\n")
    for sensitivity in values.sensitivities {
      output.write("| ")
      output.write(sensitivity.rawValue)
      for protection in AuditedPart.Protection.allCases { output.write(" | \(values.count(sensitivity, protection))") }
      output.write(" |\n")
    }
    if !values.weakest.isEmpty { output.write("\n") }
    for weakest in values.weakest {
      output.write("- \(AuditedValues.Weakest.title), \(weakest.whose.description.lowercased()): ")
      output.writeMarkdown(weakest.text, in: .document)
      output.write("\n")
    }
  }

  private func heading(_ text: StaticString, to output: inout OutputBuffer) {
    output.write("\n## ")
    output.write(text)
    output.write("\n\n")
  }

  private func paragraph(_ text: StaticString, to output: inout OutputBuffer) {
    output.write(text)
    output.write("\n")
  }
}
