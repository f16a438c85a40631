package import LocalDataSyntax

/// A finding that a declaration accepts, with a reason: an entry of `allow`.
package struct Allowance: Sendable {
  /// The id of the rule.
  package var rule: String
  package var reason: String
  /// The last day on which the finding is allowed. Without it, the allowance has no end.
  package var until: CalendarDate?
  /// The member of the key, or the Swift type of the record, the database or the type.
  package var key: String
  package var place: SourcePlace

  package init(rule: String, reason: String, until: CalendarDate? = nil, key: String, place: SourcePlace) {
    self.rule = rule
    self.reason = reason
    self.until = until
    self.key = key
    self.place = place
  }

  package func isOver(on day: CalendarDate) -> Bool { until.map { $0 < day } ?? false }
}

/// A review of how a key or a record is protected.
package struct ResolvedReview: Sendable, Hashable {
  /// The team or person that has reviewed it.
  package var by: String
  /// The last day on which the review holds.
  package var until: CalendarDate

  package init(by: String, until: CalendarDate) {
    self.by = by
    self.until = until
  }

  func isOver(on day: CalendarDate) -> Bool { until < day }
}
