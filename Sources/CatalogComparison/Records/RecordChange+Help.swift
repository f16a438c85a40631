import CatalogModel

/// The proposals of findings about a record.
extension RecordChange {
  /// `reserved` with one more field, in full.
  func reserving(_ number: Int, _ name: String? = nil) -> String {
    if new.reservedNumbers[number] != nil { return "keep the number \(number) in `reserved`" }
    return "write `reserved: \(new.reserving([new.reservation(number, name)]))` in '\(new.name)'"
  }

  /// A new number for a field that has the number of another one.
  func renumbered(_ number: Int, _ name: String? = nil) -> Remedy {
    Remedy(usedNumbers: usedNumbers, reservedFields: [new.reservation(number, name)])
  }

  // MARK: Earlier fields

  /// A new number for a field, which is made from the one with the old number.
  func renumbering(_ now: DeclaredRecord.Field, from before: DeclaredRecord.Field) -> String {
    "write `number: \(freeNumber)` and `from: \(entry(reading: before, for: now))` at '\(now.name)', and \(reserving(now.number))"
  }

  /// An entry of `from` that reads a released field.
  func entry(reading before: DeclaredRecord.Field, for now: DeclaredRecord.Field) -> FieldValue {
    FieldValue(
      earlier: [.init(String(before.number), before.earlierFacts)], transform: CatalogText.transform(for: now.name))
  }

  /// Reads a released field in `from`. Empty if no text of `types` means today what its type meant in the release.
  func reading(_ before: DeclaredRecord.Field, for now: DeclaredRecord.Field) -> Remedy {
    let former = missingTypes(of: before.plainType)
    let types = ReadingCheck(oldTypes: check.oldTypes, newTypes: check.newTypes.merging(former) { now, _ in now })
    guard types.recordObstacles(before.plainType, before.plainType).isEmpty else { return Remedy() }
    return Remedy(
      earlierFields: [
        .init(number: before.number, facts: before.earlierFacts, transform: CatalogText.transform(for: now.name))
      ],
      newTypes: former.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.fields()) })
  }

  /// A new number for a field, which is made from the one with the old number. Empty if that could lose rows.
  func replacement(of before: DeclaredRecord.Field, by now: DeclaredRecord.Field) -> Remedy {
    // The new values may be equal, and nothing says which rows stay.
    let isUnique = new.unique.contains { $0.contains(now.number) && new.existing[$0] == nil }
    var remedy = reading(before, for: now)
    guard !isUnique, !remedy.isEmpty else { return Remedy() }
    remedy.usedNumbers = usedNumbers
    remedy.reservedFields = [new.reservation(before.number, nil)]
    return remedy
  }

  /// The types of the release in a type, as far as no catalog declares them now.
  private func missingTypes(of type: String) -> [String: DeclaredType] {
    var result: [String: DeclaredType] = [:]
    var names = TypeExpression(known: type)?.names ?? []
    while let name = names.popLast() {
      guard let declared = check.oldTypes[name] else { continue }
      if check.newTypes[name] == nil, result.updateValue(declared, forKey: name) == nil { names += declared.typeNames }
    }
    return result
  }
}

extension DeclaredRecord.Field {
  /// The type and the form of the field, as `from` of a later field has them.
  fileprivate var earlierFacts: FieldValue {
    .map(present: [
      .init("type", .text(type)), .init("encrypted", isEncrypted ? .flag(true) : .absent),
      .init("wire", isInSeconds ? .text("seconds") : .absent),
    ])
  }
}

extension DeclaredRecord {
  /// Returns `reserved` with further fields, in full.
  func reserving(_ fields: [Remedy.ReservedField]) -> FieldValue {
    var (numbers, names): ([Int], [String]) = ([], [])
    for field in fields {
      if reservedNumbers[field.number] == nil, !numbers.contains(field.number) { numbers.append(field.number) }
      if let name = field.name, !names.contains(name) { names.append(name) }
    }
    let entry: FieldValue = .map(present: [
      .init("numbers", numbers.isEmpty ? .absent : .list(numbers.map { .integer($0) })),
      .init("names", names.isEmpty ? .absent : .list(names.map { .text($0) })),
    ])
    if entry.entries.isEmpty { return reserved.count == 1 ? reserved[0] : .list(reserved) }
    return reserved.isEmpty ? entry : .list(reserved + [entry])
  }

  /// Returns the reservation of a number and of the name that it had, unless a field of the record has the name.
  func reservation(_ number: Int, _ name: String?) -> Remedy.ReservedField {
    let isFree =
      fields.allSatisfy { $0.name != name }
      && !reserved.contains { entry in entry["names"].elements.contains { $0.text == name } }
    return .init(number: number, name: isFree ? name : nil)
  }
}
