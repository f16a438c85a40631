import LocalData

/// Returns the currency that the user chose.
public func currency(_ router: StorageRouter) async throws -> String {
  try await router.get(.currency)
}
