import LocalDataModel

/// The proposals of findings about a record.
extension RecordChange {
  /// `reserved` with one more field, in full.
  func reserving(_ number: Int, _ name: String? = nil) -> String {
    if new.reservedNumbers[number] != nil { return "keep the number \(number) in `reserved`" }
    return "write `reserved: \(new.reserving([new.reservation(number, name)]))` in '\(new.name)'"
  }

  /// `reserved` with several more fields, in full.
  func reserving(_ fields: [DeclaredRecord.Field]) -> String {
    "write `reserved: \(new.reserving(fields.map { new.reservation($0.number, $0.name) }))` in '\(new.name)'"
  }

  /// A number for a field that no field has had.
  func freeNumber(_ field: DeclaredRecord.Field) -> Int { numbers.number(for: field.name, of: .record(new.storedName)) }

  /// A new number for a field that has the number of another one.
  func renumbered(_ now: DeclaredRecord.Field, reserving number: Int, _ name: String? = nil) -> Remedy {
    Remedy(
      newNumber: .init(field: now.name, number: freeNumber(now)), reservedFields: [new.reservation(number, name)])
  }

  // MARK: Earlier fields

  /// A new number for a field, which is made from the one with the old number.
  func renumbering(_ now: DeclaredRecord.Field, from before: DeclaredRecord.Field) -> String {
    let name = before.name == now.name ? nil : before.name
    return "write `number: \(freeNumber(now))` and `from: \(entry(reading: before, for: now))` at '\(now.name)', and "
      + reserving(now.number, name)
  }

  /// An entry of `from` that reads released fields.
  func entry(reading before: DeclaredRecord.Field..., for now: DeclaredRecord.Field) -> FieldValue {
    entry(reading: before, for: now)
  }

  func entry(reading before: [DeclaredRecord.Field], for now: DeclaredRecord.Field) -> FieldValue {
    FieldValue(
      earlier: before.map { .init(String($0.number), $0.earlierFacts) }, transform: CatalogText.transform(for: now.name)
    )
  }

  /// The released fields that are gone, and that no field is made from. Fields that are new may replace them.
  var lost: [DeclaredRecord.Field] {
    let read = Set(new.fields.flatMap(\.sources).joined().map(\.number))
    let reserved = new.reservedNumbers
    return old.fields.filter { new.field($0.number) == nil && reserved[$0.number] == nil && !read.contains($0.number) }
  }

  /// Reads a released field in `from`. Empty if no text of `types` means today what its type meant in the release.
  func reading(_ before: DeclaredRecord.Field..., for now: DeclaredRecord.Field) -> Remedy {
    reading(before, for: now)
  }

  func reading(_ before: [DeclaredRecord.Field], for now: DeclaredRecord.Field) -> Remedy {
    let former = before.reduce(into: [:]) { $0.merge(missingTypes(of: $1.plainType)) { first, _ in first } }
    let types = ReadingCheck(oldTypes: check.oldTypes, newTypes: check.newTypes.merging(former) { now, _ in now })
    guard before.allSatisfy({ types.recordObstacles($0.plainType, $0.plainType).isEmpty }) else { return Remedy() }
    return Remedy(
      earlierFields: [
        .init(
          fields: before.map { .init(String($0.number), $0.earlierFacts) },
          transform: CatalogText.transform(for: now.name))
      ],
      newTypes: former.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.fields()) })
  }

  /// A new number for a field, which is made from the one with the old number. Empty if that could lose rows.
  func replacement(of before: DeclaredRecord.Field, by now: DeclaredRecord.Field) -> Remedy {
    // The new values may be equal, and nothing says which rows stay.
    let isUnique = new.unique.contains { $0.contains(now.number) && new.existing[$0] == nil }
    var remedy = reading(before, for: now)
    guard !isUnique, !remedy.isEmpty else { return Remedy() }
    let renumbered = renumbered(now, reserving: before.number, before.name == now.name ? nil : before.name)
    remedy.newNumber = renumbered.newNumber
    remedy.reservedFields = renumbered.reservedFields
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
