import LocalDataEmission
import LocalDataAudit
import LocalDataVocabulary

// The sensitive values of a catalog that are not encrypted, and the values that leave the device, as JSON.
//
//     "notEncrypted": [{"sensitivity": "health", "where": "database visits", "values": ["Visit.diagnosis"]}],
//     "leaves": [{"place": "backup", "to": "backups (encrypted, unencrypted, iCloud)", "form": "as it is",
//                 "sensitivity": "health", "values": ["Visit"]}]

extension JSONForm<AuditedValues.Exposure> {
  static let exposure = Self.object([
    .required("sensitivity", .word, \.sensitivity), .required("where", .text, \.place),
    .required("values", .texts, \.names),
  ])
}

extension JSONForm<AuditedValues.Departure> {
  static let departure = Self.object([
    .required("place", .word, \.copy.place), .required("to", .text, \.copy.destination),
    .required("form", .text, \.copy.form), .required("sensitivity", .word, \.sensitivity),
    .required("values", .texts, \.names),
  ])
}
