package import LocalDataModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension CalendarDate {
  /// The day on which the tool runs, in UTC.
  package static var today: CalendarDate { CalendarDate(secondsSince1970: time(nil)) }
}
