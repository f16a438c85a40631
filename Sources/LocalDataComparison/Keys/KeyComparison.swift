import LocalDataModel
import LocalDataVocabulary

/// Compares one key of an earlier state with today's.
struct KeyComparison {
  let old: CatalogState
  let context: ComparisonContext
  let check: ReadingCheck
  private let places: ExchangedPlaces
  private let renames: Renames
  /// The members of the keys that are the same today.
  let unchanged: Set<String>

  var today: CatalogState { context.today }
  var readers: ReaderIndex { context.readers }

  init(_ baseline: Baseline, _ context: ComparisonContext) {
    old = baseline.state
    unchanged = Set(baseline.unchanged)
    self.context = context
    check = ReadingCheck(oldTypes: old.types, newTypes: context.today.types)
    places = ExchangedPlaces(old, context)
    renames = Renames(baseline, context) { [places] key in
      context.readers[key.form.address].allSatisfy(places.isTaker) && !context.readers.isReserved(key.form)
    }
  }

  func findings(of key: DeclaredKey) -> [Finding] {
    if !readers.isReserved(key.form), let now = successor(of: key), let change = SigningKeyChange(of: key, now),
      let finding = change.finding
    {
      return [finding]
    }
    let review = successor(of: key).flatMap { OutdatedReview(of: key, $0).finding }
    return ownFindings(key) + sourceFindings(key) + [review].compactMap(\.self)
  }

  /// A reserved name that is a key's again, and is reserved no longer. That it is both is for another rule to report.
  func reuse(of name: CatalogState.ReservedName) -> Finding? {
    guard !readers.reserved.contains(name.address) else { return nil }
    let owner = readers[name.address].first { $0.isOwnPlace && today.keys[$0.member]?.isLegacy == false }
    guard let owner else { return nil }
    let field = context.freeName(like: owner.form).map { CatalogText.name($0, like: owner.form) }
    let name = field.map { "`\($0.name): \($0.value)`, or " } ?? ""
    return Finding(
      rule: .nameReused, subject: .key(owner.member),
      message: "reserved \(owner.form.place), and '\(owner.member)' uses it again",
      help: "write \(name)another name that was never used", remedy: Remedy(fields: [field].compactMap(\.self)),
      keys: [owner.member])
  }

  /// The key that has the values of an earlier one today: that of the same member, or of the member that a later release or
  /// today's catalogs gave to it.
  func successor(of key: DeclaredKey) -> DeclaredKey? {
    today.keys[member(of: key)] ?? renames[key.member]
  }

  /// The member that the newest release has for the address of a key. A release may have renamed the key in Swift.
  func member(of key: DeclaredKey) -> String {
    guard today.keys[key.member] == nil, !key.isLegacy else { return key.member }
    return context.released.owner(of: key.form.address)?.member ?? key.member
  }

  // MARK: The key's own values

  private func ownFindings(_ key: DeclaredKey) -> [Finding] {
    let form = key.form
    let all = readers[form.address]
    let member = member(of: key)
    let own = all.filter { readers.reads($0, for: member) }
    if own.isEmpty, let other = all.first, let findings = taken(key, by: other) ?? gone(key, all) { return findings }
    let candidates = (own.isEmpty ? all : own).map { (reader: $0, obstacles: check.obstacles(form, $0.form)) }
    if let sound = candidates.first(where: { $0.obstacles.isEmpty }) {
      return NarrowerDeclaration(key, at: sound.reader, context).findings
    }
    if readers.isReserved(form) { return [] }
    let successor = today.keys[member]
    let nearest = candidates.min { $0.obstacles.count < $1.obstacles.count }
    // A custom migration is asked only if the key finds no value: a value at a place that it reads is its own.
    let isFound = !own.isEmpty && nearest?.obstacles.contains { $0.kind == .address } == false
    if let successor, !isFound, successor.mayHaveMoved(key) { return narrower(key, successor) }
    if let nearest {
      return unreadable(key, at: nearest.reader, nearest.obstacles) + narrower(key, today.keys[nearest.reader.member])
    }
    // Nothing but the migrations read a legacy key: they are compared by themselves.
    if key.isLegacy, old.keys.values.contains(where: { $0.reads(key.member) }) { return [] }
    guard let successor, !successor.isLegacy else { return removed(key) }
    return missing(key, successor)
  }

