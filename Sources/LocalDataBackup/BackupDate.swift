import LocalDataFoundation

/// Dates as texts in RFC 3339, in UTC with nanoseconds.
enum BackupDate {
  /// Returns the text of a date, or nil if it would not read back equal, or is not in the years 1583 to 9999. Calendars differ about
  /// earlier years.
  static func text(_ date: Date) -> String? {
    let time = date.timeIntervalSinceReferenceDate
    guard abs(time) < 1e12 else { return nil }
    var seconds = time.rounded(.down)
    var nanoseconds = Int(((time - seconds) * 1e9).rounded())
    if nanoseconds == 1_000_000_000 {
      seconds += 1
      nanoseconds = 0
    }
    let digits = String(nanoseconds)
    let text = whole(seconds).dropLast() + "." + String(repeating: "0", count: 9 - digits.count) + digits + "Z"
    return text >= "1583" && self.date(String(text)) == date ? String(text) : nil
  }

  /// Returns the date of a text, or nil if it is another text.
  static func date(_ text: String) -> Date? {
    let head = text.prefix(19)
    let digits = text.dropFirst(20).dropLast()
    guard text.utf8.count == 30, text.hasSuffix("Z"), text.dropFirst(19).first == ".", digits.utf8.count == 9,
      digits.allSatisfy({ ("0"..."9").contains($0) }), let nanoseconds = Double(digits)
    else { return nil }
    let seconds: Date
    do { seconds = try Date.ISO8601FormatStyle().parse(head + "Z") } catch { return nil }
    guard whole(seconds.timeIntervalSinceReferenceDate) == head + "Z" else { return nil }
    return seconds + nanoseconds / 1e9
  }

  private static func whole(_ seconds: Double) -> String {
    Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
  }
}
