import LocalDataFoundation
import LocalDataSystem

/// The space that is left in a suite of UserDefaults.
///
/// UserDefaults stores suites of less than 4 MiB, on watchOS of less than 1 MiB. If a value makes a suite larger, the value is
/// lost, and watchOS ends the app. The limits here are lower, because other code and other processes set values too, and
/// because the system does not document its own estimate of a size.
///
/// The values are measured at the first write, and again when 64 KiB have been written or 10 seconds have passed since. In
/// between, the sizes of new values are added, and those of the values that they replace are not subtracted.
struct SuiteSizeLimit: Sendable {
  /// The most bytes that the values of a suite may have together.
  static var limit: Int {
    #if os(watchOS)
      896 << 10
    #else
      3584 << 10
    #endif
  }

  private static let unmeasuredSize = 64 << 10
  private static let unmeasuredTime = Duration.seconds(10)

  private var time: ContinuousClock.Instant?
  private var size = 0
  private var unmeasured = 0

  /// Adds the size of new values. Returns false if the values of the suite must be measured instead.
  mutating func take(_ added: Int, at now: ContinuousClock.Instant = .now, limit: Int = Self.limit) -> Bool {
    guard let time, now - time < Self.unmeasuredTime, unmeasured + added <= Self.unmeasuredSize, size + added <= limit
    else { return false }
    size += added
    unmeasured += added
    return true
  }

  /// Records the measured size of the suite's values.
  mutating func measure(_ size: Int, at now: ContinuousClock.Instant = .now) {
    time = now
    self.size = size
    unmeasured = 0
  }

  /// Returns the size of a suite in which values are set.
  ///
  /// - Throws: ``StorageProblem/preferencesFull`` if it would be too large, and larger than it is.
  static func size(
    of stored: [String: Any], setting values: [String: Any], limit: Int = Self.limit
  ) throws(StorageProblem) -> Int {
    let old = size(of: stored)
    let new = size(of: stored.merging(values) { $1 })
    guard new <= limit || new <= old else { throw .preferencesFull }
    return new
  }

  /// Returns the approximate number of bytes of an object in a property list.
  static func size(of object: Any) -> Int {
    let overhead = 16
    switch object {
    case let data as Data: return overhead + data.count
    case let text as String: return overhead + size(of: text)
    case let list as [Any]: return list.reduce(overhead) { $0 + size(of: $1) }
    case let dictionary as [String: Any]:
      return dictionary.reduce(overhead) { $0 + overhead + size(of: $1.key) + size(of: $1.value) }
    default: return overhead
    }
  }

  /// A property list has a text in ASCII, or in UTF-16.
  private static func size(of text: String) -> Int {
    let count = text.utf16.count
    return text.utf8.count == count ? count : 2 * count
  }
}
