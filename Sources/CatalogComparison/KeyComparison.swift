import CatalogModel
import StorageVocabulary

/// Compares one key of an earlier state with today's.
struct KeyComparison {
  let old: CatalogState
  let today: CatalogState
  let readers: ReaderIndex
  let released: ReleasedForms
  private let check: ReadingCheck
  private let places: ExchangedPlaces

  init(old: CatalogState, today: CatalogState, readers: ReaderIndex, released: ReleasedForms) {
    self.old = old
    self.today = today
    self.readers = readers
    self.released = released
    check = ReadingCheck(oldTypes: old.types, newTypes: today.types)
    places = ExchangedPlaces(old, today, readers)
  }

  func findings(of key: DeclaredKey) -> [Finding] { ownFindings(key) + sourceFindings(key) }

  /// A reserved name that is a key's again, and is reserved no longer. That it is both is for another rule to report.
  func reuse(of name: CatalogState.ReservedName) -> Finding? {
    guard !readers.reserved.contains(name.address) else { return nil }
    let owner = readers[name.address].first { $0.isOwnPlace && today.keys[$0.member]?.isLegacy == false }
    guard let owner else { return nil }
    return Finding(
      rule: .nameReused, subject: .key(owner.member),
      message: "reserved \(owner.form.place), and '\(owner.member)' uses it again",
      help: "write `name: \(RemedyBuilder.newName(owner.form.name))`, or another name that was never used",
      remedy: Remedy(fields: [.init("name", .text(RemedyBuilder.newName(owner.form.name)))]), keys: [owner.member])
  }

  // MARK: The key's own values

  private func ownFindings(_ key: DeclaredKey) -> [Finding] {
    let form = key.form
    let all = readers[form.address]
    let own = all.filter { readers.reads($0, for: key.member) }
    if own.isEmpty, let other = all.first, let finding = taken(key, by: other) { return [finding] }
    let candidates = (own.isEmpty ? all : own).map { (reader: $0, obstacles: check.obstacles(form, $0.form)) }
    if let sound = candidates.first(where: { $0.obstacles.isEmpty }) {
      return downgrade(of: key, at: sound.reader) + shrinking(of: key, at: sound.reader)
    }
    let successor = today.keys[key.member]
    let isCustom = successor?.steps.contains { $0.action == .custom } ?? false
    if isCustom || readers.isReserved(form) { return [] }
    if let nearest = candidates.min(by: { $0.obstacles.count < $1.obstacles.count }) {
      return unreadable(key, at: nearest.reader, nearest.obstacles)
    }
    // Nothing but the migrations read a legacy key: they are compared by themselves.
    if key.isLegacy, old.keys.values.contains(where: { $0.reads(key.member) }) { return [] }
    return [missing(key, successor)]
  }

  /// Returns the finding for a key that is stored elsewhere today, while another key reads its values. Nil if the key
  /// was renamed in Swift: then the other key is the same one.
  private func taken(_ key: DeclaredKey, by reader: Reader) -> Finding? {
    guard let now = today.keys[key.member], !now.isLegacy, !key.isLegacy, !readers.isReserved(key.form),
      !now.steps.contains(where: { $0.action == .custom })
    else { return nil }
    return TakenPlace(key: key, now: now, reader: reader, places: places).finding(today)
  }

  /// Nothing reads the address any more.
  private func missing(_ key: DeclaredKey, _ successor: DeclaredKey?) -> Finding {
    let form = key.form
    guard let successor, !successor.isLegacy else {
      let entry = RemedyBuilder.reserved(form)
      return Finding(
        rule: .keyRemoved, subject: .catalog(key.catalog),
        message: "stored '\(key.member)' as \(form.place), and nothing declares or reserves it now",
        help:
          "if another key replaces it, name it as the source of that key's migration; otherwise add `- \(entry)` to "
          + "'reserved', which keeps the values, or with `cleanup: delete` removes them",
        remedy: Remedy(reserved: entry),
        keys: [key.member])
    }
    let remedy =
      places.takesAnother(successor)
      ? goingBack(key, successor) : RemedyBuilder.moving(key, to: successor, released.forms(like: form, check))
    return Finding(
      rule: .addressChanged, subject: .key(successor.member),
      message: "stored '\(key.member)' as \(form.place), and it is looked for as \(successor.form.place) now",
      help: remedy.help, remedy: remedy.remedy, keys: [key.member])
  }

