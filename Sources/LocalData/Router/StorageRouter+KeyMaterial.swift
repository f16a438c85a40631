import LocalDataFoundation
public import LocalDataStores

extension StorageRouter {
  /// Registers the provider of an external key source. In a catalog, keys name the source with
  /// `keySource: {external: remote.key}`.
  ///
  /// Without a provider, calls on such keys throw ``StorageProblem/Code/noKeyMaterialProvider``. A new provider for the same
  /// source replaces the earlier one. The material of the earlier provider is not used any more.
  ///
  /// - Parameters:
  ///   - provider: The provider of the key material.
  ///   - source: The source that keys name.
  public nonisolated func registerKeyMaterialProvider(
    _ provider: any KeyMaterialProviding, for source: KeyMaterialSource
  ) {
    setup.withLock { $0.providers }.register(provider, for: source)
  }
}
