import CatalogModel
import RecordShapes

/// A record of an earlier state, and the one that has its table today.
struct RecordChange {
  let old: DeclaredRecord
  let new: DeclaredRecord
  /// A number that no state has used.
  let freeNumber: Int

  private func finding(
    _ rule: ReleaseRule, _ field: DeclaredRecord.Field?, _ message: String, _ help: String
  ) -> Finding {
    Finding(
      rule: rule, subject: field.map { .field(record: new.name, $0.number) } ?? .record(new.name), message: message,
      help: help, remedy: Remedy(), keys: [])
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
        "write `number: \(freeNumber)` at '\(now.name)', and \(reserving(before.number))")
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
      "\(again); or \(renumbering(now)): the stored values are not read any more")
  }

  private func changedWireForm(_ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> Finding {
    finding(
      .fieldTypeChanged, now,
      "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' with the wire form "
        + "\(before.isInSeconds ? "'seconds'" : "'timestamp'"), and it is read with the other one now",
      "\(before.isInSeconds ? "write `wire: seconds` again" : "remove `wire`"); or \(renumbering(now)): "
        + "the stored values are not read any more")
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
      "remove the `unique` of \(names), and look for an equal row in the transaction that saves; or declare another record"
    )
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
      "\(again); or \(renumbering(now)): the stored values are not read any more")
  }

  // MARK: Fields

  /// Returns the findings about what the merge allows.
  ///
  /// - Parameter refused: The numbers that have a finding already.
  func findings(_ check: ReadingCheck, besides refused: Set<Int>) -> [Finding] {
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
      } else if reserved[before.number] == nil {
        findings.append(
          removed(before.number, "stored '\(before.name)' (\(before.number)) of '\(old.storedName)'"))
      }
    }
    return findings + new.fields.filter { old.field($0.number) == nil }.flatMap(added)
  }

  private func removed(_ number: Int, _ what: String) -> Finding {
    finding(
      .fieldRemoved, nil, "\(what), and nothing declares or reserves the number now",
      "\(reserving(number)), or declare the field again with `number: \(number)`")
  }

  private func reused(_ number: Int, by now: DeclaredRecord.Field) -> Finding {
    finding(
      .numberReused, now, "reserved the number \(number) of '\(old.storedName)', and '\(now.name)' has it now",
      "write `number: \(freeNumber)` at '\(now.name)', and \(reserving(number))")
  }

  private func added(_ now: DeclaredRecord.Field) -> [Finding] {
    var findings: [Finding] = []
    if now.isRequired {
      findings.append(
        finding(
          .fieldRequired, now,
          "stored rows of '\(old.storedName)' without '\(now.name)' (\(now.number)), which has neither a default for them nor a '?'",
          "write `type: \(FieldValue.text("\(now.type)?"))`\(now.defaultValue == .absent ? ", or a default" : "")"))
    }
    if let before = formerlyEncrypted(now) {
      let allowance = "allow: [{rule: \(ReleaseRule.weakerProtection.id), reason: \(Scaffold.reason)}]"
      findings.append(
        finding(
          .weakerProtection, now, "encrypted '\(before.name)' of '\(old.storedName)', and it is not encrypted now",
          "write `encrypted: \(before.encrypted)`; if the change is meant, add `\(allowance)` to '\(new.name)'"))
    }
    return findings
  }

  /// The encrypted field that a plain field with another number replaces.
  func formerlyEncrypted(_ now: DeclaredRecord.Field) -> DeclaredRecord.Field? {
    guard now.encryption == .none else { return nil }
    return old.fields.first { $0.name == now.name && $0.encryption != .none }
  }

  private func unreadable(
    _ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field, _ check: ReadingCheck
  ) -> [Finding] {
    if before.isOptional, !now.isOptional, now.encryption == .none || now.defaultValue == .absent {
      return [
        finding(
          .fieldRequired, now,
          "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' as '\(before.type)', and a row without a value "
            + "cannot be read as '\(now.type)'", "write `type: \(FieldValue.text(before.type))` again")
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

  /// `reserved` with a number more, in full.
  private func reserving(_ number: Int) -> String {
    if new.reservedNumbers[number] != nil { return "keep the number \(number) in `reserved`" }
    let entry: FieldValue = .map([.init("numbers", .list([.integer(number)]))])
    let value = new.reserved.isEmpty ? entry : .list(new.reserved + [entry])
    return "write `reserved: \(value)` in '\(new.name)'"
  }

  /// A new number for a field, whose old one is reserved.
  private func renumbering(_ now: DeclaredRecord.Field) -> String {
    let fallback = now.isRequired ? ", with a default or a '?'," : ""
    return "write `number: \(freeNumber)` at '\(now.name)'\(fallback) and \(reserving(now.number))"
  }
}