  /// Nothing declares the key any more. If it seems to have another name, what else has changed is reported too.
  private func removed(_ key: DeclaredKey, except taker: String? = nil) -> [Finding] {
    let finding = RemovedKey(key, context, renames, except: taker).finding()
    guard let now = renames[key.member] else { return [finding] }
    return finding.remedy.fields.isEmpty ? [finding] + narrower(key, now) : restored(key, now, finding)
  }

  /// In what the key that is to read the values keeps less than the earlier one.
  private func narrower(_ key: DeclaredKey, _ now: DeclaredKey?) -> [Finding] {
    guard let now else { return [] }
    // The address is another one, so that nothing is compared that a migration would state.
    let reader = Reader(member: now.member, form: now.form, isOwnPlace: false)
    return NarrowerDeclaration(key, at: reader, context).findings
  }

  /// Returns the findings for a key that is gone, and whose address a key has that was stored elsewhere. It is not the same
  /// key under another name, so it must not read the values. Nil if no key has taken the address in this way.
  private func gone(_ key: DeclaredKey, _ readers: [Reader]) -> [Finding]? {
    guard let taker = readers.first, readers.count == 1, places.isTaker(taker), !key.isLegacy,
      let now = today.keys[taker.member], let earlier = old.keys[taker.member],
      today.keys[key.member]?.isLegacy != false, !context.readers.isReserved(key.form)
    else { return nil }
    let name = context.freeName(like: now.form).map { CatalogText.name($0, like: now.form) }
    let taken = Finding(
      rule: .addressChanged, subject: .key(now.member),
      message: "stored '\(key.member)' as \(key.form.place), which '\(now.member)' would read now: "
        + "its own values were stored as \(earlier.form.place)",
      help: name.map { "write `\($0.name): \($0.value)`, or another name that was never used" }
        ?? "choose a name that was never used",
      remedy: Remedy(fields: [name].compactMap(\.self)), keys: [key.member])
    return [taken] + removed(key, except: now.member)
  }

  /// Returns the findings for a key that is stored elsewhere today, while another key reads its values. Nil if the key
  /// was renamed in Swift: then the other key is the same one.
  private func taken(_ key: DeclaredKey, by reader: Reader) -> [Finding]? {
    guard let now = today.keys[member(of: key)], !now.isLegacy, !key.isLegacy, !readers.isReserved(key.form),
      !now.mayHaveMoved(key)
    else { return nil }
    let finding = TakenPlace(key: key, now: now, reader: reader, places: places, context: context).finding()
    // Of a legacy key, the values are read by a migration, in the form that it declares.
    let isLegacy = today.keys[reader.member]?.isLegacy == true
    let misread = isLegacy ? unreadable(key, at: reader, check.obstacles(key.form, reader.form)) : []
    return misread + restored(key, now, finding)
  }

  /// Nothing reads the address any more, and the key is stored elsewhere.
  private func missing(_ key: DeclaredKey, _ now: DeclaredKey) -> [Finding] {
    // From an older address, the key moved away in a later release.
    let isNewest = context.released.newestAddress(of: key.member) == key.form.address
    let answer = isNewest && places.takesAnother(now) ? goingBack(key, now) : moving(key, to: now)
    let finding = Finding(
      rule: .addressChanged, subject: .key(now.member),
      message: "stored '\(key.member)' as \(key.form.place), and it is looked for as \(now.form.place) now",
      help: answer.help, remedy: answer.remedy, keys: [key.member])
    return restored(key, now, finding)
  }

  /// A migration would not help a key that reads the values of another one at its new place.
  private func goingBack(_ key: DeclaredKey, _ now: DeclaredKey) -> (help: String, remedy: Remedy) {
    let fields = CatalogText.place(of: key, in: now)
    return (
      "write `\(FieldValue.map(fields).lines.joined(separator: "`, `"))` again: "
        + "at the new place are values of another key",
      places.canGoBack(key) ? Remedy(fields: fields) : Remedy()
    )
  }

