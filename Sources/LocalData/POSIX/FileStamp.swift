import Foundation

/// What tells whether a file has changed since it was looked at.
struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    (seconds, nanoseconds) = (Int64(changed.tv_sec), Int64(changed.tv_nsec))
  }

  /// The stamp of what lies at a path; `nil` where that cannot be said.
  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
