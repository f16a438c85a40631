/// Dates of RFC 3339, without Foundation.
enum DateText {
  /// Seconds since 1970-01-01T00:00:00Z of `2024-02-29T12:00:00.5+01:00`; `nil` if the text is no date, or the
  /// calendar has no such day.
  static func seconds(_ text: String) -> Double? {
    var scanner = DigitScanner(bytes: Array(text.utf8))
    guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
      let day = scanner.digits(2), scanner.take("T") || scanner.take("t"), let hour = scanner.digits(2),
      scanner.take(":"), let minute = scanner.digits(2), scanner.take(":"), let second = scanner.digits(2)
    else { return nil }
    guard (1...12).contains(month), (1...days(month: month, year: year)).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    var fraction = 0.0
    if scanner.take(".") {
      guard let digits = scanner.fraction() else { return nil }
      fraction = digits
    }
    guard let offset = offset(&scanner), scanner.isAtEnd else { return nil }
    let whole = daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Double(whole) + fraction
  }

  private static func offset(_ scanner: inout DigitScanner) -> Int? {
    if scanner.take("Z") || scanner.take("z") { return 0 }
    let sign: Int
    if scanner.take("+") {
      sign = 1
    } else if scanner.take("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hours = scanner.digits(2), scanner.take(":"), let minutes = scanner.digits(2), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }

  private static func days(month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: isLeap(year) ? 29 : 28
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// Days of the Gregorian calendar, counted in years that begin with March so that a leap day is their last.
  static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

private struct DigitScanner {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ character: Character) -> Bool {
    guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
    position += 1
    return true
  }

  mutating func digits(_ count: Int) -> Int? {
    guard position + count <= bytes.count else { return nil }
    var value = 0
    for _ in 0..<count {
      guard Identifier.isDigit(bytes[position]) else { return nil }
      value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
      position += 1
    }
    return value
  }

  /// Up to nine digits behind a point; finer ones no Date keeps.
  mutating func fraction() -> Double? {
    let start = position
    while position < bytes.count, Identifier.isDigit(bytes[position]) { position += 1 }
    guard position > start, position - start <= 9 else { return nil }
    return Double("0." + String(decoding: bytes[start..<position], as: UTF8.self))
  }
}
