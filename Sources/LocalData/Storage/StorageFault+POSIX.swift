import Foundation

extension StorageFault {
  /// The fault that an `errno` means.
  init(errno code: Int32) {
    switch code {
    #if os(iOS) || os(watchOS) || os(tvOS) || os(visionOS)
      // What data protection answers; a sandbox does too, but not of the app's own files.
      case EPERM: self = .locked
    #endif
    case EACCES, EPERM, EROFS: self = .accessDenied
    case ENOSPC, EDQUOT: self = .outOfSpace
    default: self = .io(errno: code)
    }
  }
}

/// Calls of the system, whose `errno` is thrown, and which are made again where a signal cut them short.
enum SystemCall {
  @discardableResult
  static func run(_ call: () -> Int32) throws(StorageFault) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw StorageFault(errno: code) }
    }
  }

  /// The result, or `nil` where there is no such file.
  static func runIfPresent(_ call: () -> Int32) throws(StorageFault) -> Int32? {
    do throws(StorageFault) { return try run(call) } catch {
      if error == .io(errno: ENOENT) { return nil }
      throw error
    }
  }
}
