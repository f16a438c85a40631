import LocalDataModel
import LocalDataShapes
import LocalDataVocabulary

/// A record of an earlier state, and the one that has its table today.
struct RecordChange {
  let old: DeclaredRecord
  let new: DeclaredRecord
  let numbers: FreeNumbers
  /// Decides whether values of the earlier state can be read by today's.
  let check: ReadingCheck

  func finding(
    _ rule: ReleaseRule, _ field: DeclaredRecord.Field?, _ message: String, _ help: String, _ remedy: Remedy = Remedy()
  ) -> Finding {
    Finding(
      rule: rule, subject: field.map { .field(record: new.name, $0.number) } ?? .record(new.name), message: message,
      help: help, remedy: remedy, keys: [])
  }

  // MARK: Fields

  /// Returns the findings about what the merge allows.
  ///
  /// - Parameters:
  ///   - made: The numbers of the fields that are made from stored ones.
  ///   - refused: The numbers that have a finding already.
  func findings(made: Set<Int>, besides refused: Set<Int>) -> [Finding] {
    var findings: [Finding] = []
    let reserved = new.reservedNumbers
    for number in old.reservedNumbers.keys.sorted() where old.field(number) == nil {
      if let now = new.field(number) {
        findings.append(reused(number, by: now))
      } else if reserved[number] == nil {
        findings.append(removed(number, "reserved the number \(number) of '\(old.storedName)'"))
      }
    }
    for before in old.fields {
      if refused.contains(before.number) {
        // The proposal for the refusal keeps the field as it is declared.
        if before.isEncrypted, let now = new.field(before.number), now.name == before.name {
          findings += weakened(now, Remedy())
        }
      } else if let now = new.field(before.number) {
        findings += unreadable(before, now)
        if let narrowed = narrowed(now) { findings.append(narrowed) }
        // The merge keeps a reference of a newer release, and deletes or changes orphans for a new one.
        if before.reference != nil ? now.reference == nil : now.reference?.onDelete == .restrict {
          findings.append(changedReference(before, now))
        }
      } else if reserved[before.number] == nil {
        findings.append(
          removed(before.number, "stored '\(before.name)' (\(before.number)) of '\(old.storedName)'"))
      }
    }
    let others = new.fields.filter { old.field($0.number) == nil && !refused.contains($0.number) }
    return findings
      + others.flatMap { added($0, isMade: made.contains($0.number)) + misread(by: $0) }
      + [shortened(), smaller, unimported].compactMap(\.self)
  }

  /// Rows are deleted earlier than the release promised.
  private func shortened() -> Finding? {
    let before = KeptRows(old)
    let now = KeptRows(new)
    guard now.mayEndBefore(before) else { return nil }
    let again = before.value == .absent ? "remove `retention`" : "write `retention: \(before.value)` again"
    return finding(
      .retentionShortened, nil, "kept rows of '\(old.storedName)' \(before.words), and they are kept \(now.words) now",
      "\(again); if the change is meant, add `\(ReleaseRule.retentionShortened.allowance)` to '\(new.name)'")
  }

  /// Users who skip the releases with the import keep their rows in the old store.
  private var unimported: Finding? {
    guard old.imported != .absent, new.imported == .absent else { return nil }
    return finding(
      .importRemoved, nil, "imported the rows of '\(old.storedName)' from '\(old.imported["source"].text ?? "")'",
      "declare the source and `importedFrom` again; if no user needs it any more, add "
        + "`\(ReleaseRule.importRemoved.allowance)` to '\(new.name)'")
  }

  /// A larger row can be read, and not be saved again. A release with the default is not reported: few rows are as large.
  private var smaller: Finding? {
    let size = new.maxSize ?? Self.defaultMaxSize
    guard let before = old.maxSize, size < before else { return nil }
    return finding(
      .maxSizeLowered, nil,
      "stored rows of '\(old.storedName)' with up to \(before) bytes, and one of more than \(size) cannot be saved again now",
      "write `maxSize: \(before)` again; if the change is meant, add `\(ReleaseRule.maxSizeLowered.allowance)` to '\(new.name)'",
      Remedy(fields: [.init("maxSize", .integer(before))]))
  }

  private static let defaultMaxSize = 1 << 20

  /// A row with a value that is not valid any more is not read.
  private func narrowed(_ now: DeclaredRecord.Field) -> Finding? {
    let before = old.valid(of: now.number)
    guard let after = new.valid(of: now.number), after.isNarrower(than: before) else { return nil }
    let again = before.map { "write `valid: \($0.value)` again" } ?? "remove `valid`"
    return finding(
      .validNarrowed, now,
      "stored '\(now.name)' of '\(old.storedName)' with \(before.map { "values of \($0.text)" } ?? "any value"), and only "
        + "\(after.text) can be read now",
      "\(again); if the change is meant, add `\(ReleaseRule.validNarrowed.allowance)` to '\(new.name)'")
  }

  private func removed(_ number: Int, _ what: String) -> Finding {
    let name = old.field(number)?.name
    let names = heirs.map { "'\($0.name)'" }.joined(separator: " and ")
    let entries = heirs.map { "`from: \(entry(reading: lost, for: $0))` at '\($0.name)'" }.joined(separator: " and ")
    let replaced =
      name == nil || heirs.isEmpty
      ? ""
      : "if \(names) \(heirs.count == 1 ? "replaces" : "replace") it, write \(entries), and \(reserving(number, name)); otherwise "
    return finding(
      .fieldRemoved, nil, "\(what), and nothing declares or reserves the number now",
      "\(replaced)declare the field again with `number: \(number)`; or, if its values are not needed any more, "
        + reserving(number, name),
      Remedy(reservedFields: [new.reservation(number, name)]))
  }

