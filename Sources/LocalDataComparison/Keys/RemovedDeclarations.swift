import LocalDataModel

/// A key that no catalog declares any more.
struct RemovedKey {
  private let key: DeclaredKey
  private let context: ComparisonContext
  private let renames: Renames
  private let taker: String?

  /// - Parameter taker: A key that has the address today, and gets another one.
  init(_ key: DeclaredKey, _ context: ComparisonContext, _ renames: Renames, except taker: String? = nil) {
    self.key = key
    self.context = context
    self.renames = renames
    self.taker = taker
  }

  func finding() -> Finding {
    let form = key.form
    let (subject, help, remedy) = renames[key.member].map(renamed) ?? removed()
    return Finding(
      rule: .keyRemoved, subject: subject,
      message: "stored '\(key.member)' as \(form.place), and nothing declares or reserves it now", help: help,
      remedy: remedy, keys: [key.member])
  }

  /// Another key seems to be the same one under another name.
  private func renamed(_ now: DeclaredKey) -> (Finding.Subject, String, Remedy) {
    // The item has no account, so a name would not give the place back.
    guard !key.form.name.isEmpty else { return removed() }
    let name = CatalogText.name(key.form.name(for: now.form.parameters) ?? key.form.name, like: key.form)
    guard let proposal = context.proposal(key, for: now) else { return removed() }
    let step = RemedyBuilder.step(proposal, to: now)
    let migration = "\(proposal.preparation)write `migration: \(now.written(step))` there"
    // Values at an address that the key left before it was renamed are moved from there.
    let isNewest = context.released.newestAddress(of: key.member) == key.form.address
    let keeping =
      "write `\(name.name): \(name.value)` there, so that it keeps its values; to store them as '\(now.form.name)' "
    let help =
      "if '\(now.member)' replaces it, " + (isNewest ? "\(keeping)from now on, \(migration)" : migration)
      + "; if the values are not needed any more, \(giveUp)"
    return (
      .key(now.member), help, isNewest ? Remedy(fields: [name]) : Remedy(steps: [step]).declaring(proposal)
    )
  }

  private func removed() -> (Finding.Subject, String, Remedy) {
    let members = renames.members(for: key.member)
    guard members.isEmpty || key.form.name.isEmpty else {
      let list = members.map { "'\($0)'" }.joined(separator: " or ")
      let name = FieldValue.text(key.form.name)
      return (
        .catalog(key.catalog),
        "if \(list) replaces it, write `name: \(name)` there, so that it keeps its values; "
          + "if the values are not needed any more, \(giveUp)", Remedy()
      )
    }
    return (
      .catalog(key.catalog),
      "if another key replaces it, name it as the source of that key's migration; otherwise \(giveUp)",
      Remedy(reserved: context.reservable(key.form, except: taker))
    )
  }

  private var giveUp: String {
    "add `- \(CatalogText.reserved(key.form))` to 'reserved': the app can no longer read them. They stay on the devices, or "
      + "are removed with `cleanup: delete`"
  }
}

/// A step of a release's migration that no key has any more.
struct RemovedStep {
  /// The key of the release.
  let key: DeclaredKey
  let step: MigrationStep
  /// The key that has its values today.
  let successor: DeclaredKey?
  let old: CatalogState
  let context: ComparisonContext

  /// - Parameters:
  ///   - source: The source that is not read, in words.
  ///   - form: The form of its values, if it is known.
  func finding(_ source: String, _ form: StoredForm?) -> Finding {
    let part = step.field == .absent ? "" : "the field \(step.field) of "
    let message = "moved \(part)\(source) to '\(key.member)', and values that were not moved yet are lost"
    let entry = step.field == .absent ? form.flatMap { context.reservable($0) } : nil
    let alternative = entry.map { "add `- \($0)` to 'reserved', if these values are not needed" }
    guard let successor, !successor.isLegacy, form.map({ isAlike($0, successor) }) ?? true else {
      return Finding(
        rule: .migrationRemoved, subject: .catalog(key.catalog), message: message,
        help: alternative ?? "read them in the migration of another key",
        remedy: Remedy(reserved: successor == nil ? entry : nil),
        keys: [key.member])
    }
    let (written, remedy, preparation) = restored(successor)
    let text = "\(preparation)write `migration: \(successor.written(written))` again"
    return Finding(
      rule: .migrationRemoved, subject: .key(successor.member), message: message,
      help: text + (alternative.map { ", or \($0)" } ?? ""), remedy: remedy, keys: [key.member])
  }

  /// A migration reads values one by one, with the parameters of the key that has it.
  private func isAlike(_ form: StoredForm, _ successor: DeclaredKey) -> Bool {
    step.field != .absent || form.parameters.count == successor.form.parameters.count
  }

  /// The step with sources that describe the released values, in the migration of another key.
  private func restored(_ successor: DeclaredKey) -> (FieldValue, Remedy, String) {
    guard case .from(let sources) = step.action else { return (step.value, Remedy(steps: [step.value]), "") }
    var remedy = Remedy()
    var values: [FieldValue] = []
    var types: [String] = []
    var preparations: [String] = []
    for source in sources {
      let released: DeclaredKey
      switch source {
      case .member(let member):
        if let declared = context.today.keys[member], declared.isLegacy {
          values.append(step.field == .absent ? .text(member) : step.value["from"])
          types.append(step.field == .absent ? declared.type : step.value["from"]["type"].text ?? successor.type)
          continue
        }
        guard let declared = old.keys[member] else { return (step.value, Remedy(), "") }
        released = declared
      case .inline(let form): released = key.storing(form)
      }
      guard let proposal = context.proposal(released, for: successor) else { return (step.value, Remedy(), "") }
      remedy = remedy.declaring(proposal)
      values.append(proposal.source)
      types.append(proposal.type)
      preparations.append(proposal.preparation)
    }
    var entries = step.value.entries.map { entry in
      entry.name == "from" ? FieldValue.Entry("from", values.count == 1 ? values[0] : .list(values)) : entry
    }
    if types.count == 1, types[0] != successor.type, step.value["transform"] == .absent {
      entries.insert(.init("transform", CatalogText.transform(for: successor.member)), at: min(1, entries.count))
    }
    remedy.steps = [.map(entries)]
    return (.map(entries), remedy, preparations.first { !$0.isEmpty } ?? "")
  }
}
