package import LocalDataModel

/// The comparison of the structs in the fields of a record. Stored bytes have their fields by number.
struct StructComparison {
  private let history: StructHistory
  private let old: CatalogState
  private let today: CatalogState
  private let numbers: FreeNumbers

  init(_ history: StructHistory, _ old: CatalogState, _ today: CatalogState, _ numbers: FreeNumbers) {
    self.history = history
    self.old = old
    self.today = today
    self.numbers = numbers
  }

  func findings(from record: DeclaredRecord, to now: DeclaredRecord) -> [Finding] {
    var names = [String]()
    var seen = Set<String>()
    for field in record.fields {
      let types =
        [now.field(field.number)?.type].compactMap(\.self)
        + now.fields.flatMap(\.sources).joined().filter { $0.number == field.number }.map(\.type)
      for type in types { names += common(field.type, type) }
    }
    var findings: [Finding] = []
    while let name = names.popLast() {
      guard seen.insert(name).inserted, let before = old.types[name], let after = today.types[name],
        case .structure(let fields) = before.form, case .structure = after.form
      else { continue }
      findings += self.findings(of: before, after, name, usedBy: record)
      let kept = after.numbers
      for field in fields {
        guard let now = field.number.flatMap({ kept[$0] }) else { continue }
        names += common(field.type, now.type)
      }
    }
    return findings
  }

  /// The names that two types have in common. A type with another name is another type.
  private func common(_ before: String, _ now: String) -> [String] {
    let names = Set(TypeExpression(known: now)?.names ?? [])
    return (TypeExpression(known: before)?.names ?? []).filter(names.contains)
  }

  private func findings(
    of before: DeclaredType, _ now: DeclaredType, _ name: String, usedBy record: DeclaredRecord
  ) -> [Finding] {
    let stored = before.numbers
    let declared = now.numbers
    let reserved = now.reservedNumbers
    let released = before.reservedNumbers
    var findings: [Finding] = []
    for number in Set(stored.keys).union(released.keys).sorted() {
      let field = stored[number]
      if let now = declared[number] {
        if field == nil {
          findings.append(reused(number, by: now, nil, of: name, "reserved the number \(number) of '\(name)'"))
        } else if let field, field.name != now.name, history.isGone(number, field.name, from: name) {
          let what = "stored '\(field.name)' (\(number)) of '\(name)', which a later release did not have"
          findings.append(reused(number, by: now, field.name, of: name, what))
        }
      } else if reserved[number] == nil {
        let what = field.map { "stored '\($0.name)' (\(number)) of '\(name)'" }
        findings.append(removed(number, field?.name, of: name, what ?? "reserved the number \(number) of '\(name)'"))
      }
    }
    return findings.map { finding in
      var finding = finding
      finding.keys = [record.name]
      return finding
    }
  }

  private func removed(_ number: Int, _ field: String?, of name: String, _ what: String) -> Finding {
    finding(
      .fieldRemoved, name, "\(what), and nothing declares or reserves the number now",
      "declare the field again with `number: \(number)`; or, if its values are not needed any more, ",
      Remedy(), reserving: number, field)
  }

  private func reused(
    _ number: Int, by now: DeclaredType.Field, _ field: String?, of name: String, _ what: String
  ) -> Finding {
    let free = numbers.number(for: now.name, of: .type(name))
    return finding(
      .numberReused, name, "\(what), and '\(now.name)' has \(field == nil ? "it" : "its number") now",
      "write `number: \(free)` at '\(now.name)', and ", Remedy(newNumber: .init(field: now.name, number: free)),
      reserving: number, field)
  }

  private func finding(
    _ rule: ReleaseRule, _ name: String, _ message: String, _ help: String, _ remedy: Remedy, reserving number: Int,
    _ field: String?
  ) -> Finding {
    var remedy = remedy
    var reserving = ""
    if let type = today.types[name] {
      remedy.reservedFields = [type.reservation(number, field)]
      reserving =
        type.reservedNumbers[number] != nil
        ? "keep the number \(number) in `reserved`"
        : "write `reserved: \(type.reserving(remedy.reservedFields))` in '\(name)'"
    }
    return Finding(
      rule: rule, subject: .type(name), message: message, help: help + reserving, remedy: remedy, keys: [])
  }
}

/// The fields of structs that a release had, and a later one did not have.
struct StructHistory {
  private struct Gone: Hashable {
    var type: String
    var number: Int
    var field: String
  }

  private var gone: Set<Gone> = []

  /// - Parameter releases: The releases, the oldest first.
  init(_ releases: [CatalogState]) {
    var known: [String: [Int: String]] = [:]
    for release in releases {
      for (name, type) in release.types {
        let numbers = type.numbers
        guard !numbers.isEmpty else { continue }
        for (number, field) in known[name] ?? [:] where numbers[number] == nil {
          gone.insert(Gone(type: name, number: number, field: field))
        }
        known[name, default: [:]].merge(numbers.mapValues(\.name)) { $1 }
      }
    }
  }

  /// Returns true if a field was gone in a release, so that another field with its number is no renamed one.
  func isGone(_ number: Int, _ field: String, from type: String) -> Bool {
    gone.contains(Gone(type: type, number: number, field: field))
  }
}

extension DeclaredType: NumberedDeclaration {
  package var fieldNames: [String] { fields.map(\.name) }

  private var fields: [Field] { if case .structure(let fields) = form { fields } else { [] } }

  /// The fields of a struct that have a number, by it.
  var numbers: [Int: Field] {
    Dictionary(fields.compactMap { field in field.number.map { ($0, field) } }) { first, _ in first }
  }

  /// The fields of a struct and its reserved numbers, as a catalog writes them, after some findings were mended.
  package func mended(_ remedies: [Remedy]) -> [FieldValue.Entry] {
    var type = self
    let numbers = Dictionary(remedies.compactMap(\.newNumber).map { ($0.field, $0.number) }) { first, _ in first }
    type.form = .structure(
      fields.map { field in
        var field = field
        field.number = numbers[field.name] ?? field.number
        return field
      })
    let reserved = FieldValue.Entry("reserved", reserving(remedies.flatMap(\.reservedFields)))
    return (numbers.isEmpty ? [] : type.fields().entries.filter { $0.name == "fields" }) + [reserved]
  }
}
