import LocalDataModel
import LocalDataVocabulary

/// Why values of an earlier form cannot be read by a later one.
struct Obstacle: Hashable {
  enum Kind: Hashable {
    /// The name or the place differs in a way that does not count when two keys are compared.
    case address
    case serializer, security, schema
    case type
    /// A raw value of this enum, which had another name maybe, is gone.
    case rawValue(enumeration: String, old: String)
  }

  var kind: Kind
  /// The difference, as the end of a sentence: `as '[Int]', and not as 'Int'`.
  var reason: String
  /// A Boolean value that indicates whether a field of a struct needs a value that stored bytes may not have.
  var isMissing = false
}

/// Decides whether values of one state can be read by the code of a later one.
package struct ReadingCheck {
  let oldTypes: [String: DeclaredType]
  let newTypes: [String: DeclaredType]

  package init(oldTypes: [String: DeclaredType], newTypes: [String: DeclaredType]) {
    self.oldTypes = oldTypes
    self.newTypes = newTypes
  }

  /// The obstacles on the way from bytes that were stored as `old` to a reader of the form `new`.
  func obstacles(_ old: StoredForm, _ new: StoredForm) -> [Obstacle] {
    var result: [Obstacle] = []
    if let obstacle = addressObstacle(old, new) { result.append(obstacle) }
    if !Self.opens(old, new) {
      result.append(
        Obstacle(
          kind: .security,
          reason: "secured as \(Self.words(old, besides: new)), and it is read as \(Self.words(new, besides: old))"))
    }
    if new.schema == old.schema, new.reads(old), !isMisread(old, new), typeObstacles(old.type, old.type).isEmpty {
      return result
    }
    let isRaw = new.schema > old.schema && (new.serializer == .text("data") || new.serializer["custom"] != .absent)
    if old.serializer != new.serializer, !isRaw {
      result.append(
        Obstacle(kind: .serializer, reason: "written by '\(old.serializer)', and it is read by '\(new.serializer)'"))
    }
    if old.serializer == new.serializer, old.writtenDates != new.writtenDates {
      let forms = [old.dates, new.dates].map { $0 == .absent ? "in the form of the serializer" : "as '\($0)'" }
      result.append(Obstacle(kind: .serializer, reason: "with dates \(forms[0]), and they are read \(forms[1])"))
    }
    if new.schema < old.schema {
      result.append(
        Obstacle(kind: .schema, reason: "with schema \(old.schema), and only schemas up to \(new.schema) are read"))
    } else if new.schema == old.schema {
      result += typeObstacles(old.type, new.type)
    }
    return result
  }

  /// Returns true if the declared form of dates reads what was stored in another one: each of them is a number, and a read tries the
  /// declared form first.
  private func isMisread(_ old: StoredForm, _ new: StoredForm) -> Bool {
    let dates = [old.writtenDates, new.writtenDates]
    guard old.serializer == new.serializer, dates[0] != dates[1] else { return false }
    if dates.contains(.absent) || dates.contains(.text(DateForm.iso8601.rawValue)) { return false }
    return typeObstacles(old.type, new.type).isEmpty
  }

  private func addressObstacle(_ old: StoredForm, _ new: StoredForm) -> Obstacle? {
    if old.wildcardName != new.wildcardName {
      return Obstacle(
        kind: .address, reason: "named '\(old.name)', and '\(new.name)' is another name on some devices")
    }
    if let name = old.name(for: new.parameters), name != new.name {
      return Obstacle(
        kind: .address, reason: "as '\(old.name)', and '\(new.name)' has the parameters in another order")
    }
    let types = (old.parameterTypes, new.parameterTypes)
    if types.0.count == types.1.count,
      let (before, now) = zip(types.0, types.1).first(where: { !canName($0, $1) })
    {
      // The raw value of a case is part of the stored name.
      if let earlier = rawValues(oldTypes[before]), let later = rawValues(newTypes[now]),
        earlier.rawType == later.rawType
      {
        return rawObstacles(earlier, later, before, now).first
      }
      return Obstacle(kind: .address, reason: "named by parameters of '\(before)', and it is named by '\(now)'")
    }
    if case .keychain(_, _, let before) = old.domain, case .keychain(_, _, let now) = new.domain, before != now {
      let words = [true: "a synchronizable item", false: "an item that is not synchronizable"]
      return Obstacle(
        kind: .address, reason: "as \(words[before] ?? ""), and it is looked for as \(words[now] ?? "")")
    }
    return nil
  }

  /// A parameter of a text can have every name of another type; an enum those of its cases.
  private func canName(_ old: String, _ new: String) -> Bool {
    if new == "String" { return true }
    guard let before = rawValues(oldTypes[old]), let now = rawValues(newTypes[new]) else { return old == new }
    return Set(before.map(\.raw)).isSubset(of: now.map(\.raw))
  }

  private func rawValues(_ type: DeclaredType?) -> [DeclaredType.Case]? {
    if case .enumeration(let cases)? = type?.form { cases } else { nil }
  }

  // MARK: Security

  /// A sealed value names its algorithm and derivation, so these may change. It is bound to its domain.
  static func opens(_ old: StoredForm, _ new: StoredForm) -> Bool {
    switch (old.security, new.security) {
    case (.encrypted(let before), .encrypted(let now)):
      before.keySource == now.keySource && old.domain.kind == new.domain.kind
    case (.encrypted, _), (_, .encrypted): false
    case (.none, _), (.keychain, _): true
    }
  }

  private static func words(_ form: StoredForm, besides other: StoredForm) -> String {
    let security = FieldValue(form.security).description
    return form.domain.kind == other.domain.kind ? "'\(security)'" : "'\(security)' in \(form.domain.kind)"
  }
}
