/// What Keychain Services answers, as `SecBase.h` of Apple's Security framework numbers it; here, so that what becomes of
/// each is tested where that framework is not.
enum KeychainStatus {
  static let success: Int32 = 0
  static let itemNotFound: Int32 = -25300
  static let duplicateItem: Int32 = -25299
  static let interactionNotAllowed: Int32 = -25308
  static let parameter: Int32 = -50

  private static let userCancelled: Int32 = -128
  private static let authenticationFailed: Int32 = -25293
  private static let missingEntitlement: Int32 = -34018
  private static let noAccessForItem: Int32 = -25243
  private static let readOnly: Int32 = -25292
  private static let writePermission: Int32 = -61
  private static let notAvailable: Int32 = -25291
  private static let interactionRequired: Int32 = -25315
  private static let inDarkWake: Int32 = -25320
  private static let diskFull: Int32 = -34
  private static let dataTooLarge: Int32 = -25302
  private static let decode: Int32 = -26275

  /// The fault that a status means; success and "not found" are none.
  static func fault(_ status: Int32) -> StorageFault {
    switch status {
    // The device is locked, or nobody may be asked: both pass.
    case interactionNotAllowed, interactionRequired, inDarkWake, notAvailable: .locked
    case userCancelled: .userCancelled
    case authenticationFailed, noAccessForItem, readOnly, writePermission: .accessDenied
    case missingEntitlement: .missingEntitlement
    case diskFull: .outOfSpace
    case dataTooLarge: .valueTooLarge
    case decode: .corrupted
    // No errno of the system: the number tells those who look it up.
    default: .io(errno: status)
    }
  }
}
