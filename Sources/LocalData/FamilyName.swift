/// The declared name of a family, as a pattern of its members' stored names. Text matches itself, and a parameter matches
/// anything.
package struct FamilyName: Hashable, Sendable {
  /// The texts before, between and after the parameters.
  private let texts: [[UInt8]]
  /// The parameters' names.
  package let parameters: [String]

  package init(_ declared: String) {
    var (texts, parameters, text, isParameter): ([[UInt8]], [[UInt8]], [UInt8], Bool) = ([], [], [], false)
    for byte in declared.utf8 {
      switch byte {
      case UInt8(ascii: "{") where !isParameter:
        texts.append(text)
        (text, isParameter) = ([], true)
      case UInt8(ascii: "}") where isParameter:
        parameters.append(text)
        (text, isParameter) = ([], false)
      default: text.append(byte)
      }
    }
    self.texts = texts + [text]
    self.parameters = parameters.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The name without the names of the parameters, which a later release may change: `draft_{}`.
  var pattern: String { texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "{}") }

  /// The number of bytes that every member's name has.
  fileprivate var literalCount: Int { texts.reduce(0) { $0 + $1.count } }

  /// Returns the stored name of a member.
  ///
  /// - Parameter values: The escaped value of each parameter.
  /// - Returns: The name, or `nil` if a value is missing.
  func member(_ values: [String: String]) -> String? {
    var name: [UInt8] = texts.first ?? []
    for (parameter, text) in zip(parameters, texts.dropFirst()) {
      guard let value = values[parameter] else { return nil }
      name += Array(value.utf8) + text
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns the first result of `make` for a choice of escaped values that gives this name.
  ///
  /// There may be several choices, for example if `-` is between two parameters, and only the types of the parameters decide
  /// which one is right. At most a thousand choices are tried.
  func firstMember<Result>(of name: String, _ make: ([String: String]) -> Result?) -> Result? {
    var (attempts, result): (Int, Result?) = (1_000, nil)
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
    // The last value takes all that is left.
    let isLast = values.count + 1 == parameters.count
    for end in rest.startIndex...rest.endIndex where attempts > 0 {
      // An escaped value has none of the other bytes.
      if end > rest.startIndex, !StorageKeyName.isOfParameter(rest[end - 1]) { return false }
      if isLast, end + text.count != rest.endIndex { continue }
      guard rest[end...].starts(with: text), let value = StorageKeyName.parameter(rest[..<end]) else { continue }
      if split(rest[(end + text.count)...], values + [value], &attempts, isFound: isFound) { return true }
    }
    return false
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
    var (owners, mostText): ([Element], Int) = ([], 0)
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
