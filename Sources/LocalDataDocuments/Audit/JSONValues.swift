import LocalDataEmission
import StorageAudit
import StorageVocabulary

/// Writes the sensitive values of a catalog that are not encrypted, and the values that leave the device, as JSON.
///
///     "notEncrypted": [{"sensitivity": "health", "where": "database visits", "values": ["Visit.diagnosis"]}],
///     "leaves": [{"place": "backup", "to": "backups (encrypted, unencrypted, iCloud)", "form": "as it is",
///                 "sensitivity": "health", "values": ["Visit"]}]
struct JSONValues {
  let values: AuditedValues

  func write(to output: inout OutputBuffer) {
    output.write(",\n\"notEncrypted\":")
    output.writeArray(values.exposures) { output, exposure in
      output.write("\n{")
      output.writeField("sensitivity", exposure.sensitivity.rawValue, isFirst: true)
      output.writeField("where", exposure.place)
      output.writeList("values", exposure.names)
      output.write("}")
    }
    output.write(",\n\"leaves\":")
    output.writeArray(values.departures) { output, departure in
      output.write("\n{")
      output.writeField("place", departure.copy.place.rawValue, isFirst: true)
      output.writeField("to", departure.copy.destination)
      output.writeField("form", departure.copy.form)
      output.writeField("sensitivity", departure.sensitivity.rawValue)
      output.writeList("values", departure.names)
      output.write("}")
    }
  }
}
