import Foundation
import Testing

@testable import LocalDataSystem

@Suite struct StorageProblemTests {
  @Test(arguments: [
    (EACCES, StorageProblem.accessDenied), (EROFS, .accessDenied), (ENOSPC, .outOfSpace),
    (EDQUOT, .outOfSpace), (EIO, .io(errno: EIO)), (ELOOP, .io(errno: ELOOP)), (EMFILE, .io(errno: EMFILE)),
    (ENAMETOOLONG, .io(errno: ENAMETOOLONG)),
  ])
  func ofErrno(_ code: Int32, _ fault: StorageProblem) { #expect(StorageProblem(errno: code) == fault) }

  /// Data protection answers EPERM on a locked iPhone or watch.
  @Test func ofAnOperationThatIsNotPermitted() {
    #if os(iOS) || os(watchOS)
      #expect(StorageProblem(errno: EPERM) == .locked)
    #else
      #expect(StorageProblem(errno: EPERM) == .accessDenied)
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
      (CocoaError(.fileWriteNoPermission), StorageProblem(errno: EPERM)),
      (CocoaError(.fileNoSuchFile), .io(errno: ENOENT)),
      (CocoaError(.fileWriteVolumeReadOnly), .accessDenied), (CocoaError(.fileReadUnknown), .io(errno: EIO)),
      (StorageProblem.busy, .io(errno: EIO)),
    ] as [(any Error, StorageProblem)])
  func ofFoundation(_ error: any Error, _ fault: StorageProblem) { #expect(StorageProblem(foundation: error) == fault) }
}
