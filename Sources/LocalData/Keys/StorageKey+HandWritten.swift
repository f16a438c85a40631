public import StorageVocabulary

/// Keys written by hand. Owner and description are not optional: an audit lists them.
extension StorageKey {
  /// A key whose absence is an error.
  @_disfavoredOverload
  public init(
    name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, serializer: Serializer<Value>,
    owner: String, description: String, availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never
  ) {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer, absent: { nil }), traits: KeyTraits(),
      prose: KeyProse(owner: owner, description: description))
  }
}
