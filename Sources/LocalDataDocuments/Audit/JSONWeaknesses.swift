import LocalDataEmission
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

  /// The names of the answers of the keys, in the order of the catalog; nil for a key to which no weakness applies.
  let keys: [String?]
  private let profiles: [Profile]

  init(_ catalog: ResolvedCatalog) {
    let assessor = CatalogAssessor(catalog)
    var shared: [ProtectedFacts: String?] = [:]
    var profiles: [Profile] = []
    func add(_ name: String, _ answers: [WeaknessAnswer]) -> String? {
      guard !answers.isEmpty else { return nil }
      profiles.append(Profile(name: name, answers: answers))
      return name
    }
    keys = catalog.keys.map { key in
      let member = key.descriptor.member
      if assessor.hasAllowances(member) { return add(Self.ownName(member), assessor.answers(of: key)) }
      let facts = key.protectedFacts
      if let known = shared[facts] { return known }
      let name = add(facts.name, assessor.answers(of: key))
      shared[facts] = .some(name)
      return name
    }
    for record in catalog.records { _ = add(Self.ownName(record.name), assessor.answers(of: record)) }
    self.profiles = profiles.sorted { $0.name < $1.name }
  }

  /// The name of answers that only one key or record has.
  private static func ownName(_ subject: String) -> String { "of-\(subject)" }

  /// Writes the field of a record, unless no weakness applies to it.
  func writeField(of record: ResolvedRecord, to output: inout OutputBuffer) {
    let name = Self.ownName(record.name)
    if profiles.contains(where: { $0.name == name }) { output.writeField("masvs", name) }
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
