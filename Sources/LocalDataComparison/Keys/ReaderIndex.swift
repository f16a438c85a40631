package import LocalDataModel
import LocalDataVocabulary

/// Code of today that reads an address.
struct Reader {
  /// The key that the values belong to.
  var member: String
  /// The form that it reads.
  var form: StoredForm
  /// A Boolean value that indicates whether the address is the key's own, and not that of a source.
  var isOwnPlace: Bool
  /// A Boolean value that indicates whether a step of the key's migration reads it.
  var step: MigrationStep?
}

/// Today's readers by address.
struct ReaderIndex {
  private var byAddress: [StoredPlace: [Reader]] = [:]
  /// Legacy keys that a migration names, with the keys that have the migration.
  private var legacyUsers: [String: Set<String>] = [:]
  /// The fields of legacy keys that migrations read.
  private var fields: [String: Set<FieldValue>] = [:]
  private(set) var reserved: Set<StoredPlace> = []
  private var reservedFamilies: [CatalogState.ReservedName] = []
  /// The readers of families.
  private var families: [Reader] = []

  init(_ state: CatalogState) {
    byAddress.reserveCapacity(state.keys.count)
    for key in state.keys.values {
      let form = key.form
      add(Reader(member: key.member, form: form, isOwnPlace: true))
      for step in key.steps { add(step, of: key, form) }
    }
    for name in state.reserved {
      reserved.insert(name.address)
      if name.name.contains("{") { reservedFamilies.append(name) }
    }
  }

  private mutating func add(_ step: MigrationStep, of key: DeclaredKey, _ form: StoredForm) {
    switch step.action {
    case .custom: break
    case .inPlace(let domain, let security):
      let older = form.secured(security, in: domain)
      add(Reader(member: key.member, form: older, isOwnPlace: true, step: step))
    case .from(let sources):
      for source in sources {
        switch source {
        case .member(let member):
          legacyUsers[member, default: []].insert(key.member)
          fields[member, default: []].insert(step.field)
        case .inline(let form): add(Reader(member: key.member, form: form, isOwnPlace: false, step: step))
        }
      }
    }
  }

  private mutating func add(_ reader: Reader) {
    byAddress[reader.form.address, default: []].append(reader)
    if !reader.form.parameters.isEmpty { families.append(reader) }
  }

  subscript(address: StoredPlace) -> [Reader] {
    (byAddress[address] ?? []).sorted { ($0.isOwnPlace ? 0 : 1, $0.member) < ($1.isOwnPlace ? 0 : 1, $1.member) }
  }

  /// Returns true if a key has or reads an address. The parameters of a family never contain an underscore, so that
  /// only the name of a single key can be one of a family's.
  func isRead(_ form: StoredForm) -> Bool {
    if byAddress[form.address] != nil { return true }
    return form.parameters.isEmpty && families.contains { $0.form.isOfSameContainer(form) && $0.form.covers(form.name) }
  }

  /// Returns true if a key has or reads an address, or if a family of one has names like those of the other.
  ///
  /// - Parameter member: A key that does not count.
  func isUsed(_ form: StoredForm, except member: String? = nil) -> Bool {
    if byAddress[form.address]?.contains(where: { $0.member != member }) == true { return true }
    let others = families.filter { $0.member != member && $0.form.isOfSameContainer(form) }
    if others.contains(where: { $0.form.covers(form.wildcardName) }) { return true }
    return !form.parameters.isEmpty
      && byAddress.values.joined().contains {
        $0.member != member && $0.form.isOfSameContainer(form) && form.covers($0.form.wildcardName)
      }
  }

  /// The types that sources and legacy keys decode.
  var sourceTypes: Set<String> {
    Set(
      byAddress.values.joined().filter { !$0.isOwnPlace || legacyUsers[$0.member] != nil }
        .flatMap { TypeExpression(known: $0.form.type)?.names ?? [] })
  }

  /// Returns true if a migration names a legacy key.
  func isUsed(legacyKey member: String) -> Bool { legacyUsers[member] != nil }

  /// A Boolean value that indicates whether several keys may take parts of one source.
  var hasParts: Bool {
    fields.values.contains { $0.contains { $0 != .absent } } || legacyUsers.values.contains { $0.count > 1 }
  }

  /// Returns true if a migration reads what a step of an earlier release reads of a legacy key.
  ///
  /// - Parameters:
  ///   - isShared: True if several keys of the release take parts of the value.
  ///   - successor: The key that has the values of the key of the step.
  func isRead(_ legacyKey: String, like step: MigrationStep, isShared: Bool, for successor: DeclaredKey?) -> Bool {
    if step.field != .absent { return fields[legacyKey]?.contains(step.field) == true }
    guard let readers = legacyUsers[legacyKey] else { return false }
    return !isShared || successor.map { readers.contains($0.member) } ?? false
  }

  /// The keys whose migration names a legacy key.
  func users(of legacyKey: String) -> [String] { (legacyUsers[legacyKey] ?? []).sorted() }

  /// Returns true if a reader is a key itself, or a legacy key that its migration names.
  func reads(_ reader: Reader, for member: String) -> Bool {
    reader.member == member || legacyUsers[reader.member]?.contains(member) == true
  }

  func isReserved(_ form: StoredForm) -> Bool {
    let address = form.address
    if reserved.contains(address) { return true }
    return reservedFamilies.contains { family in
      family.address.container == address.container && family.covers(form.wildcardName)
    }
  }
}

extension CatalogState.ReservedName {
  var address: StoredPlace { StoredPlace(domain, name: StoredForm.wildcards(name)) }

  /// Returns true if a stored name can be one of this family's.
  func covers(_ name: String) -> Bool { StoredForm.covers(self.name, name) }
}

extension StoredForm {
  /// The address of an entry of `reserved`; nil if its domain is none of this version.
  package static func address(reserved entry: FieldValue) -> StoredPlace? {
    let path = entry["domain"].entries.first?.value["path"].text
    guard let name = entry["name"].text ?? path, let domain = StorageDomain(entry["domain"]) else { return nil }
    return StoredPlace(domain, name: wildcards(name))
  }

  fileprivate func isOfSameContainer(_ other: StoredForm) -> Bool {
    address.container == other.address.container
  }

  /// Returns true if a stored name can be one of this family's.
  func covers(_ name: String) -> Bool { Self.covers(self.name, name) }

  /// Returns true if a stored name can be one of a family's with a name.
  static func covers(_ family: String, _ name: String) -> Bool {
    let parts = wildcards(family).split(separator: "{}", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last, name.hasPrefix(first) else { return false }
    var rest = name.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.count >= last.count && rest.hasSuffix(last)
  }
}
