import LocalDataFoundation
package import LocalDataStores

/// The declared name of a family, as a pattern of its members' stored names. Text matches itself, and a parameter matches
/// anything.
///
/// `{id}` is a parameter that is escaped, `{+id}` one that is verbatim, `{+id:UUID}` a UUID in upper case, and `{/id}` a verbatim
/// parameter in a path, which does not contain `/`.
package struct FamilyName: Hashable, Sendable {
  /// The texts before, between and after the parameters.
  private let texts: [[UInt8]]
  /// The parameters' names.
  package let parameters: [String]
  private let forms: [ParameterForm]

  package init(_ declared: String) {
    var texts: [[UInt8]] = []
    var parameters: [[UInt8]] = []
    var text: [UInt8] = []
    var isParameter: Bool = false
    for byte in declared.utf8 {
      switch byte {
      case UInt8(ascii: "{") where !isParameter:
        texts.append(text)
        text = []
        isParameter = true
      case UInt8(ascii: "}") where isParameter:
        parameters.append(text)
        text = []
        isParameter = false
      default: text.append(byte)
      }
    }
    self.texts = texts + [text]
    let declared = parameters.map { ParameterForm.parameter(String(decoding: $0, as: UTF8.self)) }
    self.parameters = declared.map(\.name)
    forms = declared.map(\.form)
  }

  /// The name as the catalog declares it: `draft_{id}` for `draft_{+id}`.
  package var plain: String { joined(parameters.map { "{\($0)}" }) }

  /// The name without the names of the parameters, which a later release may change: `draft_{}`, or `draft_{+}`.
  package var pattern: String { joined(forms.map { $0 == .escaped ? "{}" : "{+}" }) }

  private func joined(_ parameters: [String]) -> String {
    zip(parameters + [""], texts.dropFirst() + [[]]).reduce(into: String(decoding: texts[0], as: UTF8.self)) {
      $0 += $1.0 + String(decoding: $1.1, as: UTF8.self)
    }
  }

  /// Returns true if another choice of parameters has the same name or none has it, or if a verbatim parameter makes a name that
  /// no store takes: an empty one, or one with a control character.
  func refuses(_ name: String) -> Bool {
    guard forms.contains(where: { $0 != .escaped }) else { return false }
    if name.isEmpty || name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return true }
    var count = 0
    _ = firstMember(of: name) { _ -> Bool? in
      count += 1
      return count > 1 ? true : nil
    }
    return count != 1
  }

  /// The number of bytes that every member's name has.
  fileprivate var literalCount: Int { texts.reduce(0) { $0 + $1.count } }

  /// Returns the stored name of a member.
  ///
  /// - Parameter values: The escaped value of each parameter.
  /// - Returns: The name, or `nil` if a value is missing.
  func member(_ values: [String: String]) -> String? {
    var stored: [String] = []
    for (parameter, form) in zip(parameters, forms) {
      guard let value = values[parameter].flatMap(form.stored) else { return nil }
      stored.append(value)
    }
    return joined(stored)
  }

  /// Returns the first result of `make` for a choice of escaped values that gives this name.
  ///
  /// There may be several choices, for example if `-` is between two parameters, and only the types of the parameters decide
  /// which one is right. At most a thousand choices are tried.
  func firstMember<Result>(of name: String, _ make: ([String: String]) -> Result?) -> Result? {
    var attempts: Int = 1_000
    var result: Result? = nil
    let bytes = Array(name.utf8)
    guard let first = texts.first, bytes.starts(with: first) else { return nil }
    split(bytes[first.count...], [], &attempts) { values in
      result = make(Dictionary(zip(parameters, values)) { first, _ in first })
      return result != nil
    }
    return result
  }

  /// Splits the rest of a name until `isFound` returns true. Returns true if it did.
  @discardableResult
  private func split(
    _ rest: ArraySlice<UInt8>, _ values: [String], _ attempts: inout Int, isFound: ([String]) -> Bool
  ) -> Bool {
    guard values.count < parameters.count else {
      attempts -= 1
      return rest.isEmpty && isFound(values)
    }
    let text = texts[values.count + 1]
    let form = forms[values.count]
    // The last value takes all that is left.
    let isLast = values.count + 1 == parameters.count
    for end in rest.startIndex...rest.endIndex where attempts > 0 {
      // An escaped value has none of the other bytes.
      if form == .escaped, end > rest.startIndex, !StorageKeyName.isOfParameter(rest[end - 1]) { return false }
      if isLast, end + text.count != rest.endIndex { continue }
      guard rest[end...].starts(with: text), let value = form.value(rest[..<end]) else { continue }
      if split(rest[(end + text.count)...], values + [value], &attempts, isFound: isFound) { return true }
    }
    return false
  }

  /// Returns true if a name has the form of a member. In the folder of a path are files of other code, and only those whose names
  /// have parameters in their forms are members.
  package func isMember(_ name: String, in container: StorageContainer) -> Bool {
    guard container.domain.fields.directory?.exact != nil else { return matches(name) }
    return firstMember(of: name) { _ in true } == true
  }

  package func matches(_ name: String) -> Bool {
    var rest = Array(name.utf8)[...]
    guard let first = texts.first, let last = texts.last, rest.starts(with: first) else { return false }
    rest = rest.dropFirst(first.count)
    if texts.count == 1 { return rest.isEmpty }
    guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last) else { return false }
    rest = rest.dropLast(last.count)
    // The first place is the best one: it leaves the most to what follows.
    for text in texts.dropFirst().dropLast() where !text.isEmpty {
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: text) }) else { return false }
      rest = rest[(start + text.count)...]
    }
    return true
  }
}

