import LocalDataFoundation

extension StorageProblem {
  /// The fault that an `errno` means for a file of the library.
  ///
  /// Data protection answers EPERM while its key is not available. A sandbox does too, but on iOS and watchOS never for a
  /// file of the app, so EPERM means a locked device there. On macOS, also in an app of Mac Catalyst, EPERM comes from the sandbox, from the user's privacy
  /// settings or from a locked file. EACCES is about owner and mode everywhere.
  package init(errno code: Int32) {
    switch code {
    #if (os(iOS) && !targetEnvironment(macCatalyst)) || os(watchOS) || os(visionOS)
      case EPERM: self = .locked
    #endif
    case EACCES, EPERM, EROFS: self = .accessDenied
    case ENOSPC, EDQUOT: self = .outOfSpace
    default: self = .io(errno: code)
    }
  }
}

extension StorageProblem {
  /// The fault that an error of Foundation's file functions means: that of the `errno` behind it, or else of its code.
  package init(foundation error: any Error) {
    var next: (any Error)? = error
    var code: CocoaError.Code?
    while let current = next {
      if let error = current as? POSIXError {
        self.init(errno: error.code.rawValue)
        return
      }
      let error = current as? CocoaError
      code = code ?? error?.code
      next = error?.underlying
    }
    self.init(errno: code.map(Self.errno) ?? EIO)
  }

  private static func errno(of code: CocoaError.Code) -> Int32 {
    switch code {
    // Without an errno behind it this is the code that data protection leads to.
    case .fileReadNoPermission, .fileWriteNoPermission: EPERM
    case .fileWriteVolumeReadOnly: EROFS
    case .fileWriteOutOfSpace: ENOSPC
    case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
    case .fileWriteFileExists: EEXIST
    default: EIO
    }
  }
}

/// System calls. An `errno` is thrown, and a call that a signal interrupts is repeated.
enum SystemCall {
  @discardableResult
  static func run(_ call: () -> Int32) throws(StorageProblem) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw StorageProblem(errno: code) }
    }
  }

  /// Returns the result, or `nil` if there is no such file.
  static func runIfPresent(_ call: () -> Int32) throws(StorageProblem) -> Int32? {
    do throws(StorageProblem) { return try run(call) } catch {
      if error == .io(errno: ENOENT) { return nil }
      throw error
    }
  }
}