  /// The old address as a source.
  private func moving(_ key: DeclaredKey, to now: DeclaredKey) -> (help: String, remedy: Remedy) {
    guard key.form.parameters.count == now.form.parameters.count else {
      return (
        "no migration can read the values of a family as those of another one or of a single key: write the released "
          + "name and its parameters again, or declare the old place as a key with another member", Remedy()
      )
    }
    guard let proposal = context.proposal(key, for: now) else {
      return (
        "go back to the old place, or read it in a custom migration: releases stored values in several forms there",
        Remedy()
      )
    }
    let step = RemedyBuilder.step(proposal, to: now)
    let text = "`migration: \(now.written(step))`"
    let help =
      proposal.newKey == nil
      ? "\(proposal.preparation)add \(text) to '\(now.member)', or go back to the old place"
      : "\(proposal.preparation)\(text)"
    return (help, Remedy(steps: [step]).declaring(proposal))
  }

  /// A finding whose remedy may give a key its old place back, and what then still prevents the values from being read.
  private func restored(_ key: DeclaredKey, _ now: DeclaredKey, _ finding: Finding) -> [Finding] {
    let fields = finding.remedy.fields
    guard !fields.isEmpty else { return [finding] + narrower(key, now) }
    var form = now.form
    form.name = key.form.name
    form.domain = key.form.domain
    form.parameters = key.form.parameters
    if fields.contains(where: { $0.name == "security" }) { form.security = key.form.security }
    let forms =
      [form]
      + now.steps.compactMap { step in
        if case .inPlace(let domain, let security) = step.action { form.secured(security, in: domain) } else { nil }
      }
    let readers = forms.map { Reader(member: now.member, form: $0, isOwnPlace: true) }
    let nearest = readers.map { (reader: $0, obstacles: check.obstacles(key.form, $0.form)) }
      .min { $0.obstacles.count < $1.obstacles.count }
    guard let nearest else { return [finding] }
    let more = unreadable(key, at: nearest.reader, nearest.obstacles)
    var finding = finding
    if let moved = more.first(where: { $0.rule == .serializerChanged }) {
      // At its old place the key could not read the values: it needs a new name, with the old one as the source.
      finding.remedy = moved.remedy
      finding.help = moved.help
    }
    return [finding] + more + narrower(key, now)
  }

  func unreadable(_ key: DeclaredKey, at reader: Reader, _ obstacles: [Obstacle]) -> [Finding] {
    guard let owner = today.keys[reader.member] else { return [] }
    return obstacles.map { obstacle in
      if case .rawValue(let name, let oldName) = obstacle.kind {
        return changedRawValue(key, name, oldName, obstacle)
      }
      let answer = remedies(key, at: reader, owner, obstacles).answer(to: obstacle)
      let what = reader.isOwnPlace ? "'\(key.member)'" : "\(key.storedForm.place), a source of '\(owner.member)',"
      return Finding(
        rule: answer.rule, subject: .key(owner.member), message: "stored \(what) \(obstacle.reason)",
        help: answer.help, remedy: answer.remedy, keys: [key.member])
    }
  }

  private func changedRawValue(
    _ key: DeclaredKey, _ name: String, _ oldName: String, _ obstacle: Obstacle
  ) -> Finding {
    // A schema is of a key's own values. An inline source has none.
    let isSource = readers.sourceTypes.contains(name)
    let help =
      isSource
      ? ", or declare the released enum in 'types' under another name, as the type of each source that has it, and raise "
        + "the schema of each key that uses '\(name)'"
      : ", or raise the schema of each key that uses '\(name)'"
    return Finding(
      rule: .rawValueChanged, subject: .type(name), message: "stored values \(obstacle.reason)",
      help: "give the raw value back to its case\(help)",
      remedy: Remedy(cases: CatalogText.cases(old.types[oldName], today.types[name])), keys: [key.member])
  }

  func remedies(
    _ key: DeclaredKey, at reader: Reader, _ owner: DeclaredKey, _ obstacles: [Obstacle]
  ) -> RemedyBuilder {
    RemedyBuilder(old: key, owner: owner, reader: reader, obstacles: obstacles, check: check, context: context)
  }
}

extension DeclaredKey {
  func reads(_ member: String) -> Bool {
    steps.contains { step in
      if case .from(let sources) = step.action { sources.contains(.member(member)) } else { false }
    }
  }
}
