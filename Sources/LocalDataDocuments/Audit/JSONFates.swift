import LocalDataEmission
import StorageAudit

/// Writes the fates of a catalog's values as JSON.
///
///     "fates": {
///       "userDefaults": {"deviceLocked": {"outcome": "kept", "rule": "file-protection", "reason": "…"}, …}
///     },
///     "fateRules": [{"id": "file-protection", "title": "…", "source": "https://…"}]
///
/// A key has the name of its fates in `fate`, a record in `fate` and, for its encrypted fields, `sealedFate`.
struct JSONFates {
  let fates: CatalogFates

  func write(to output: inout OutputBuffer) {
    guard !fates.profiles.isEmpty else { return }
    output.write(",\n\"fates\":{")
    for (index, profile) in fates.profiles.enumerated() {
      output.write(index == 0 ? "\n" : ",\n")
      output.writeJSON(profile.name)
      output.write(":{")
      for (index, event) in StorageEvent.allCases.enumerated() {
        if index > 0 { output.write(",") }
        output.writeJSON(event.rawValue)
        output.write(":")
        write(profile.fates[index], to: &output)
      }
      output.write("}")
    }
    output.write("\n},\n\"fateRules\":[")
    for (index, rule) in fates.rules.enumerated() {
      output.write(index == 0 ? "\n{" : ",\n{")
      output.writeField("id", rule.id, isFirst: true)
      output.writeField("title", rule.title)
      output.writeField("source", rule.source)
      output.write("}")
    }
    output.write("\n]")
  }

  private func write(_ fate: Fate, to output: inout OutputBuffer) {
    output.write("{")
    output.writeField("outcome", fate.outcome.rawValue, isFirst: true)
    output.writeField("rule", fate.rule.id)
    output.writeField("reason", fate.reason)
    output.write("}")
  }
}