  /// A migration would not help a key that reads the values of another one at its new place.
  private func goingBack(_ key: DeclaredKey, _ now: DeclaredKey) -> (help: String, remedy: Remedy) {
    let fields = RemedyBuilder.place(of: key, in: now)
    return (
      "write `\(FieldValue.map(fields).lines.joined(separator: "`, `"))` again: "
        + "at the new place are values of another key",
      places.canGoBack(key) ? Remedy(fields: fields) : Remedy()
    )
  }

  private func unreadable(_ key: DeclaredKey, at reader: Reader, _ obstacles: [Obstacle]) -> [Finding] {
    guard let owner = today.keys[reader.member] else { return [] }
    return obstacles.map { obstacle in
      if case .rawValue(let name, let oldName) = obstacle.kind {
        return Finding(
          rule: .rawValueChanged, subject: .type(name), message: "stored values \(obstacle.reason)",
          help: "give the raw value back to its case, or raise the schema of each key that uses '\(name)'",
          remedy: Remedy(cases: RemedyBuilder.cases(old.types[oldName], today.types[name])), keys: [key.member])
      }
      let answer = remedies(key, at: reader, owner, obstacles).answer(to: obstacle)
      let what = reader.isOwnPlace ? "'\(key.member)'" : "\(key.storedForm.place), a source of '\(owner.member)',"
      return Finding(
        rule: answer.rule, subject: .key(owner.member), message: "stored \(what) \(obstacle.reason)",
        help: answer.help, remedy: answer.remedy, keys: [key.member])
    }
  }

  private func remedies(
    _ key: DeclaredKey, at reader: Reader, _ owner: DeclaredKey, _ obstacles: [Obstacle]
  ) -> RemedyBuilder {
    RemedyBuilder(old: key, owner: owner, reader: reader, obstacles: obstacles, check: check, released: released)
  }

  /// A migration that names the old protection states the change; without one it happens silently.
  private func downgrade(of key: DeclaredKey, at reader: Reader) -> [Finding] {
    guard reader.isOwnPlace, reader.step == nil, let owner = today.keys[reader.member] else { return [] }
    let weaker = ProtectionChange(from: key, to: owner).atRest
    guard !weaker.isEmpty else { return [] }
    let fields = ProtectionChange.restoring(key, owner)
    return [
      Finding(
        rule: .weakerProtection, subject: .key(owner.member),
        message: "protected '\(key.member)' better: \(weaker.joined(separator: ", "))",
        help: "write `\(FieldValue.map(fields).lines.joined(separator: "`, `"))` again, unless the change is meant",
        remedy: Remedy(fields: fields), keys: [key.member])
    ]
  }

  /// A larger value is refused before it is decoded. A release that had the default of the domain is not reported: few
  /// values are as large as the default allows.
  private func shrinking(of key: DeclaredKey, at reader: Reader) -> [Finding] {
    guard reader.isOwnPlace, let owner = today.keys[reader.member], let before = key[.maxSize].integer,
      let now = owner[.maxSize].integer, now < before, before != key.domain.kind.defaultMaxSize
    else { return [] }
    let field = FieldValue.Entry("maxSize", .integer(before))
    return [
      Finding(
        rule: .maxSizeLowered, subject: .key(owner.member),
        message: "stored '\(key.member)' with up to \(before) bytes, and more than \(now) cannot be read now",
        help: "write `maxSize: \(before)`, or more",
        remedy: Remedy(fields: [field]), keys: [key.member])
    ]
  }

  // MARK: Sources of its migration

