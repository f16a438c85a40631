import StorageStores

extension StorageError {
  /// Creates the error for a fault of a store or a cipher. Each fault has its own case.
  ///
  /// - Parameters:
  ///   - limit: The most bytes of the value, if the fault can be that a value is too large.
  ///   - operation: The operation during which a call of the system failed.
  package init(_ fault: StorageFault, _ subject: Subject, limit: Int = 0, _ operation: Operation = .read) {
    self =
      switch fault {
      case .notFound: .notFound(subject)
      case .cannotEncode: .cannotEncode(subject)
      case .cannotDecode: .cannotDecode(subject)
      case .invalidAppGroupIdentifier: .invalidAppGroupIdentifier(subject)
      case .appGroupNotConfigured: .appGroupNotConfigured(subject)
      case .appGroupNotEntitled: .appGroupNotEntitled(subject)
      case .invalidName: .invalidName(subject)
      case .configurationConflict: .configurationConflict(subject)
      case .accessGroupChanged(let recorded, let current):
        .configurationConflict(subject, AccessGroupChange(recorded: recorded, current: current))
      case .valueTooLarge: .valueTooLarge(subject, limit: limit)
      case .locked: .locked(subject)
      case .folderUnavailable: .folderUnavailable(subject)
      case .keyMaterialExposed: .keyMaterialExposed(subject)
      case .accessDenied: .accessDenied(subject)
      case .missingEntitlement: .missingEntitlement(subject)
      case .invalidated: .invalidated(subject)
      case .userCancelled: .userCancelled(subject)
      case .busy: .busy(subject)
      case .forkedProcess: .forkedProcess(subject)
      case .outOfSpace: .outOfSpace(subject)
      case .preferencesFull: .preferencesFull(subject)
      case .io(let errno): .io(subject, operation, errno: errno)
      case .corrupted: .corrupted(subject)
      case .databaseDamaged: .databaseDamaged(subject)
      case .recordDamaged: .recordDamaged(subject)
      case .quarantineFull: .quarantineFull(subject)
      case .alreadyStored: .alreadyStored(subject)
      case .refusedScan: .accessDenied(subject)
      case .missingReference: .missingReference(subject)
      case .stillReferenced: .stillReferenced(subject)
      case .containerDamaged(let domain): .containerDamaged(subject, domain)
      case .keyMaterialDamaged: .keyMaterialDamaged(subject)
      case .retiredKeyInUse: .retiredKeyInUse(subject)
      case .noRecordDatabase: .unregistered(subject)
      case .overlappingRoots: .overlappingRoots(subject)
      case .locationChanged(let folder): .locationChanged(subject, from: folder)
      case .rootKeySourceConflict(let recorded): .rootKeySourceConflict(subject, recorded: recorded)
      case .wrongRootKey: .wrongRootKey(subject)
      case .authenticationFailed: .authenticationFailed(subject)
      case .keyMaterialMissing: .keyMaterialMissing(subject)
      case .noKeyMaterialProvider(let source): .noKeyMaterialProvider(subject, source)
      case .keyMaterialProviderFailed(let source): .keyMaterialProviderFailed(subject, source)
      case .keyMaterialTooShort(let source): .keyMaterialTooShort(subject, source)
      case .unknownFormatVersion: .unknownFormatVersion(subject)
      case .newerSchema: .newerSchema(subject)
      case .migrationFailed: .migrationFailed(subject)
      }
  }
}
