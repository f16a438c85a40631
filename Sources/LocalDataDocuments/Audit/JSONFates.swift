import LocalDataModel
import LocalDataEmission
import LocalDataAudit

// The fates of a catalog's values as JSON.
//
//     "fates": {
//       "userDefaults": {"deviceLocked": {"outcome": "kept", "rule": "file-protection", "reason": "…"}, …}
//     },
//     "fateRules": [{"id": "file-protection", "title": "…", "source": "https://…"}]
//
// A key has the name of its fates in `fate`, a record in `fate` and, for its encrypted fields, `sealedFate`.

extension JSONForm<CatalogFates> {
  static let fates = Self(schema: .map(.map(JSONForm<Fate>.fate.schema))) { output, fates in
    output.writeLines("{", "}", fates.profiles) { output, profile in
      output.writeJSON(profile.name)
      output.write(":")
      output.writeMap(zip(fates.events, profile.fates), \.rawValue, JSONForm<Fate>.fate.write)
    }
  }
}

extension JSONForm<Fate> {
  fileprivate static let fate = Self.object([
    .required("outcome", .word, \.outcome), .required("rule", .text, \.rule.id), .required("reason", .text, \.reason),
  ])
}

extension JSONForm<FateRule> {
  static let rule = Self.object([
    .required("id", .text, \.id), .required("title", .text, \.title), .required("source", .text, \.source),
  ])
}
