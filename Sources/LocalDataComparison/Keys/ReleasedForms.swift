import LocalDataModel
import LocalDataVocabulary

/// The values of one address, as a source of a migration has to describe them.
struct ReleasedSource {
  /// The key of the newest release that stored values there, with the form of these values.
  var key: DeclaredKey
  /// The position of that release.
  var release: Int
  /// The ways in which releases secured older values of the same address, the newest first.
  var older: [StoredForm] = []

  var form: StoredForm { key.storedForm }
}

/// The forms in which the earlier states stored values, by their addresses.
///
/// A value may be stored in the form of any release: a step that secures it in place is carried out when the key is first
/// used.
package struct ReleasedForms {
  private struct Entry {
    var key: DeclaredKey
    var release: Int
    /// A Boolean value that indicates whether the release wrote values, and did not only read them as a source.
    var isWritten: Bool

    var form: StoredForm { key.storedForm }
  }

  /// The newest entry of each address comes first.
  private var byAddress: [StoredPlace: [Entry]] = [:]
  /// The addresses that each key has written or read, the newest first.
  private var addresses: [String: [StoredPlace]] = [:]
  private let types: [[String: DeclaredType]]
  private let baselines: [Baseline]
  /// Names for types that mean something else today.
  let former: FormerTypes

  /// - Parameter baselines: The earlier states, the newest last.
  package init(_ baselines: [Baseline], today: CatalogState) {
    self.baselines = baselines
    types = baselines.map(\.state.types)
    former = FormerTypes(types, today: today.types)
    // A key that is the same today has its address still, which no source can have. Its own sources count.
    let reading = Set(today.keys.values.lazy.filter { $0[.migration] != .absent || $0.isLegacy }.map(\.member))
    for (release, baseline) in baselines.enumerated().reversed() {
      let unchanged = baseline.unchanged.filter(reading.contains).compactMap { today.keys[$0] }
      let keys = (Array(baseline.state.keys.values) + unchanged).sorted { $0.member < $1.member }
      for key in keys { add(Entry(key: key, release: release, isWritten: !key.isLegacy)) }
      for key in keys {
        for step in key.steps { add(step.action, of: key, release) }
      }
    }
  }

  private mutating func add(_ action: MigrationStep.Action, of key: DeclaredKey, _ release: Int) {
    switch action {
    case .custom: break
    case .inPlace(let domain, let security):
      add(Entry(key: key.storing(key.form.secured(security, in: domain)), release: release, isWritten: true))
    case .from(let sources):
      for case .inline(let source) in sources {
        add(Entry(key: key.storing(source), release: release, isWritten: false))
      }
    }
  }

  private mutating func add(_ entry: Entry) {
    let address = entry.form.address
    let isKnown = byAddress[address]?.contains { known in
      known.form == entry.form && known.isWritten == entry.isWritten && types[known.release] == types[entry.release]
    }
    if isKnown != true { byAddress[address, default: []].append(entry) }
    if addresses[entry.key.member]?.contains(address) != true {
      addresses[entry.key.member, default: []].append(address)
    }
  }

  /// The entries of an address. What a release wrote is known better than how a later one described it.
  private func entries(at address: StoredPlace) -> [Entry] {
    let all = byAddress[address] ?? []
    return all.filter(\.isWritten) + all.filter { !$0.isWritten }
  }

  /// Returns how a source has to describe the values of an address, so that it reads those of every release. Nil if the
  /// newest form of the address cannot be that of the values that `key` stored in `release`.
  func source(of key: DeclaredKey, in release: Int) -> ReleasedSource? {
    let all = entries(at: key.storedForm.address)
    guard let newest = all.first else { return ReleasedSource(key: key, release: release) }
    func isAlike(_ form: StoredForm, _ release: Int) -> Bool {
      let check = ReadingCheck(oldTypes: types[release], newTypes: types[newest.release])
      return check.obstacles(form, newest.form).allSatisfy { $0.kind == .security }
    }
    guard isAlike(key.storedForm, release) else { return nil }
    var forms = [newest.form]
    for other in all.map({ ($0.form, $0.release) }) + [(key.storedForm, release)]
    where isAlike(other.0, other.1) && !forms.contains(where: { ReadingCheck.opens(other.0, $0) }) {
      forms.append(other.0)
    }
    return ReleasedSource(key: newest.key, release: newest.release, older: Array(forms.dropFirst()))
  }

  /// Returns true if a release stored values at an address, or read them from there.
  func knows(_ address: StoredPlace) -> Bool { byAddress[address] != nil }

  /// Returns true if a release wrote values at an address.
  func isWritten(_ address: StoredPlace) -> Bool { byAddress[address]?.contains(where: \.isWritten) == true }

  /// The position of the newest release that wrote values at an address; -1 if releases only read older values from there,
  /// and nil if no release names the address.
  func age(of address: StoredPlace) -> Int? {
    guard let entries = byAddress[address] else { return nil }
    return entries.filter(\.isWritten).map(\.release).max() ?? -1
  }

  /// Returns true if no later release has a key.
  func isNewest(_ release: Int, of member: String) -> Bool {
    !baselines[(release + 1)...].contains { $0.state.keys[member] != nil || $0.unchanged.contains(member) }
  }

  /// The newest address at which a key stored its values.
  func newestAddress(of member: String) -> StoredPlace? {
    addresses[member]?.first { address in byAddress[address]?.contains(where: \.isWritten) == true }
  }

  /// The key of the newest release that wrote values at an address. A key that a release renamed in Swift is the same.
  func owner(of address: StoredPlace) -> DeclaredKey? {
    byAddress[address]?.first(where: \.isWritten)?.key
  }

  /// The number of addresses of a key that are newer than another one.
  func position(of address: StoredPlace, of member: String) -> Int {
    addresses[member]?.firstIndex(of: address) ?? 0
  }
}

extension StoredForm {
  /// The form of the same values, as they were secured before.
  func secured(_ security: SecurityPolicy, in domain: StorageDomain) -> StoredForm {
    var older = self
    older.domain = domain
    older.security = security
    return older
  }
}
