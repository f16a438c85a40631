package import CatalogSyntax

/// A finding that a key accepts, with a reason: an entry of `allow`.
package struct Allowance: Sendable {
  /// The id of the rule.
  package var rule: String
  package var reason: String
  /// The last day on which the finding is allowed. Without it, the allowance has no end.
  package var until: CalendarDate?
  /// The member of the key.
  package var key: String
  package var place: SourcePlace

  package init(rule: String, reason: String, until: CalendarDate? = nil, key: String, place: SourcePlace) {
    self.rule = rule
    self.reason = reason
    self.until = until
    self.key = key
    self.place = place
  }

  func isOver(on day: CalendarDate) -> Bool { until.map { $0 < day } ?? false }
}

/// A day of the Gregorian calendar, without a time zone.
package struct CalendarDate: Sendable, Hashable, Comparable {
  package var year: Int
  package var month: Int
  package var day: Int

  /// A day before all others, on which nothing has ended.
  package static let earliest = CalendarDate(year: 1, month: 1, day: 1)

  private init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
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

  private static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
