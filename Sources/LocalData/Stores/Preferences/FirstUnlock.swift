import Foundation

/// Finds out whether the device has been unlocked since it started. Once it has, that is remembered until the process
/// ends.
///
/// Before the first unlock the system can read neither the property lists of UserDefaults nor any other file of their
/// protection. UserDefaults reports no error then: it reads as empty. So a file with this protection is read, or made if
/// it does not exist. A failure means that the device is locked.
struct FirstUnlock: Sendable {
  private static let known = Lock<Set<FileLocation>>([])

  let probe: FileLocation

  /// A Boolean value that indicates whether the platform has a state before the first unlock. On macOS no app of a user
  /// runs before the login.
  static var isNeeded: Bool {
    #if os(macOS) || targetEnvironment(macCatalyst)
      false
    #else
      true
    #endif
  }

  /// Returns if the device was unlocked. The first call reads or creates a file.
  ///
  /// - Throws: ``StorageFault/locked`` if the probe can be neither read nor created for lack of access. Other faults are
  ///   thrown as they are.
  func require() throws(StorageFault) {
    let probe = probe
    if Self.known.withLock({ $0.contains(probe) }) { return }
    do throws(StorageFault) {
      // Another process may create it at the same time. It could not do that on a locked device either.
      if try probe.read(upTo: 1) == nil { _ = try probe.create(Data([1])) }
    } catch { throw error == .accessDenied ? .locked : error }
    Self.known.withLock { _ = $0.insert(probe) }
  }
}
