package import LocalDataModel
import LocalDataVocabulary

/// Unmanaged data of a state, by the facts that a snapshot has of it.
package struct DeclaredUnmanaged: Declaration {
  package let member: String
  /// The facts in the order in which a snapshot writes them.
  package let facts: [FieldValue.Entry]
  package let catalog: String

  /// Creates unmanaged data from the facts of a snapshot. Returns nil if they are not complete.
  package init?(_ member: String, facts: FieldValue) {
    self.init(member, facts.entries.filter { Self.known.contains($0.name) })
  }

  init?(_ data: ResolvedUnmanaged, catalog: String) {
    let descriptor = data.descriptor
    let isFile = data.file != nil
    self.init(
      data.member,
      FieldValue.map(present: [
        .init("catalog", .text(catalog)), .init("domain", data.domainValue),
        .init("name", isFile || descriptor.name.isEmpty ? .absent : .text(descriptor.name)),
        .init("security", FieldValue(descriptor.security)),
        .init("protection", isFile ? .text(data.protection.rawValue) : .absent),
        .init("retention", Self.value(of: descriptor.retention)),
        .init("backup", isFile ? .flag(descriptor.backup) : .absent),
        .init("sensitivity", .text(descriptor.sensitivity.rawValue)),
        .init("privacy", data.key.privacy.map { FieldValue($0) } ?? .absent),
        .init("owner", .text(descriptor.owner)), .init("title", FieldValue(data.key.labels.title)),
        .init("tags", data.key.labels.tags.isEmpty ? .absent : .list(data.key.labels.tags.map(FieldValue.text))),
        .init("description", .text(descriptor.description)),
      ]).entries)
  }

  private init?(_ member: String, _ facts: [FieldValue.Entry]) {
    let all = FieldValue.map(facts)
    guard let catalog = all["catalog"].text, all["domain"] != .absent else { return nil }
    self.member = member
    self.facts = facts
    self.catalog = catalog
  }

  private static func value(of retention: Retention?) -> FieldValue {
    switch retention {
    case nil: .absent
    case .maxAge(let seconds): .map([.init(Retention.Kind.maxAge.rawValue, .text(Retention.text(seconds: seconds)))])
    case .untilRelaunch: .map([.init(Retention.Kind.until.rawValue, .text(Retention.End.relaunch.rawValue))])
    case .untilReinstall: .map([.init(Retention.Kind.until.rawValue, .text(Retention.End.reinstall.rawValue))])
    }
  }

  private static let known: Set = [
    "catalog", "domain", "name", "security", "protection", "retention", "backup", "sensitivity", "privacy", "owner",
    "title", "tags", "description",
  ]
}

extension DeclaredUnmanaged {
  package subscript(name: String) -> FieldValue { FieldValue.map(facts)[name] }

  /// Returns true if the data is kept longer than a retention of an earlier state says.
  package func isKeptLonger(than retention: FieldValue) -> Bool {
    guard retention != .absent else { return false }
    let now = self["retention"]
    guard now != .absent, let before = Self.age(retention) else { return now == .absent }
    return Self.age(now).map { $0 > before } ?? true
  }

  private static func age(_ retention: FieldValue) -> Int? {
    retention[Retention.Kind.maxAge.rawValue].text.flatMap(Retention.seconds)
  }

  /// Returns the names of the facts by which the data is protected less than before.
  package func weakerFacts(than old: DeclaredUnmanaged) -> Set<String> {
    var weaker: Set<String> = []
    if let before = SecurityPolicy(old["security"]), let now = SecurityPolicy(self["security"]),
      Self.isWeaker(now, than: before)
    {
      weaker.insert("security")
    }
    let protections = ResolvedDatabase.Protection.allCases
    if let before = old["protection"].text.flatMap(ResolvedDatabase.Protection.init),
      let now = self["protection"].text.flatMap(ResolvedDatabase.Protection.init),
      let first = protections.firstIndex(of: before), let second = protections.firstIndex(of: now), second > first
    {
      weaker.insert("protection")
    }
    if old["backup"] == .flag(false), self["backup"] != .flag(false) { weaker.insert("backup") }
    return weaker
  }

  private static func isWeaker(_ new: SecurityPolicy, than old: SecurityPolicy) -> Bool {
    guard case .keychain(let before, let oldControl) = old else { return false }
    guard case .keychain(let now, let control) = new else { return true }
    return ProtectionOrder.accessibility.isWeaker(now, than: before)
      || ProtectionOrder.accessControl.isWeaker(control, than: oldControl)
  }
}
