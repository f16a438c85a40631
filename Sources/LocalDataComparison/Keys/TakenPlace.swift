import LocalDataModel

/// A key that is stored elsewhere today, while another key reads the values that it stored.
struct TakenPlace {
  /// The key of the earlier state.
  let key: DeclaredKey
  /// The same member today.
  let now: DeclaredKey
  /// The code that reads the old place.
  let reader: Reader
  let places: ExchangedPlaces
  let context: ComparisonContext

  func finding() -> Finding {
    let answer = answer(context.today.keys[reader.member])
    return Finding(
      rule: .addressChanged, subject: .key(now.member),
      message: "stored '\(key.member)' as \(key.form.place), which '\(reader.member)' reads now, "
        + "and '\(key.member)' is looked for as \(now.form.place)",
      help: answer.help, remedy: answer.remedy, keys: [key.member])
  }

  private func answer(_ owner: DeclaredKey?) -> (help: String, remedy: Remedy) {
    if let owner, owner.isLegacy { return legacy(owner) }
    if !reader.isOwnPlace {
      return ("read the old place in a migration of '\(key.member)', and not in that of '\(reader.member)'", Remedy())
    }
    let fields = CatalogText.place(of: key, in: now)
    let text = "write `\(FieldValue.map(fields).lines.joined(separator: "`, `"))` in '\(key.member)' again"
    let isNewest = context.released.newestAddress(of: key.member) == key.form.address
    guard isNewest, places.canGoBack(key) else {
      return ("give '\(reader.member)' a place that was never used, and \(text)", Remedy())
    }
    return ("\(text), so that no key reads the values of another", Remedy(fields: fields))
  }

  /// A legacy key is declared to be a source.
  private func legacy(_ owner: DeclaredKey) -> (help: String, remedy: Remedy) {
    var step: [FieldValue.Entry] = [.init("from", .text(owner.member))]
    if owner.type != now.type { step.append(.init("transform", CatalogText.transform(for: now.member))) }
    let value = FieldValue.map(step)
    let isFree =
      !places.readers.isUsed(legacyKey: owner.member) && owner[.parameters] == now[.parameters]
    return ("add `migration: \(value)` to '\(now.member)'", isFree ? Remedy(steps: [value]) : Remedy())
  }
}

/// The places of an earlier state that other keys have today.
struct ExchangedPlaces {
  let readers: ReaderIndex
  private let old: CatalogState
  private let today: CatalogState
  private let released: ReleasedForms
  /// The members of the earlier state by their addresses.
  private let owners: [StoredPlace: String]

  init(_ old: CatalogState, _ context: ComparisonContext) {
    self.old = old
    today = context.today
    readers = context.readers
    released = context.released
    owners = Dictionary(old.keys.values.filter { !$0.isLegacy }.map { ($0.form.address, $0.member) }) { first, _ in
      first
    }
  }

  /// A key as the earlier state or a later release has it.
  private func earlier(_ member: String) -> DeclaredKey? {
    let key = old.keys[member] ?? released.newestAddress(of: member).flatMap(released.owner)
    return key?.isLegacy == false ? key : nil
  }

  /// Returns true if a key of today has the place of a key that is stored elsewhere today.
  func takesAnother(_ key: DeclaredKey) -> Bool {
    let newest = released.owner(of: key.form.address)?.member ?? owners[key.form.address]
    guard let owner = newest, owner != key.member, let now = today.keys[owner] else { return false }
    return !now.isLegacy && now.form.address != key.form.address
  }

  /// Returns true if a reader is a key that was stored elsewhere, and has not moved from there to the address.
  func isTaker(_ reader: Reader) -> Bool {
    guard reader.isOwnPlace, reader.step == nil, let earlier = earlier(reader.member),
      today.keys[reader.member]?.isLegacy == false
    else { return false }
    return earlier.form.address != reader.form.address
  }

  /// Returns true if a key can have its old place again after all other keys with findings went back to theirs.
  func canGoBack(_ key: DeclaredKey) -> Bool {
    var key = key
    var seen: Set<String> = []
    while seen.insert(key.member).inserted {
      // A single key does not become a family by fields that are added, nor a family a single key.
      guard let now = today.keys[key.member], !now.isLegacy,
        key.form.parameters.isEmpty == now.form.parameters.isEmpty
      else { return false }
      let others = readers[key.form.address].filter { $0.member != key.member }
      guard let other = others.first else { return true }
      guard others.count == 1, other.isOwnPlace, other.step == nil, let earlier = earlier(other.member),
        earlier.form.address != key.form.address,
        !readers[earlier.form.address].contains(where: { $0.member == other.member })
      else { return false }
      key = earlier
    }
    return true
  }
}
