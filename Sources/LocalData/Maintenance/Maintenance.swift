/// Functions that examine, clean up and repair what is stored, besides the everyday verbs.
///
/// ```swift
/// let maintenance = router.maintenance
/// ```
public struct Maintenance: Sendable {
  let router: StorageRouter
}

extension StorageRouter {
  /// Functions that examine, clean up and repair what is stored, besides the everyday verbs.
  public nonisolated var maintenance: Maintenance { Maintenance(router: self) }
}
