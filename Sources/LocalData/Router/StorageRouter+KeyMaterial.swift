public import StorageVocabulary

extension StorageRouter {
  /// Sets who gives the key material of a source that keys name: `keySource: {external: remote.key}`.
  ///
  /// Until there is a provider, values of such keys throw ``StorageError/noKeyMaterialProvider(_:_:)``. Another provider for
  /// the same source takes the place of the first; what the first gave is not used any more.
  public nonisolated func registerKeyMaterialProvider(
    _ provider: any KeyMaterialProviding, for source: KeyMaterialSource
  ) {
    setup.withLock { $0.providers }.register(provider, for: source)
  }
}
