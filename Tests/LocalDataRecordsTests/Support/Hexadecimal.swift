import LocalDataFoundation

extension [UInt8] {
  /// Creates bytes from pairs of hexadecimal digits; other characters between the pairs are ignored.
  init(hex: String) {
    var digits = hex.compactMap(\.hexDigitValue)[...]
    self = []
    while let high = digits.popFirst(), let low = digits.popFirst() { append(UInt8(high << 4 | low)) }
  }

  var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
