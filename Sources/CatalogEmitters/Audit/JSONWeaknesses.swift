import CatalogModel
import StorageVocabulary

/// Writes what the declarations of a catalog say about OWASP's weaknesses as JSON.
///
///     "masvs": {
///       "edition": "…", "source": "https://…",
///       "weaknesses": [{"id": "MASWE-0001", "title": "…", "controls": ["MASVS-STORAGE-1"], "formerIDs": ["MASWE-0006"]}],
///       "answers": {
///         "credential-keychain-whenUnlocked": {"MASWE-0001": {"state": "metByDeclaration", "reason": "…"}, …}
///       }
///     }
///
/// A key or record has the name of its answers in `masvs`. Keys with the same facts share them. The answers of a record, and
/// of a key that allows findings, are its own. `test` names a test of the library. `acceptedUntil` and `allowed` are the day
/// and the reason of an allowance.
struct JSONWeaknesses {
  private struct Profile {
    let name: String
    let answers: [WeaknessAnswer]
  }

  private let profiles: [Profile]
  private let names: [ProtectedFacts: String]
  private let assessor: CatalogAssessor

  init(_ catalog: ResolvedCatalog) {
    assessor = CatalogAssessor(catalog)
    var names: [ProtectedFacts: String] = [:]
    var profiles: [Profile] = []
    for key in catalog.keys {
      let member = key.descriptor.member
      if assessor.hasAllowances(member) {
        profiles.append(Profile(name: Self.ownName(member), answers: assessor.answers(of: key)))
      } else {
        let facts = key.protectedFacts
        guard names[facts] == nil else { continue }
        names[facts] = facts.name
        profiles.append(Profile(name: facts.name, answers: assessor.answers(of: key)))
      }
    }
    for record in catalog.records {
      profiles.append(Profile(name: Self.ownName(record.name), answers: assessor.answers(of: record)))
    }
    self.names = names
    self.profiles = profiles.filter { !$0.answers.isEmpty }.sorted { $0.name < $1.name }
  }

  /// The name of answers that only one key or record has.
  private static func ownName(_ subject: String) -> String { "of-\(subject)" }

  /// Writes the field of a key, unless no weakness applies to it.
  func writeField(of key: ResolvedKey, to output: inout OutputBuffer) {
    let member = key.descriptor.member
    let name = assessor.hasAllowances(member) ? Self.ownName(member) : names[key.protectedFacts]
    if let name, isWritten(name) { output.writeField("masvs", name) }
  }

  func writeField(of record: ResolvedRecord, to output: inout OutputBuffer) {
    let name = Self.ownName(record.name)
    if isWritten(name) { output.writeField("masvs", name) }
  }

  /// Returns true if there are answers of this name. The profiles are sorted by it.
  private func isWritten(_ name: String) -> Bool {
    var (low, high) = (profiles.startIndex, profiles.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if profiles[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low < profiles.endIndex && profiles[low].name == name
  }

  func write(to output: inout OutputBuffer) {
    guard !profiles.isEmpty else { return }
    output.write(",\n\"masvs\":{")
    output.writeField("edition", Weakness.edition, isFirst: true)
    output.writeField("source", Weakness.source)
    output.write(",\n\"weaknesses\":[")
    let used = Set(profiles.flatMap { $0.answers.map(\.weakness) })
    for (index, weakness) in Weakness.all.filter(used.contains).enumerated() {
      output.write(index == 0 ? "\n{" : ",\n{")
      output.writeField("id", weakness.id, isFirst: true)
      output.writeField("title", weakness.title)
      output.writeList("controls", weakness.controls)
      output.writeList("formerIDs", weakness.formerIDs)
      output.write("}")
    }
    output.write("\n],\n\"answers\":{")
    for (index, profile) in profiles.enumerated() {
      output.write(index == 0 ? "\n" : ",\n")
      write(profile, to: &output)
    }
    output.write("\n}}")
  }

  private func write(_ profile: Profile, to output: inout OutputBuffer) {
    output.writeJSON(profile.name)
    output.write(":{")
    for (index, answer) in profile.answers.enumerated() {
      if index > 0 { output.write(",") }
      output.writeJSON(answer.weakness.id)
      output.write(":{")
      output.writeField("state", answer.state.name, isFirst: true)
      output.writeField("reason", answer.reason)
      switch answer.state {
      case .metByLibrary(let test): output.writeField("test", test)
      case .acceptedUntil(let until, let reason):
        if let until { output.writeField("acceptedUntil", until.text) }
        output.writeField("allowed", reason)
      case .metByDeclaration, .violated, .notDecidable: break
      }
      output.write("}")
    }
    output.write("}")
  }
}
