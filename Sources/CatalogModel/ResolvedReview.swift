/// A review of how a key or a record is protected.
package struct ResolvedReview: Sendable, Hashable {
  /// The team or person that has reviewed it.
  package var by: String
  /// The last day on which the review holds.
  package var until: CalendarDate

  package init(by: String, until: CalendarDate) { (self.by, self.until) = (by, until) }

  func isOver(on day: CalendarDate) -> Bool { until < day }
}
