import StorageVocabulary

// The vocabulary's own lists of cases, made searchable: no name of a case is written here again.

extension StorageDomain.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension FileDirectory.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension SecurityPolicy.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension EncryptionAlgorithm: CaseName {
  static let names = NameTable<Self>()
}

extension KeyDerivation.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension KeySource.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension KeychainAccessibility: CaseName {
  static let names = NameTable<Self>()
}

extension KeychainAccessControl: CaseName {
  static let names = NameTable<Self>()
}

extension SyncTransfer: CaseName {
  static let names = NameTable<Self>()
}

extension SerializerKind.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension PlatformAvailability: CaseName {
  static let names = NameTable<Self>()
}

extension SyncPolicy: CaseName {
  static let names = NameTable<Self>()
}

extension Sensitivity: CaseName {
  static let names = NameTable<Self>()
}

extension Retention.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension Retention.End: CaseName {
  static let names = NameTable<Self>()
}

extension CorruptionPolicy: CaseName {
  static let names = NameTable<Self>()
}

extension StorageReservedName.Cleanup: CaseName {
  static let names = NameTable<Self>()
}

extension AccessLevel: CaseName {
  static let names = NameTable<Self>()
}

extension ScalarType: CaseName {
  static let names = NameTable<Self>()
}

extension ResolvedMigration.OnConflict: CaseName {
  static let names = NameTable<Self>()
}
