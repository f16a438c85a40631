import StorageVocabulary

extension StorageError {
  /// A fault of a store or a cipher, with the key it concerns. One to one: no fault is mapped onto another.
  ///
  /// - Parameter operation: What was being done, for a call of the system that failed.
  init(_ fault: StorageFault, _ subject: Subject, limit: Int, _ operation: Operation = .read) {
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
      case .valueTooLarge: .valueTooLarge(subject, limit: limit)
      case .locked: .locked(subject)
      case .accessDenied: .accessDenied(subject)
      case .missingEntitlement: .missingEntitlement(subject)
      case .invalidated: .invalidated(subject)
      case .userCancelled: .userCancelled(subject)
      case .busy: .busy(subject)
      case .outOfSpace: .outOfSpace(subject)
      case .io(let errno): .io(subject, operation, errno: errno)
      case .corrupted: .corrupted(subject)
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
