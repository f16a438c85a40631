import LocalDataModel
import LocalDataShapes
import LocalDataVocabulary

/// The reasons for which today's record cannot use rows of an earlier state.
extension RecordChange {
  /// Returns the finding for a refusal. Returns nil if it is not about the record itself.
  ///
  /// - Parameter before: The field that an earlier state had with the number.
  func finding(_ refusal: RecordMerge.Refusal, _ before: DeclaredRecord.Field?) -> Finding? {
    let now = new.field(refusal.number)
    switch refusal.reason {
    case .unknownReference, .unsealed: return nil
    case .keyChanged: return changedKey()
    case .newUnique: return newUnique(refusal.number)
    case .retired: return now.map { reused(refusal.number, by: $0) }
    case .sourceChanged: return now.map(changedSource)
    case .sourceUnread: return now.map { unreadSource($0, before) }
    case .referenceChanged: return now.map { now in before.map { changedReference($0, now) } ?? defaultReference(now) }
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

  func changed(
    _ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field, _ difference: String, _ isEncryption: Bool
  ) -> Finding {
    if before.name != now.name {
      let made = replacement(of: before, by: now)
      return finding(
        .numberReused, now,
        "stored '\(before.name)' (\(before.type)) with the number \(before.number), and '\(now.name)' (\(now.type)) has it now",
        "if '\(now.name)' replaces it, \(renumbering(now, from: before)); otherwise do so without `from`",
        made.isEmpty ? renumbered(now, reserving: before.number, before.name) : made)
    }
    let again =
      switch (isEncryption, before.type == now.type) {
      case (true, _) where before.encrypted == .absent: "remove `encrypted`"
      case (true, _): "write `encrypted: \(before.encrypted)` again"
      case (false, true): "write \(before.type) in `types` as it was released"
      case (false, false): "write `type: \(FieldValue.text(before.type))` again"
      }
    let other = before.type == now.type && !isEncryption ? "declare another type beside it, write that type, " : ""
    return finding(
      .fieldTypeChanged, now, "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' \(difference)",
      "\(again); or \(other)\(renumbering(now, from: before))", replacement(of: before, by: now))
  }

  func changedWireForm(_ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> Finding {
    finding(
      .fieldTypeChanged, now,
      "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' with the wire form "
        + "\(before.isInSeconds ? "'seconds'" : "'timestamp'"), and it has the other one now",
      "\(before.isInSeconds ? "write `wire: seconds` again" : "remove `wire`"); or \(renumbering(now, from: before))",
      replacement(of: before, by: now))
  }

  /// A value that the sealed part leaves out has another meaning.
  func changedAbsence(
    _ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field, _ difference: String
  ) -> Finding {
    let again =
      switch (before.type == now.type, before.defaultValue) {
      case (false, _): "write `type: \(FieldValue.text(before.type))` again"
      case (true, .absent): "remove `default`"
      case (true, let value): "write `default: \(value)` again"
      }
    return finding(
      .fieldTypeChanged, now, "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' \(difference)",
      "\(again); or \(renumbering(now, from: before))", replacement(of: before, by: now))
  }

  func changedKey() -> Finding? {
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
      "remove the `unique` of \(names); or, if equal rows may be deleted, write `{fields: "
        + "\(FieldValue.list(index.map { .text(new.field($0)?.name ?? "") })), existing: keepLast}` in `unique`, which deletes "
        + "all but the last of them")
  }

  /// SQLite adds no column that has both, and no row may have the key.
  private func defaultReference(_ now: DeclaredRecord.Field) -> Finding {
    let type = FieldValue.text(now.isOptional ? now.type : "\(now.type)?")
    return finding(
      .referenceAdded, now,
      "stored rows of '\(old.storedName)' without '\(now.name)' (\(now.number)), whose default may be the key of no row of "
        + "'\(now.reference?.record ?? "")'",
      "write `type: \(type)` without `default`, so that stored rows refer to nothing; or remove `references`")
  }

  func changedReference(_ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> Finding {
    func words(_ field: DeclaredRecord.Field) -> String {
      field.reference.map { "with a reference to '\($0.record)' (\($0.onDelete))" } ?? "without a reference"
    }
    let again =
      before.reference.map {
        "write `references: \(FieldValue.text($0.record))` and `onDelete: \($0.onDelete)` again"
      } ?? "remove `references`"
    let isRestriction = before.reference == nil && now.reference?.onDelete == .restrict
    let withoutDefault = now.defaultValue == .absent || now.reference == nil ? "" : ", without `default`"
    return finding(
      .referenceAdded, now,
      "stored '\(before.name)' (\(before.number)) of '\(old.storedName)' \(words(before)), and it is declared \(words(now)) now",
      isRestriction ? "\(Self.orphans); or \(again)" : "\(again); or \(renumbering(now, from: before))\(withoutDefault)"
    )
  }

  static let orphans =
    "write `onDelete: setNull`, with which a field that refers to nothing becomes nil, or `onDelete: cascade`, with which its "
    + "row is deleted"

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
      "write `\(entry(reading: before, for: now))` in `from` of '\(now.name)'", reading(before, for: now))
  }

  /// Returns the findings about values of the release that a field is made from, and that cannot be read so.
  func misread(by now: DeclaredRecord.Field) -> [Finding] {
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
        "write `number: \(freeNumber(now))` at '\(now.name)', and \(reserving(before.number)); or remove `from`")
    }
    return finding(
      .sourceRemoved, now,
      "stored only some of the fields of '\(old.storedName)' that '\(now.name)' (\(now.number)) is made from",
      "add an entry with those to `from` of '\(now.name)', or write a '?' after the types of the others")
  }

  /// Returns the findings about fields that a later release has replaced, and whose values nothing reads any more.
  ///
  /// - Parameter replaced: The numbers that releases have made fields from, each with those fields.
  /// - Returns: The findings, each with the number of the field that has taken the place of the released one.
  func unreadSources(_ replaced: [Int: Set<Int>]) -> [(number: Int, finding: Finding)] {
    let read = Set(new.fields.flatMap(\.sources).joined().map(\.number))
    return old.fields.compactMap { before in
      guard !read.contains(before.number), new.field(before.number) == nil else { return nil }
      let targets = replaced[before.number] ?? []
      let heir = new.fields.first { field in
        targets.contains(field.number) || field.sources.joined().contains { targets.contains($0.number) }
      }
      return heir.map { now in
        let finding = finding(
          .sourceRemoved, now,
          "stored '\(before.name)' (\(before.number)) of '\(old.storedName)', and no `from` reads it any more",
          "add `\(entry(reading: before, for: now))` to the end of `from` of '\(now.name)'",
          reading(before, for: now))
        return (now.number, finding)
      }
    }
  }
}

extension DeclaredRecord.Source {
  fileprivate var isOptional: Bool { type.hasSuffix("?") }
  /// The type without `?`.
  fileprivate var plainType: String { isOptional ? String(type.dropLast()) : type }
}
