package import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary

/// What has ended, and what ends within some days.
package struct DeadlineReport: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case text, json
  }

  private let today: CalendarDate
  private let days: Int
  private let deadlines: [Deadline]

  /// - Parameters:
  ///   - deadlines: The deadlines by their dates.
  ///   - days: The number of days after today that are reported.
  package init(_ deadlines: [Deadline], today: CalendarDate, days: Int) {
    self.today = today
    self.days = days
    let end = today.adding(days: days)
    self.deadlines = deadlines.filter { $0.date <= end }
  }

  /// Returns the number of days that a text such as `90d` or `12w` names, or nil if it names none.
  package static func days(_ text: String) -> Int? {
    guard let seconds = Retention.seconds(text), seconds <= Int(Int32.max), seconds.isMultiple(of: 86_400) else {
      return nil
    }
    return seconds / 86_400
  }

  /// The number of deadlines before today.
  package var overdue: Int { deadlines.count { $0.date < today } }

  package func render(as format: Format) -> String {
    switch format {
    case .text: text
    case .json: json
    }
  }

  // MARK: Text

  private var text: String {
    guard !deadlines.isEmpty else { return "nothing ends within \(Self.words(days))\n" }
    let rows = deadlines.map { (distance(to: $0.date), $0) }
    let width = rows.map { $0.0.utf8.count }.max() ?? 0
    let lines = rows.map { distance, deadline in
      let padding = String(repeating: " ", count: width - distance.utf8.count)
      let place = "\(deadline.place.file.path):\(deadline.place.range.start.line)"
      return "\(deadline.date.text)  \(distance)\(padding)  \(SafeText.escaped("\(deadline.words) (\(place))"))\n"
    }
    let summary = [overdue > 0 ? "\(overdue) overdue" : nil, "\(deadlines.count - overdue) within \(Self.words(days))"]
    return lines.joined() + "\(summary.compactMap(\.self).joined(separator: ", "))\n"
  }

  private func distance(to date: CalendarDate) -> String {
    switch date.daysSince1970 - today.daysSince1970 {
    case ..<0: "overdue"
    case 0: "today"
    case let days: "in \(Self.words(days))"
    }
  }

  private static func words(_ days: Int) -> String { "\(days) day\(days == 1 ? "" : "s")" }

  // MARK: JSON

  private var json: String {
    let entries = deadlines.map { "\n    \(JSONText.object(fields(of: $0)))" }.joined(separator: ",")
    return """
      {
        "version": 1,
        "today": "\(today.text)",
        "until": "\(today.adding(days: days).text)",
        "overdue": \(overdue),
        "deadlines": [\(entries)\(entries.isEmpty ? "" : "\n  ")]
      }

      """
  }

  private func fields(of deadline: Deadline) -> [JSONText.Field] {
    let own: [JSONText.Field] =
      switch deadline.kind {
      case .allowance(let rule, let reason):
        [
          ("kind", JSONText.quoted("allowance")), ("rule", JSONText.quoted(rule)), ("reason", JSONText.quoted(reason)),
        ]
      case .review(let by): [("kind", JSONText.quoted("review")), ("by", JSONText.quoted(by))]
      case .retention(let age):
        [("kind", JSONText.quoted("retention")), (Retention.Kind.maxAge.rawValue, JSONText.quoted(age))]
      }
    return [
      ("date", JSONText.quoted(deadline.date.text)),
      ("days", "\(deadline.date.daysSince1970 - today.daysSince1970)"),
      ("declaration", JSONText.quoted(deadline.declaration)),
    ] + own + [
      ("path", JSONText.quoted(deadline.place.file.path)), ("line", "\(deadline.place.range.start.line)"),
    ]
  }
}

extension Deadline {
  /// What ends, in words.
  fileprivate var words: String {
    switch kind {
    case .allowance(let rule, let reason): "'\(declaration)' allows \(rule): \(reason)"
    case .review(let by): "the review of '\(declaration)' by \(by)"
    case .retention(let age): "'\(declaration)' is kept for \(age): a value that is written today is removed"
    }
  }
}
