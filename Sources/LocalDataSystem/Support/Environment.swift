#if os(Linux)
  import LocalDataFoundation

  /// The environment of the process. `ProcessInfo` reads all variables to return one.
  package enum Environment {
    /// Returns the value of a variable, or `nil` if it is not set.
    package static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }
  }
#endif
