import CatalogModel
import RecordShapes
import StorageVocabulary

/// A record of an earlier state, and the one that has its table today.
struct RecordChange {
  let old: DeclaredRecord
  let new: DeclaredRecord
  /// The numbers that a state has used.
  let usedNumbers: Set<Int>
  /// Decides whether values of the earlier state can be read by today's.
  let check: ReadingCheck

  var freeNumber: Int { FieldNumber.free(besides: usedNumbers) }

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
      + [shortened(), smaller].compactMap(\.self)
  }

  /// Rows are deleted earlier than the release promised.
  private func shortened() -> Finding? {
    let (before, now) = (KeptRows(old), KeptRows(new))
    guard now.mayEndBefore(before) else { return nil }
    let again = before.value == .absent ? "remove `retention`" : "write `retention: \(before.value)` again"
    return finding(
      .retentionShortened, nil, "kept rows of '\(old.storedName)' \(before.words), and they are kept \(now.words) now",
      "\(again); if the change is meant, add `\(ReleaseRule.retentionShortened.allowance)` to '\(new.name)'")
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

  private func removed(_ number: Int, _ what: String) -> Finding {
    let name = old.field(number)?.name
    return finding(
      .fieldRemoved, nil, "\(what), and nothing declares or reserves the number now",
      "\(reserving(number, name)), or declare the field again with `number: \(number)`",
      Remedy(reservedFields: [new.reservation(number, name)]))
  }

  func reused(_ number: Int, by now: DeclaredRecord.Field) -> Finding {
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
    let encrypted = formerlyEncrypted(now)?.encrypted ?? .absent
    return findings + weakened(now, Remedy(fields: [.init("encrypted", encrypted)]))
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
}

extension DeclaredRecord.Field {
  var isEncrypted: Bool { encryption != .none }
}

extension FieldNumber {
  /// Returns the number after all that were used, or else one between them.
  static func free(besides used: Set<Int>) -> Int {
    let number = next(from: (used.max() ?? 0) + 1, besides: [])
    return all.contains(number) ? number : next(from: all.lowerBound, besides: used)
  }
}
