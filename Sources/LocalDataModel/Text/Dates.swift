/// A day of the Gregorian calendar, without a time zone.
package struct CalendarDate: Sendable, Hashable, Comparable {
  package var year: Int
  package var month: Int
  package var day: Int

  /// A day before all others, on which nothing has ended.
  package static let earliest = CalendarDate(year: 1, month: 1, day: 1)

  private init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// A date such as `2026-12-31`, or `nil` if the text is no day.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(Identifier.isDigit) else { return nil }
    let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 3, numbers[0] >= 1, (1...12).contains(numbers[1]),
      (1...Self.days(of: numbers[1], in: numbers[0])).contains(numbers[2])
    else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// The day of a point in time in UTC, so that a run gives the same result in every time zone.
  package init(secondsSince1970 seconds: Int) {
    var days = (Double(seconds) / 86_400).rounded(.down)
    var year = 1970
    func length(_ year: Int) -> Double { Self.isLeap(year) ? 366 : 365 }
    while days < 0 {
      year -= 1
      days += length(year)
    }
    while days >= length(year) {
      days -= length(year)
      year += 1
    }
    var month = 1
    while days >= Double(Self.days(of: month, in: year)) {
      days -= Double(Self.days(of: month, in: year))
      month += 1
    }
    self.init(year: year, month: month, day: Int(days) + 1)
  }

  /// The number of the day, counted from 1970-01-01.
  package var daysSince1970: Int { DateText.daysSince1970(year, month, day) }

  /// Returns the day a number of days later.
  package func adding(days: Int) -> CalendarDate {
    CalendarDate(secondsSince1970: (daysSince1970 + days) * 86_400)
  }

  package var text: String {
    func padded(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  fileprivate static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

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
    guard (1...12).contains(month), (1...CalendarDate.days(of: month, in: year)).contains(day), hour < 24, minute < 60,
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