  /// The new fields that rows of the release need a value of, and that may replace the fields that are gone.
  private var heirs: [DeclaredRecord.Field] {
    new.fields.filter {
      old.field($0.number) == nil && $0.sources.isEmpty && $0.isRequired && $0.defaultValue == .absent
    }
  }

  func reused(_ number: Int, by now: DeclaredRecord.Field) -> Finding {
    finding(
      .numberReused, now, "reserved the number \(number) of '\(old.storedName)', and '\(now.name)' has it now",
      "write `number: \(freeNumber(now))` at '\(now.name)', and \(reserving(number))",
      renumbered(now, reserving: number)
    )
  }

  private func added(_ now: DeclaredRecord.Field, isMade: Bool) -> [Finding] {
    var findings: [Finding] = []
    if now.isRequired, !isMade {
      // No optional field has a new UUID as its default.
      findings.append(required(now))
    }
    let encrypted = formerlyEncrypted(now)?.encrypted ?? .absent
    return findings + weakened(now, Remedy(fields: [.init("encrypted", encrypted)]))
  }

  private func required(_ now: DeclaredRecord.Field) -> Finding {
    // No optional field has a new UUID as its default.
    let isAlone = now.defaultValue == .absent
    let optional = FieldValue.text("\(now.type)?")
    var help = "write `type: \(optional)`\(isAlone ? ", a default, or `from`" : " without `default`")"
    var remedy = isAlone ? Remedy(fields: [.init("type", optional)]) : Remedy()
    if isAlone, now.sources.isEmpty, !lost.isEmpty {
      let names = lost.map { "'\($0.name)'" }.joined(separator: " and ")
      help =
        "write `from: \(entry(reading: lost, for: now))`, which makes it from the values of \(names), and "
        + "\(reserving(lost)); or write `type: \(optional)` or a default"
      let reading = reading(lost, for: now)
      if !reading.isEmpty { remedy = reading }
      remedy.reservedFields = lost.map { new.reservation($0.number, $0.name) }
    }
    return finding(
      .fieldRequired, now,
      "stored rows of '\(old.storedName)' without '\(now.name)' (\(now.number)), which has neither a default for them nor a '?'",
      help, remedy)
  }

  private func weakened(_ now: DeclaredRecord.Field, _ remedy: Remedy) -> [Finding] {
    guard let before = formerlyEncrypted(now) else { return [] }
    return [
      finding(
        .weakerProtection, now, "encrypted '\(before.name)' of '\(old.storedName)', and it is not encrypted now",
        "write `encrypted: \(before.encrypted)`; if the change is meant, add `\(ReleaseRule.weakerProtection.allowance)` to '\(new.name)'",
        remedy)
    ]
  }

  /// The encrypted field that a plain field with another number replaces.
  func formerlyEncrypted(_ now: DeclaredRecord.Field) -> DeclaredRecord.Field? {
    guard now.encryption == .none else { return nil }
    let sources = now.sources.joined().map(\.number)
    return old.fields.first { $0.isEncrypted && ($0.name == now.name || sources.contains($0.number)) }
  }

  private func unreadable(_ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> [Finding] {
    if before.isOptional, !now.isOptional, now.encryption == .none || now.defaultValue == .absent {
      let type = FieldValue.text(before.type)
      let made = replacement(of: before, by: now)
      return [
        finding(
          .fieldRequired, now,
          "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' as '\(before.type)', and a row without a value "
            + "cannot be read as '\(now.type)'", "\(renumbering(now, from: before)); or write `type: \(type)` again",
          made.isEmpty ? Remedy(fields: [.init("type", type)]) : made)
      ]
    }
    // A sealed part is in the wire format. A stored date with a fraction could not be saved again in whole seconds.
    if before.isInSeconds != now.isInSeconds, now.encryption != .none || now.isInSeconds {
      return [changedWireForm(before, now)]
    }
    let obstacles = check.recordObstacles(before.plainType, now.plainType)
    if obstacles.isEmpty, now.encryption != .none, let difference = check.changedAbsence(before, now) {
      return [changedAbsence(before, now, difference)]
    }
    return obstacles.compactMap { obstacle in
      switch obstacle.kind {
      case .rawValue(let name, let oldName):
        return Finding(
          rule: .rawValueChanged, subject: .type(name), message: "stored values \(obstacle.reason)",
          help: "give the raw value back to its case" + withFormerEnum(oldName, before, now),
          remedy: Remedy(cases: CatalogText.cases(check.oldTypes[oldName], check.newTypes[name])), keys: [])
      case .type where obstacle.isMissing:
        var finding = changed(before, now, obstacle.reason, false)
        if finding.rule == .fieldTypeChanged { finding.rule = .fieldRequired }
        return finding
      default: return now.number == new.key ? changedKey() : changed(before, now, obstacle.reason, false)
      }
    }
  }

  /// The end of a help: how to drop the case of an enum without losing the values. A value in the wire format is found by the
  /// name of its type, which cannot be another one.
  private func withFormerEnum(_ name: String, _ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> String {
    guard before.plainType == name, before.encryption == .none, now.encryption == .none, now.number != new.key,
      let type = check.oldTypes[name], let former = (1...).lazy.map({ "\(name)V\($0)" }).first(where: isFree)
    else { return "" }
    var earlier = before
    earlier.type = before.isOptional ? "\(former)?" : former
    return
      "; or, to drop the case, add `\(former): \(type.fields())` to 'types', and \(renumbering(now, from: earlier))"
  }

  private func isFree(_ type: String) -> Bool { check.newTypes[type] == nil }
}

extension DeclaredRecord.Field {
  package var isEncrypted: Bool { encryption != .none }
}
