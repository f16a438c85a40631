import LocalData

/// Returns the number of the last order.
public func lastOrder(_ router: StorageRouter) async throws -> Int {
  try await router.get(.lastOrder)
}
