import CatalogModel
import RecordShapes
import StorageVocabulary

/// A record of an earlier state, and the one that has its table today.
struct RecordChange {
  let old: DeclaredRecord
  let new: DeclaredRecord
  /// The numbers that a state has used.
  let usedNumbers: Set<Int>

  private var freeNumber: Int { FieldNumbers.free(besides: usedNumbers) }

  private func finding(
    _ rule: ReleaseRule, _ field: DeclaredRecord.Field?, _ message: String, _ help: String, _ remedy: Remedy = Remedy()
  ) -> Finding {
    Finding(
      rule: rule, subject: field.map { .field(record: new.name, $0.number) } ?? .record(new.name), message: message,
      help: help, remedy: remedy, keys: [])
  }

  // MARK: Refusals of the merge

  /// Returns the finding for a refusal. Returns nil if it is not about the record itself.
  ///
  /// - Parameter before: The field that an earlier state had with the number.
  func finding(_ refusal: RecordMerge.Refusal, _ before: DeclaredRecord.Field?) -> Finding? {
    let now = new.field(refusal.number)
    switch refusal.reason {
    case .unknownReference: return nil
    case .keyChanged: return changedKey()
    case .newUnique: return newUnique(refusal.number)
    case .retired: return now.map { reused(refusal.number, by: $0) }
    case .sourceChanged: return now.map(changedSource)
    case .sourceUnread: return now.map { unreadSource($0, before) }
    case .referenceChanged: return before.flatMap { before in now.map { changedReference(before, $0) } }
    case .typeChanged, .encryptionChanged, .blindIndexChanged:
      guard let before, let now else { return nil }
      if refusal.number == new.key { return changedKey() }
      let isEncryption = refusal.reason != .typeChanged
      return changed(before, now, isEncryption ? encryption(before, now) : type(before, now), isEncryption)
    }
  }

