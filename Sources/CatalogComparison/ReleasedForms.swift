import CatalogModel
import StorageVocabulary

/// The forms in which the earlier states stored values, by their addresses.
///
/// A value may be stored in the form of any release: a step that secures it in place is carried out when the key is first
/// used.
struct ReleasedForms {
  /// The newest form of each address comes first.
  private var byAddress: [StoredForm.Address: [StoredForm]] = [:]

  /// - Parameter baselines: The earlier states, the newest last.
  init(_ baselines: [Baseline], today: CatalogState) {
    let migrating = Set(today.keys.values.lazy.filter { $0[.migration] != .absent }.map(\.member))
    for baseline in baselines.reversed() {
      let unchanged = baseline.unchanged.filter(migrating.contains).compactMap { today.keys[$0] }
      let keys = (Array(baseline.state.keys.values) + unchanged).sorted { $0.member < $1.member }
      for key in keys { add(key.form) }
      for key in keys {
        for step in key.steps { add(step.action, of: key.form) }
      }
    }
  }

  private mutating func add(_ action: MigrationStep.Action, of form: StoredForm) {
    switch action {
    case .custom: break
    case .inPlace(let domain, let security): add(form.secured(security, in: domain))
    case .from(let sources):
      for case .inline(let source) in sources { add(source) }
    }
  }

  private mutating func add(_ form: StoredForm) {
    if byAddress[form.address]?.contains(form) != true { byAddress[form.address, default: []].append(form) }
  }

  /// Returns the forms of the address of `form` that a release stored, the newest first. They differ from `form` and from
  /// each other in nothing but how they are secured.
  func forms(like form: StoredForm, _ check: ReadingCheck) -> [StoredForm] {
    var result: [StoredForm] = []
    for other in byAddress[form.address] ?? [form] {
      let isAlike = check.obstacles(other, form).allSatisfy { $0.kind == .security }
      if isAlike, !result.contains(where: { ReadingCheck.opens(other, $0) }) { result.append(other) }
    }
    return result
  }
}

extension StoredForm {
  /// The form of the same values, as they were secured before.
  func secured(_ security: SecurityPolicy, in domain: StorageDomain) -> StoredForm {
    var older = self
    (older.domain, older.security) = (domain, security)
    return older
  }
}
