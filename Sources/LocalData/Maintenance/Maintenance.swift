/// Functions that examine, clean up and repair what is stored, besides the everyday verbs.
///
/// ```swift
/// let maintenance = router.maintenance
/// ```
///
/// The functions work for as long as it takes, and each wait of them ends after the configured timeout. If one container
/// keeps them waiting that long, they do not wait for it again, until it can be used.
public struct Maintenance: Sendable {
  let router: StorageRouter

  /// The waits of a function, which works for as long as it takes.
  func waits() -> CallWaits { CallWaits(router.timeout, of: .step) }
}

extension StorageRouter {
  /// Functions that examine, clean up and repair what is stored, besides the everyday verbs.
  public nonisolated var maintenance: Maintenance { Maintenance(router: self) }
}