/// The form of a parameter in a stored name. Its value is passed on escaped, whatever the form.
private enum ParameterForm: Hashable, Sendable {
  case escaped, verbatim, component, upperCaseUUID

  private static let suffix = ":UUID"

  /// Returns the name and the form of a parameter as it is declared: `id`, `+id` or `+id:UUID`.
  static func parameter(_ declared: String) -> (name: String, form: Self) {
    if declared.hasPrefix("/") { return (String(declared.dropFirst()), .component) }
    guard declared.hasPrefix("+") else { return (declared, .escaped) }
    let name = String(declared.dropFirst())
    return name.hasSuffix(suffix) ? (String(name.dropLast(suffix.count)), .upperCaseUUID) : (name, .verbatim)
  }

  /// Returns the stored text of an escaped value.
  func stored(_ value: String) -> String? {
    switch self {
    case .escaped: value
    case .verbatim, .component: StorageKeyName.unescaped(value)
    case .upperCaseUUID: StorageKeyName.unescaped(value)?.uppercased()
    }
  }

  /// Returns the escaped value of a stored text, or `nil` if the text is none of the form.
  func value(_ bytes: ArraySlice<UInt8>) -> String? {
    guard self != .escaped else { return StorageKeyName.parameter(bytes) }
    guard let text = String(utf8: bytes) else { return nil }
    if self == .component, text.contains("/") { return nil }
    if self != .upperCaseUUID { return StorageKeyName("\(text)").text }
    return UUID(uuidString: text)?.uuidString == text ? text.lowercased() : nil
  }
}

extension Sequence {
  /// Returns the elements that own a stored name, if each of them claims the names of a family.
  ///
  /// Several families can match a name: `draft_{id}` and `draft_{folder}_{id}` both match `draft_a_1`. The name belongs to the
  /// most specific one, which has the most text between its parameters, here the second one.
  ///
  /// - Parameters:
  ///   - name: The stored name.
  ///   - familyName: Returns the name of the family that an element claims the names of.
  /// - Returns: The owners in the order of the sequence. There are several if their families are equally specific, and none if
  ///   no family matches the name.
  package func owners(of name: String, _ familyName: (Element) -> FamilyName) -> [Element] {
    var owners: [Element] = []
    var mostText: Int = 0
    for element in self {
      let family = familyName(element)
      let text = family.literalCount
      guard text >= mostText, family.matches(name) else { continue }
      if text > mostText { owners.removeAll() }
      owners.append(element)
      mostText = text
    }
    return owners
  }
}
