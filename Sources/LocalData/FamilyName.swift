/// The declared name of a family, as a pattern of its members' stored names: text as it stands, anything for a
/// parameter.
struct FamilyName {
  /// What stands before, between and behind the parameters.
  private let texts: [[UInt8]]
  /// The parameters' names.
  let parameters: [String]

  init(_ declared: String) {
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

  func matches(_ name: String) -> Bool {
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
