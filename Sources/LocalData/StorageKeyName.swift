public import Foundation

/// The stored name of a member of a family: text as it stands, parameters escaped.
///
///     let name: StorageKeyName = "draft_\(documentID)"
///
/// In a parameter `a` to `z`, `0` to `9` and `-` stay; every other byte of its UTF-8 becomes `%XX`. Two combinations of
/// parameters so never share a name, and the parameters can be read back from it. A UUID is lower-cased first.
@_spi(Generated) public struct StorageKeyName: Sendable, Hashable, ExpressibleByStringInterpolation {
  let text: String

  public init(stringLiteral text: String) { self.text = text }

  public init(stringInterpolation parts: StringInterpolation) { text = parts.text }

  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 40 * interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(_ parameter: String) { appendEscaped(parameter) }

    public mutating func appendInterpolation(_ parameter: Int) { appendEscaped(String(parameter)) }

    public mutating func appendInterpolation(_ parameter: UUID) { appendEscaped(parameter.uuidString.lowercased()) }

    public mutating func appendInterpolation(_ parameter: some RawRepresentable<String>) {
      appendEscaped(parameter.rawValue)
    }

    public mutating func appendInterpolation(_ parameter: some RawRepresentable<Int>) {
      appendEscaped(String(parameter.rawValue))
    }

    private mutating func appendEscaped(_ parameter: String) {
      for byte in parameter.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          text.unicodeScalars.append(Unicode.Scalar(byte))
        default:
          let hex = String(byte, radix: 16, uppercase: true)
          text += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
        }
      }
    }
  }
}
