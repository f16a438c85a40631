import StorageStores

extension StorageError {
  /// Creates the error for a fault of a store or a cipher. Only this function turns a fault into a code.
  ///
  /// - Parameters:
  ///   - operation: The operation during which a call of the system failed.
  package init(fault: StorageFault, _ subject: Subject, _ operation: Operation = .read) {
    self.init(Code(fault, operation), subject)
  }
}

extension StorageError.Code {
  fileprivate init(_ fault: StorageFault, _ operation: StorageError.Operation) {
    self =
      switch fault {
      case .notFound: .notFound
      case .cannotEncode: .cannotEncode
      case .cannotDecode: .cannotDecode
      case .invalidAppGroupIdentifier: .invalidAppGroupIdentifier
      case .appGroupNotConfigured: .appGroupNotConfigured
      case .appGroupNotEntitled: .appGroupNotEntitled
      case .invalidName: .invalidName
      case .configurationConflict: .configurationConflict
      case .accessGroupChanged(let recorded, let current): .accessGroupChanged(recorded: recorded, current: current)
      case .valueTooLarge(let limit): .valueTooLarge(limit: limit)
      case .queryTooLarge: .queryTooLarge
      case .invalidQuery(let message): .invalidQuery(message)
      case .locked: .locked
      case .folderUnavailable: .folderUnavailable
      case .keyMaterialExposed: .keyMaterialExposed
      case .accessDenied: .accessDenied
      case .missingEntitlement: .missingEntitlement
      case .invalidated: .invalidated
      case .userCancelled: .userCancelled
      case .busy: .busy
      case .reentrantCall: .reentrantCall
      case .forkedProcess: .forkedProcess
      case .outOfSpace: .outOfSpace
      case .preferencesFull: .preferencesFull
      case .io(let errno): .io(operation, errno: errno)
      case .corrupted: .corrupted
      case .databaseDamaged: .databaseDamaged
      case .recordDamaged: .recordDamaged
      case .quarantineFull: .quarantineFull
      case .alreadyStored: .alreadyStored
      case .refusedScan: .accessDenied
      case .missingReference: .missingReference
      case .stillReferenced: .stillReferenced
      case .containerDamaged(let domain): .containerDamaged(domain)
      case .keyMaterialDamaged: .keyMaterialDamaged
      case .retiredKeyInUse: .retiredKeyInUse
      case .noRecordDatabase: .unregistered
      case .overlappingRoots: .overlappingRoots
      case .locationChanged(let folder): .locationChanged(from: folder)
      case .rootKeySourceConflict(let recorded): .rootKeySourceConflict(recorded: recorded)
      case .wrongRootKey: .wrongRootKey
      case .authenticationFailed: .authenticationFailed
      case .keyMaterialMissing: .keyMaterialMissing
      case .noKeyMaterialProvider(let source): .noKeyMaterialProvider(source)
      case .keyMaterialProviderFailed(let source): .keyMaterialProviderFailed(source)
      case .keyMaterialTooShort(let source): .keyMaterialTooShort(source)
      case .unknownFormatVersion: .unknownFormatVersion
      case .newerSchema: .newerSchema
      case .newerValue: .newerValue
      case .migrationFailed: .migrationFailed
      }
  }
}
