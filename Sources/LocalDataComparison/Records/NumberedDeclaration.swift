package import LocalDataModel
package import LocalDataShapes

/// A record or a struct, whose fields have numbers.
package protocol NumberedDeclaration {
  /// The entries of `reserved`, each with its numbers, names and cleanup.
  var reserved: [FieldValue] { get }
  var fieldNames: [String] { get }
}

extension NumberedDeclaration {
  /// The numbers that no field may use, and whether their values are deleted.
  package var reservedNumbers: [Int: RecordShape.Cleanup] {
    var result: [Int: RecordShape.Cleanup] = [:]
    for entry in reserved {
      for number in entry["numbers"].elements.compactMap(\.integer) where FieldNumber.isValid(number) {
        result[number] = entry["cleanup"] == .text(RecordShape.Cleanup.delete.rawValue) ? .delete : .keep
      }
    }
    return result
  }

  /// Returns `reserved` with further fields, in full.
  package func reserving(_ fields: [Remedy.ReservedField]) -> FieldValue {
    var numbers: [Int] = []
    var names: [String] = []
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

  /// Returns the reservation of a number and of the name that it had, unless a field has the name.
  func reservation(_ number: Int, _ name: String?) -> Remedy.ReservedField {
    let isFree =
      fieldNames.allSatisfy { $0 != name }
      && !reserved.contains { entry in entry["names"].elements.contains { $0.text == name } }
    return .init(number: number, name: isFree ? name : nil)
  }
}

/// Numbers that no field of a record or a struct has had. Each field gets its own, which is the same in all findings of a run.
final class FreeNumbers {
  enum Owner: Hashable {
    /// A record, by its stored name.
    case record(String)
    /// A struct, by its name.
    case type(String)
  }

  private var used: [Owner: Set<Int>] = [:]
  private var given: [Owner: [String: Int]] = [:]

  /// - Parameter states: The states whose numbers are used.
  init(_ states: [CatalogState]) {
    for state in states {
      for record in state.records.values {
        use(record.fields.map(\.number) + record.reservedNumbers.keys, of: .record(record.storedName))
      }
      for (name, type) in state.types {
        use(Array(type.numbers.keys) + type.reservedNumbers.keys, of: .type(name))
      }
    }
  }

  private func use(_ numbers: [Int], of owner: Owner) { used[owner, default: []].formUnion(numbers) }

  func number(for field: String, of owner: Owner) -> Int {
    if let number = given[owner]?[field] { return number }
    let number = FieldNumber.free(besides: used[owner] ?? [])
    use([number], of: owner)
    given[owner, default: [:]][field] = number
    return number
  }
}

extension FieldNumber {
  /// Returns the number after all that were used, or else one between them.
  fileprivate static func free(besides used: Set<Int>) -> Int {
    let number = next(from: (used.max() ?? 0) + 1, besides: [])
    return all.contains(number) ? number : next(from: all.lowerBound, besides: used)
  }
}
