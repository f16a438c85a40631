import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The answers about all values: counts, what is not encrypted, what leaves the device, and the sign-out.
extension AuditedValues {
  func writeCounts(to document: inout some DocumentWriter & ~Copyable) {
    guard !sensitivities.isEmpty else { return }
    document.section(Self.countsTitle, "counts") { document in
      document.paragraph(.fixed(Self.countsText))
      if !unmanaged.joined().isEmpty { document.paragraph(.fixed(Self.unmanagedText)) }
      let columns = ["Sensitivity"] + AuditedPart.Protection.allCases.map(\.title.description)
      document.table(Self.countsTitle.description, columns) { document in
        for sensitivity in sensitivities {
          document.row(
            texts: [sensitivity.rawValue] + AuditedPart.Protection.allCases.map { String(count(sensitivity, $0)) })
        }
      }
      guard !weakest.isEmpty else { return }
      document.table(Weakest.title.description, ["Release", "Weakest protection of a credential"]) { document in
        for weakest in weakest { document.row([.fixed(weakest.whose), .author(weakest.text)]) }
      }
    }
  }

  func writeExposures(to document: inout some DocumentWriter & ~Copyable) {
    document.section(Self.exposuresTitle, "exposures") { document in
      guard !exposures.isEmpty else { return document.paragraph(.fixed(Self.noExposure)) }
      document.table(Self.exposuresTitle.description, ["Sensitivity", "Where", "Keys and fields"]) { document in
        for exposure in exposures {
          document.row(
            texts: [exposure.sensitivity.rawValue, exposure.place, exposure.names.joined(separator: ", ")])
        }
      }
    }
  }

  func writeDepartures(to document: inout some DocumentWriter & ~Copyable) {
    document.section(Self.departuresTitle, "leaves") { document in
      guard !departures.isEmpty else { return document.paragraph(.fixed(Self.noDeparture)) }
      document.table(Self.departuresTitle.description, ["To", "Form", "Sensitivity", "Keys and records"]) { document in
        for departure in departures {
          document.row(texts: [
            departure.copy.destination, departure.copy.form, departure.sensitivity.rawValue,
            departure.names.joined(separator: ", "),
          ])
        }
      }
    }
  }

  func writeSignOut(of catalogs: [ResolvedCatalog], to document: inout some DocumentWriter & ~Copyable) {
    document.section(Self.signOutTitle, "sign-out") { $0.list(signOut(catalogs)) }
  }
}
