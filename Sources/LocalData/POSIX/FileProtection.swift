import Foundation

/// What Apple's systems are told of a file while it is still empty: when it can be read, and whether backups hold it.
///
/// There is nothing to tell on Linux.
struct FileProtection: Sendable {
  var isComplete: Bool
  var isBackedUp: Bool

  static let standard = FileProtection(isComplete: false, isBackedUp: true)

  #if canImport(Darwin)
    func apply(to file: borrowing Descriptor) throws(StorageFault) {
      // The attributes are set by path; the descriptor knows its own.
      let path = try file.path()
      do {
        let protection: FileProtectionType = isComplete ? .complete : .completeUntilFirstUserAuthentication
        var url = URL(fileURLWithPath: path, isDirectory: false)
        try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: path)
        if !isBackedUp {
          var values = URLResourceValues()
          values.isExcludedFromBackup = true
          try url.setResourceValues(values)
        }
      } catch { throw StorageFault(foundation: error) }
    }
  #else
    func apply(to file: borrowing Descriptor) throws(StorageFault) {}
  #endif
}