  /// Values that an earlier version left at a source may still wait there: a key is migrated when it is first used.
  private func sourceFindings(_ key: DeclaredKey) -> [Finding] {
    let successor = today.keys[key.member]
    if successor?.steps.contains(where: { $0.action == .custom }) == true { return [] }
    var findings: [Finding] = []
    for step in key.steps {
      if case .inPlace(let domain, let security) = step.action {
        if let finding = unsecured(key, key.form.secured(security, in: domain)) { findings.append(finding) }
      }
      guard case .from(let sources) = step.action else { continue }
      for source in sources {
        switch source {
        case .member(let member):
          guard !readers.isUsed(legacyKey: member) else { continue }
          let form = (old.keys[member] ?? today.keys[member])?.form
          if let form, readers[form.address].contains(where: { isLive($0) }) || readers.isReserved(form) { continue }
          findings.append(removed(step, "'\(member)'", form, of: key, successor))
        case .inline(let form):
          let candidates = readers[form.address].map { (reader: $0, obstacles: check.obstacles(form, $0.form)) }
          if candidates.contains(where: { $0.obstacles.isEmpty }) || readers.isReserved(form) { continue }
          // An own key that stored something else there is compared by itself.
          if let other = candidates.first(where: { !$0.reader.isOwnPlace }) {
            findings += unreadable(key.storing(form), at: other.reader, other.obstacles)
          } else if candidates.isEmpty {
            findings.append(removed(step, form.place, form, of: key, successor))
          }
        }
      }
    }
    return findings
  }

  /// Returns the finding for values that an earlier version was to secure in place, and that nothing reads as they were
  /// before. Nil if they can be read, or if they differ in more than that: then the key's own values have a finding.
  private func unsecured(_ key: DeclaredKey, _ older: StoredForm) -> Finding? {
    let all = readers[older.address]
    let own = all.filter { readers.reads($0, for: key.member) }
    if readers.isReserved(older) || (own.isEmpty && today.keys[key.member] != nil) { return nil }
    let candidates = (own.isEmpty ? all : own).map { (reader: $0, obstacles: check.obstacles(older, $0.form)) }
    guard let nearest = candidates.min(by: { $0.obstacles.count < $1.obstacles.count }),
      let obstacle = nearest.obstacles.first(where: { $0.kind == .security }),
      let owner = today.keys[nearest.reader.member]
    else { return nil }
    let answer = remedies(key.storing(older), at: nearest.reader, owner, [obstacle]).answer(to: obstacle)
    return Finding(
      rule: .migrationRemoved, subject: .key(owner.member),
      message: "secured '\(key.member)' in place, and values that are still stored with "
        + "`security: \(FieldValue(older.security))` are lost",
      help: answer.help, remedy: answer.remedy, keys: [key.member])
  }

  private func isLive(_ reader: Reader) -> Bool { !reader.isOwnPlace || today.keys[reader.member]?.isLegacy == false }

  private func removed(
    _ step: MigrationStep, _ source: String, _ form: StoredForm?, of key: DeclaredKey, _ successor: DeclaredKey?
  ) -> Finding {
    let entry = form.map(RemedyBuilder.reserved)
    let alternative = entry.map { "add `- \($0)` to 'reserved'" } ?? "reserve its name"
    guard let successor, !successor.isLegacy else {
      return Finding(
        rule: .migrationRemoved, subject: .catalog(key.catalog),
        message: "moved \(source) to '\(key.member)', and values that were not moved yet are lost",
        help: alternative, remedy: Remedy(reserved: entry), keys: [key.member])
    }
    var written = step.value
    if case .from(let sources) = step.action, sources.count == 1, case .inline(let form)? = sources.first,
      !form.isFoundation
    {
      written = RemedyBuilder.step(from: form, to: successor, isMoved: true, like: written)
    }
    return Finding(
      rule: .migrationRemoved, subject: .key(successor.member),
      message: "moved \(source) to '\(key.member)', and values that were not moved yet are lost",
      help: "write `migration: \(written)` again, or \(alternative)", remedy: Remedy(steps: [written]),
      keys: [key.member])
  }
}

extension DeclaredKey {
  fileprivate func reads(_ member: String) -> Bool {
    steps.contains { step in
      if case .from(let sources) = step.action { sources.contains(.member(member)) } else { false }
    }
  }
}

extension FieldValue {
  /// Each entry of a map as a line of a catalog.
  package var lines: [String] { entries.map { "\($0.name): \($0.value)" } }
}
