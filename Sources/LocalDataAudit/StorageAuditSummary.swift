package import LocalDataVocabulary

/// The counts at the head of an audit.
package struct StorageAuditSummary: Sendable, Hashable {
  package var keys = 0
  package var families = 0
  package var legacy = 0
  package var deprecated = 0
  package var reserved = 0
  package var records = 0
  package var databases = 0
  private var domainTally = Tally<StorageDomain.Kind>()
  private var securityTally = Tally<SecurityPolicy.Kind>()
  private var sensitivityTally = Tally<Sensitivity>()

  /// In the order of the vocabulary, every case.
  package var domains: [Count] { domainTally.counts }
  package var securities: [Count] { securityTally.counts }
  package var sensitivities: [Count] { sensitivityTally.counts }

  /// The number of keys of one kind.
  package struct Count: Sendable, Hashable {
    package var name: String
    package var keys: Int
  }

  package init(reserved: Int) { self.reserved = reserved }

  /// Counts a key.
  package mutating func add(_ descriptor: StorageKeyDescriptor) {
    add(
      isFamily: !descriptor.parameters.isEmpty, isLegacy: descriptor.isLegacy,
      isDeprecated: descriptor.deprecation != nil, domain: descriptor.domain.kind,
      security: descriptor.security.kind, sensitivity: descriptor.sensitivity)
  }

  /// Counts a key whose descriptor has these properties.
  package mutating func add(
    isFamily: Bool, isLegacy: Bool, isDeprecated: Bool, domain: StorageDomain.Kind, security: SecurityPolicy.Kind,
    sensitivity: Sensitivity
  ) {
    if isFamily { families += 1 } else { keys += 1 }
    if isLegacy { legacy += 1 }
    if isDeprecated { deprecated += 1 }
    count(domain, security, sensitivity)
  }

  /// Counts the place, the protection and the sensitivity of a key or a field.
  package mutating func count(
    _ domain: StorageDomain.Kind, _ security: SecurityPolicy.Kind, _ sensitivity: Sensitivity
  ) {
    domainTally.add(domain)
    securityTally.add(security)
    sensitivityTally.add(sensitivity)
  }

  /// Counts of the cases of an enum; a list of a few, which is quicker than a table.
  private struct Tally<Case: CaseIterable & Hashable & RawRepresentable<String> & Sendable>: Hashable, Sendable {
    private let cases = Array(Case.allCases)
    private var numbers = Array(Case.allCases).map { _ in 0 }

    mutating func add(_ each: Case) {
      if let index = cases.firstIndex(of: each) { numbers[index] += 1 }
    }

    var counts: [Count] { zip(cases, numbers).map { Count(name: $0.rawValue, keys: $1) } }
  }

  /// `3 keys, 1 family, 1 reserved name; 1 legacy`
  package var text: String {
    func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
    var parts = [count(keys, "key", "keys")]
    if families > 0 { parts.append(count(families, "family", "families")) }
    if records > 0 { parts.append(count(records, "record", "records")) }
    if databases > 0 { parts.append(count(databases, "database", "databases")) }
    if reserved > 0 { parts.append(count(reserved, "reserved name", "reserved names")) }
    var remarks: [String] = []
    if legacy > 0 { remarks.append("\(legacy) legacy") }
    if deprecated > 0 { remarks.append("\(deprecated) deprecated") }
    let remark = remarks.isEmpty ? "" : "; " + remarks.joined(separator: ", ")
    return parts.joined(separator: ", ") + remark
  }

  /// `userDefaults 2, keychain 1`: what there is none of is left out.
  package static func text(_ counts: [Count]) -> String {
    let parts = counts.filter { $0.keys > 0 }.map { "\($0.name) \($0.keys)" }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}
