import Foundation
import Testing

@testable import StorageSystem

@Suite struct StorageFaultTests {
  @Test(arguments: [
    (EACCES, StorageFault.accessDenied), (EROFS, .accessDenied), (ENOSPC, .outOfSpace),
    (EDQUOT, .outOfSpace), (EIO, .io(errno: EIO)), (ELOOP, .io(errno: ELOOP)), (EMFILE, .io(errno: EMFILE)),
    (ENAMETOOLONG, .io(errno: ENAMETOOLONG)),
  ])
  func ofErrno(_ code: Int32, _ fault: StorageFault) { #expect(StorageFault(errno: code) == fault) }

  /// Data protection answers EPERM on a locked iPhone or watch.
  @Test func ofAnOperationThatIsNotPermitted() {
    #if os(iOS) || os(watchOS)
      #expect(StorageFault(errno: EPERM) == .locked)
    #else
      #expect(StorageFault(errno: EPERM) == .accessDenied)
    #endif
  }

  @Test(
    arguments: [
      (CocoaError(.fileWriteNoPermission, userInfo: [NSUnderlyingErrorKey: POSIXError(.EACCES)]), .accessDenied),
      (CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOSPC)]), .outOfSpace),
      (CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.EDQUOT)]), .outOfSpace),
      (
        CocoaError(
          .fileWriteUnknown,
          userInfo: [
            NSUnderlyingErrorKey: CocoaError(
              .fileWriteNoPermission, userInfo: [NSUnderlyingErrorKey: POSIXError(.EROFS)])
          ]), .accessDenied
      ),
      (POSIXError(.ELOOP), .io(errno: ELOOP)), (CocoaError(.fileWriteOutOfSpace), .outOfSpace),
      (CocoaError(.fileWriteNoPermission), StorageFault(errno: EPERM)),
      (CocoaError(.fileNoSuchFile), .io(errno: ENOENT)),
      (CocoaError(.fileWriteVolumeReadOnly), .accessDenied), (CocoaError(.fileReadUnknown), .io(errno: EIO)),
      (StorageFault.busy, .io(errno: EIO)),
    ] as [(any Error, StorageFault)])
  func ofFoundation(_ error: any Error, _ fault: StorageFault) { #expect(StorageFault(foundation: error) == fault) }

  #if os(Linux)
    /// Codes by their numbers in SQLite's documentation.
    @Test(
      arguments: [
        (5, StorageFault.busy), (261, .busy), (517, .busy), (6, .busy), (15, .busy), (13, .outOfSpace),
        (11, .databaseDamaged), (267, .databaseDamaged), (26, .databaseDamaged), (1, .databaseDamaged),
        (3, .accessDenied), (8, .accessDenied),
        (264, .accessDenied), (23, .accessDenied), (1_032, .busy), (18, .valueTooLarge), (7, .io(errno: ENOMEM)),
        (10, .io(errno: EIO)), (266, .io(errno: EIO)), (3_082, .io(errno: ENOMEM)), (8_202, .databaseDamaged),
        (8_458, .databaseDamaged), (14, .io(errno: EIO)), (1_550, .io(errno: ELOOP)), (21, .io(errno: EINVAL)),
      ] as [(Int32, StorageFault)])
    func ofSQLite(_ code: Int32, _ fault: StorageFault) { #expect(StorageFault(sqlite: code, nil) == fault) }
  #endif
}