  private func type(_ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> String {
    before.type == now.type
      ? "as '\(before.type)', which is declared in another way now"
      : "as '\(before.type)', and it is read as '\(now.type)' now"
  }

  private func encryption(_ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> String {
    func words(_ encryption: ResolvedRecord.Encryption) -> String {
      switch encryption {
      case .none: "without encryption"
      case .sealed: "encrypted"
      case .blind: "encrypted, with a blind index"
      }
    }
    return "\(words(before.encryption)), and it is read \(words(now.encryption)) now"
  }

  private func changed(
    _ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field, _ difference: String, _ isEncryption: Bool
  ) -> Finding {
    if before.name != now.name {
      return finding(
        .numberReused, now,
        "stored '\(before.name)' (\(before.type)) with the number \(before.number), and '\(now.name)' (\(now.type)) has it now",
        "write `number: \(freeNumber)` at '\(now.name)', and \(reserving(before.number, before.name))",
        renumbered(before.number, before.name))
    }
    let again =
      switch (isEncryption, before.type == now.type) {
      case (true, _) where before.encrypted == .absent: "remove `encrypted`"
      case (true, _): "write `encrypted: \(before.encrypted)` again"
      case (false, true): "write \(before.type) in `types` as it was released"
      case (false, false): "write `type: \(FieldValue.text(before.type))` again"
      }
    return finding(
      .fieldTypeChanged, now, "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' \(difference)",
      "\(again); or \(renumbering(now, from: before))")
  }

  private func changedWireForm(_ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> Finding {
    finding(
      .fieldTypeChanged, now,
      "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' with the wire form "
        + "\(before.isInSeconds ? "'seconds'" : "'timestamp'"), and it is read with the other one now",
      "\(before.isInSeconds ? "write `wire: seconds` again" : "remove `wire`"); or \(renumbering(now, from: before))")
  }

  private func changedKey() -> Finding? {
    guard let before = old.field(old.key), let now = new.field(new.key) else { return nil }
    let again =
      before.number != now.number || new.field(before.number) == nil
      ? "write `key: \(FieldValue.text(new.field(before.number)?.name ?? before.name))` again"
      : "write `type: \(FieldValue.text(before.type))` at '\(now.name)' again, without `encrypted`"
    return finding(
      .recordKeyChanged, now,
      "identified rows of '\(old.storedName)' by '\(before.name)' (\(before.number), \(before.type)), and they are "
        + "identified by '\(now.name)' (\(now.number), \(now.type)) now",
      "\(again), or declare another record beside '\(new.name)'")
  }

  private func newUnique(_ number: Int) -> Finding {
    let indexes = new.unique.filter { $0.first == number && !old.unique.contains($0) }
    let index = indexes.first ?? [number]
    let names = index.map { "'\(new.field($0)?.name ?? String($0))'" }.joined(separator: " and ")
    return finding(
      .uniqueAdded, index.count == 1 ? new.field(number) : nil,
      "may have stored rows of '\(old.storedName)' with equal values of \(names), which are unique now",
      "write `{fields: \(FieldValue.list(index.map { .text(new.field($0)?.name ?? "") })), existing: keepLast}` in `unique`, "
        + "which keeps the last of equal rows; or remove the `unique` of \(names)")
  }

  private func changedReference(_ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> Finding {
    func words(_ field: DeclaredRecord.Field) -> String {
      field.reference.map { "with a reference to '\($0.record)' (\($0.onDelete))" } ?? "without a reference"
    }
    let again =
      before.reference.map {
        "write `references: \(FieldValue.text($0.record))` and `onDelete: \($0.onDelete)` again"
      } ?? "remove `references`"
    return finding(
      .referenceAdded, now,
      "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' \(words(before)), and it is declared \(words(now)) now",
      before.reference == nil && now.reference?.onDelete == .restrict
        ? "write `onDelete: cascade` or `onDelete: setNull`, which say what becomes of rows that refer to nothing; or \(again)"
        : "\(again); or \(renumbering(now, from: before))")
  }

  private func changedSource(_ now: DeclaredRecord.Field) -> Finding {
    let sources = now.sources.joined().compactMap { source in old.field(source.number).map { (source, $0) } }
    let changed = sources.first { $0.plainType != $1.plainType || $0.isEncrypted != $1.isEncrypted }
    return changed.map { misread($0, $1, by: now) }
      ?? finding(
        .fieldTypeChanged, now, "stored what '\(now.name)' (\(now.number)) is made from in another form",
        "write the types of the release in its `from`")
  }

  private func misread(
    _ source: DeclaredRecord.Source, _ before: DeclaredRecord.Field, by now: DeclaredRecord.Field
  ) -> Finding {
    func words(_ type: String, _ isEncrypted: Bool, _ isInSeconds: Bool) -> String {
      "'\(type)'\(isEncrypted ? ", encrypted" : "")\(isInSeconds ? ", in seconds" : "")"
    }
    return finding(
      .fieldTypeChanged, now,
      "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' as "
        + "\(words(before.type, before.isEncrypted, before.isInSeconds)), and '\(now.name)' is made from it as "
        + words(source.type, source.isEncrypted, source.isInSeconds),
      "write `\(entry(reading: before, for: now))` in `from` of '\(now.name)'")
  }

  /// Returns the findings about values of the release that a field is made from, and that cannot be read so.
  private func misread(by now: DeclaredRecord.Field, _ check: ReadingCheck) -> [Finding] {
    now.sources.joined().compactMap { source in
      guard let before = old.field(source.number) else { return nil }
      let isRead =
        (source.isOptional || !before.isOptional)
        && (!source.isEncrypted || source.isInSeconds == before.isInSeconds)
        && check.recordObstacles(before.plainType, source.plainType).isEmpty
      return isRead ? nil : misread(source, before, by: now)
    }
  }

  private func unreadSource(_ now: DeclaredRecord.Field, _ before: DeclaredRecord.Field?) -> Finding {
    if let before = before ?? old.field(now.number) {
      return finding(
        .sourceRemoved, now,
        "stored '\(before.name)' (\(before.number)) of '\(old.storedName)', which is made from earlier fields now",
        "write `number: \(freeNumber)` at '\(now.name)', and \(reserving(before.number)); or remove `from`")
    }
    return finding(
      .sourceRemoved, now,
      "stored only some of the fields of '\(old.storedName)' that '\(now.name)' (\(now.number)) is made from",
      "add an entry with those to `from` of '\(now.name)', or write a '?' after the types of the others")
  }

  /// Returns the findings about fields that a later release has replaced, and whose values nothing reads any more.
  ///
  /// - Parameter replaced: The numbers that releases have made fields from, each with those fields.
  func unreadSources(_ replaced: [Int: Set<Int>]) -> [Finding] {
    let read = Set(new.fields.flatMap(\.sources).joined().map(\.number))
    return old.fields.compactMap { before in
      guard !read.contains(before.number), new.field(before.number) == nil else { return nil }
      let targets = replaced[before.number] ?? []
      let heir = new.fields.first { field in
        targets.contains(field.number) || field.sources.joined().contains { targets.contains($0.number) }
      }
      return heir.map { now in
        finding(
          .sourceRemoved, now,
          "stored '\(before.name)' (\(before.number)) of '\(old.storedName)', and no `from` reads it any more",
          "add `\(entry(reading: before, for: now))` to the end of `from` of '\(now.name)'")
      }
    }
  }

  // MARK: Fields

  /// Returns the findings about what the merge allows.
  ///
  /// - Parameters:
  ///   - made: The numbers of the fields that are made from stored ones.
  ///   - refused: The numbers that have a finding already.
  func findings(_ check: ReadingCheck, made: Set<Int>, besides refused: Set<Int>) -> [Finding] {
    var findings: [Finding] = []
    let reserved = new.reservedNumbers
    for number in old.reservedNumbers.keys.sorted() where old.field(number) == nil {
      if let now = new.field(number) {
        findings.append(reused(number, by: now))
      } else if reserved[number] == nil {
        findings.append(removed(number, "reserved the number \(number) of '\(old.storedName)'"))
      }
    }
    for before in old.fields where !refused.contains(before.number) {
      if let now = new.field(before.number) {
        findings += unreadable(before, now, check)
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
      + others.flatMap { added($0, isMade: made.contains($0.number)) + misread(by: $0, check) }
      + [shortened(), smaller].compactMap(\.self)
  }

  /// Rows are deleted earlier than the release promised.
  private func shortened() -> Finding? {
    let (before, now) = (KeptRows(old), KeptRows(new))
    guard now.mayEndBefore(before) else { return nil }
    let again = before.value == .absent ? "remove `retention`" : "write `retention: \(before.value)` again"
    let allowance = "allow: [{rule: \(ReleaseRule.retentionShortened.id), reason: \(Scaffold.reason)}]"
    return finding(
      .retentionShortened, nil, "kept rows of '\(old.storedName)' \(before.words), and they are kept \(now.words) now",
      "\(again); if the change is meant, add `\(allowance)` to '\(new.name)'")
  }

  /// A larger row can be read, and not be saved again. A release with the default is not reported: few rows are as large.
  private var smaller: Finding? {
    let size = new.maxSize ?? Self.defaultMaxSize
    guard let before = old.maxSize, size < before else { return nil }
    let allowance = "allow: [{rule: \(ReleaseRule.maxSizeLowered.id), reason: \(Scaffold.reason)}]"
    return finding(
      .maxSizeLowered, nil,
      "stored rows of '\(old.storedName)' with up to \(before) bytes, and one of more than \(size) cannot be saved again now",
      "write `maxSize: \(before)` again; if the change is meant, add `\(allowance)` to '\(new.name)'",
      Remedy(fields: [.init("maxSize", .integer(before))]))
  }

  private static let defaultMaxSize = 1 << 20

  private func removed(_ number: Int, _ what: String) -> Finding {
    let name = old.field(number)?.name
    return finding(
      .fieldRemoved, nil, "\(what), and nothing declares or reserves the number now",
      "\(reserving(number, name)), or declare the field again with `number: \(number)`",
      Remedy(reservedFields: [new.reservation(number, name)]))
  }

  private func reused(_ number: Int, by now: DeclaredRecord.Field) -> Finding {
    finding(
      .numberReused, now, "reserved the number \(number) of '\(old.storedName)', and '\(now.name)' has it now",
      "write `number: \(freeNumber)` at '\(now.name)', and \(reserving(number))", renumbered(number))
  }

  private func added(_ now: DeclaredRecord.Field, isMade: Bool) -> [Finding] {
    var findings: [Finding] = []
    if now.isRequired, !isMade {
      // No optional field has a new UUID as its default.
      let isAlone = now.defaultValue == .absent
      let optional = FieldValue.text("\(now.type)?")
      findings.append(
        finding(
          .fieldRequired, now,
          "stored rows of '\(old.storedName)' without '\(now.name)' (\(now.number)), which has neither a default for them nor a '?'",
          "write `type: \(optional)`\(isAlone ? ", a default, or `from`" : " without `default`")",
          isAlone ? Remedy(fields: [.init("type", optional)]) : Remedy()))
    }
    if let before = formerlyEncrypted(now) {
      let allowance = "allow: [{rule: \(ReleaseRule.weakerProtection.id), reason: \(Scaffold.reason)}]"
      findings.append(
        finding(
          .weakerProtection, now, "encrypted '\(before.name)' of '\(old.storedName)', and it is not encrypted now",
          "write `encrypted: \(before.encrypted)`; if the change is meant, add `\(allowance)` to '\(new.name)'",
          Remedy(fields: [.init("encrypted", before.encrypted)])))
    }
    return findings
  }

  /// The encrypted field that a plain field with another number replaces.
  func formerlyEncrypted(_ now: DeclaredRecord.Field) -> DeclaredRecord.Field? {
    guard now.encryption == .none else { return nil }
    let sources = now.sources.joined().map(\.number)
    return old.fields.first { $0.isEncrypted && ($0.name == now.name || sources.contains($0.number)) }
  }

  private func unreadable(
    _ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field, _ check: ReadingCheck
  ) -> [Finding] {
    if before.isOptional, !now.isOptional, now.encryption == .none || now.defaultValue == .absent {
      return [
        finding(
          .fieldRequired, now,
          "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' as '\(before.type)', and a row without a value "
            + "cannot be read as '\(now.type)'", "write `type: \(FieldValue.text(before.type))` again",
          Remedy(fields: [.init("type", .text(before.type))]))
      ]
    }
    // A sealed part is in the wire format.
    if now.encryption != .none, before.isInSeconds != now.isInSeconds {
      return [changedWireForm(before, now)]
    }
    return check.recordObstacles(before.plainType, now.plainType).compactMap { obstacle in
      if case .rawValue(let name, let oldName) = obstacle.kind {
        return Finding(
          rule: .rawValueChanged, subject: .type(name), message: "stored values \(obstacle.reason)",
          help: "give the raw value back to its case",
          remedy: Remedy(cases: CatalogText.cases(check.oldTypes[oldName], check.newTypes[name])), keys: [])
      }
      return now.number == new.key ? changedKey() : changed(before, now, obstacle.reason, false)
    }
  }

  // MARK: Help

  /// `reserved` with one more field, in full.
  private func reserving(_ number: Int, _ name: String? = nil) -> String {
    if new.reservedNumbers[number] != nil { return "keep the number \(number) in `reserved`" }
    return "write `reserved: \(new.reserving([new.reservation(number, name)]))` in '\(new.name)'"
  }

  /// A new number for a field that has the number of another one.
  private func renumbered(_ number: Int, _ name: String? = nil) -> Remedy {
    Remedy(usedNumbers: usedNumbers, reservedFields: [new.reservation(number, name)])
  }

  /// A new number for a field, which is made from the one with the old number.
  private func renumbering(_ now: DeclaredRecord.Field, from before: DeclaredRecord.Field) -> String {
    "write `number: \(freeNumber)` and `from: \(entry(reading: before, for: now))` at '\(now.name)', and \(reserving(now.number))"
  }

  /// An entry of `from` that reads a released field.
  private func entry(reading before: DeclaredRecord.Field, for now: DeclaredRecord.Field) -> FieldValue {
    .map(present: [
      .init("number", .integer(before.number)), .init("type", .text(before.type)),
      .init("encrypted", before.isEncrypted ? .flag(true) : .absent),
      .init("wire", before.isInSeconds ? .text("seconds") : .absent),
      .init("transform", CatalogText.transform(for: now.name)),
    ])
  }
}

extension DeclaredRecord.Source {
  fileprivate var isOptional: Bool { type.hasSuffix("?") }
  /// The type without `?`.
  fileprivate var plainType: String { isOptional ? String(type.dropLast()) : type }
}

extension DeclaredRecord.Field {
  fileprivate var isEncrypted: Bool { encryption != .none }
}
