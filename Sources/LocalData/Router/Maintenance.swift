/// Functions that examine, clean up and repair what is stored, besides the everyday verbs. The product `LocalDataMaintenance` has
/// those for keys, and `LocalDataRecords` those for rows.
///
/// ```swift
/// import LocalData
/// import LocalDataMaintenance
///
/// let maintenance = router.maintenance
/// ```
///
/// The functions have no time limit, but each wait ends after the configured timeout. If a wait for a container times out, the
/// function does not wait for this container again until it can be used.
public struct Maintenance: Sendable {
  package let router: StorageRouter

  /// The progress of a maintenance function.
  public struct Progress: Sendable, Hashable {
    /// The number of keys, values, files and containers that are done.
    public var completed: Int
    /// The total number of keys, values, files and containers. It can grow while the function runs, because app groups are
    /// examined one after the other.
    public var total: Int

    package init(completed: Int, total: Int) {
      self.completed = completed
      self.total = total
    }
  }
}

extension Maintenance.Progress {
  /// Counts one thing more as done, and reports the progress.
  package mutating func advance(_ report: (Self) -> Void) {
    completed += 1
    report(self)
  }
}

extension StorageRouter {
  /// Functions that examine, clean up and repair what is stored, besides the everyday verbs.
  public nonisolated var maintenance: Maintenance { Maintenance(router: self) }
}
