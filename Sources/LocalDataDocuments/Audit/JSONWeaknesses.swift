import LocalDataEmission
import LocalDataModel
import LocalDataVocabulary

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
/// A key, a record or unmanaged data has the name of its answers in `masvs`. Keys with the same facts share them. The answers of a
/// record, of unmanaged data, and of a key that allows findings, are its own. `test` names a test of the library. `acceptedUntil` and `allowed` are the day
/// and the reason of an allowance.
struct JSONWeaknesses {
  fileprivate struct Profile {
    let name: String
    let answers: [WeaknessAnswer]
  }

  /// The names of the answers of the keys, in the order of the catalog; nil for a key to which no weakness applies.
  let keys: [String?]
  fileprivate let profiles: [Profile]
  fileprivate var weaknesses: [Weakness] {
    let used = Set(profiles.flatMap { $0.answers.map(\.weakness) })
    return Weakness.all.filter(used.contains)
  }

  /// Nil if no weakness applies to a key or record.
  var ifAny: Self? { profiles.isEmpty ? nil : self }

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
    for data in catalog.unmanaged { _ = add(Self.ownName(data.findingName), assessor.answers(of: data)) }
    self.profiles = profiles.sorted { $0.name < $1.name }
  }

  /// The name of answers that only one key or record has.
  private static func ownName(_ subject: String) -> String { "of-\(subject)" }

  /// Returns the name of the answers of a record; nil if no weakness applies to it.
  func name(of record: ResolvedRecord) -> String? { name(of: record.name) }

  /// Returns the name of the answers of unmanaged data; nil if no weakness applies to it.
  func name(of data: ResolvedUnmanaged) -> String? { name(of: data.findingName) }

  private func name(of subject: String) -> String? {
    let name = Self.ownName(subject)
    return profiles.contains { $0.name == name } ? name : nil
  }
}

extension JSONForm<JSONWeaknesses> {
  static let weaknesses = Self.object([
    .required("edition", .text) { _ in Weakness.edition }, .required("source", .text) { _ in Weakness.source },
    .required("weaknesses", .lines(of: .weakness), onOwnLine: true, \.weaknesses),
    .required("answers", .profiles, onOwnLine: true, \.profiles),
  ])
}

extension JSONForm<Weakness> {
  fileprivate static let weakness = Self.object([
    .required("id", .text, \.id), .required("title", .text, \.title), .required("controls", .texts, \.controls),
    .required("formerIDs", .texts, \.formerIDs),
  ])
}

extension JSONForm<[JSONWeaknesses.Profile]> {
  fileprivate static let profiles = Self(schema: .map(.map(JSONForm<WeaknessAnswer>.answer.schema))) {
    output, profiles in
    output.writeLines("{", "}", profiles) { output, profile in
      output.writeJSON(profile.name)
      output.write(":")
      output.writeMap(profile.answers.map { ($0.weakness, $0) }, \.id, JSONForm<WeaknessAnswer>.answer.write)
    }
  }
}

extension JSONForm<WeaknessAnswer> {
  fileprivate static let answer = Self.object([
    .required("state", .text, \.state.name), .required("reason", .text, \.reason),
    .optional("test", .text) { if case .metByLibrary(let test) = $0.state { test } else { nil } },
    .optional("acceptedUntil", .text) { if case .acceptedUntil(let until, _) = $0.state { until?.text } else { nil } },
    .optional("allowed", .text) { if case .acceptedUntil(_, let reason) = $0.state { reason } else { nil } },
  ])
}
