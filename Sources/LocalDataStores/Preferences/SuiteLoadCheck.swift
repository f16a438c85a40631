import LocalDataFoundation
import LocalDataSystem

/// Decides whether UserDefaults has loaded a suite, or shows it as empty although values are stored.
///
/// A process that is started before the first unlock, for example by prewarming, reads its suites as empty. It still does so
/// after the unlock, until it ends. Therefore each write of the library also sets a reserved name in the suite, the sentinel.
/// A suite that shows the sentinel is loaded. If it does not, its property list on the disk decides.
///
/// An app may remove a whole suite, and the sentinel with it. The property list follows within seconds. From then on the
/// absence of values is believed. Until then a suite that was not used before is reported as locked.
package struct SuiteLoadCheck {
  /// The reserved name. No value can be stored under it.
  package static let sentinel = "LocalData.sentinel"

  /// The property lists of the suites that were found to be loaded. A suite does not become unloaded in a process.
  private static let known = Lock<Set<FileLocation>>([])

  /// The file in which the system keeps the suite.
  let propertyList: FileLocation
  let firstUnlock: FirstUnlock
  /// Returns the values of a property list, or nil if it is damaged.
  let values: (Data) -> [String: Any]?
  /// Returns true if UserDefaults shows a value under a name. `stored` is the object under that name on the disk, if it
  /// is known.
  let shows: (_ name: String, _ stored: Any?) -> Bool

  /// The intention of a caller.
  enum Use: Hashable {
    /// To read or remove the value of one name, or to find it absent.
    case one(name: String)
    case write
    /// To visit all values, also those that are only on the disk.
    case all
  }

  /// The result of an examination.
  struct Finding {
    /// A Boolean value that indicates whether the suite is loaded, so that the sentinel can be set in it.
    var isLoaded: Bool
    /// Values on the disk that UserDefaults does not show.
    var unseen: [String: Any] = [:]
  }

  /// Returns if a suite can be used.
  ///
  /// - Throws: ``StorageProblem/locked`` if UserDefaults cannot be believed, ``StorageProblem/busy`` if only the disk could
  ///   tell, and the call must not wait.
  func require(for use: Use) throws(StorageProblem) -> Finding {
    if isKnown || shows(Self.sentinel, nil) { return remembered() }
    try CallDeadline.requireWaiting()
    try firstUnlock.require()
    guard let stored = try storedValues() else { return remembered() }
    // A value on the disk was in memory before. So memory is read after the disk.
    if shows(Self.sentinel, nil) { return remembered() }
    let unseen = stored.filter { !shows($0.key, $0.value) }
    if unseen.isEmpty { return remembered() }
    if mustBelieveDisk(use, stored, unseen) {
      // Another thread may have found the suite loaded, and then removed the value that this thread does not find.
      if isKnown { return remembered() }
      throw .locked
    }
    // Some values are shown and others not. They may have been removed a moment ago, or the app may have set one in a suite
    // that is not loaded. This result is not cached.
    return Finding(isLoaded: false, unseen: unseen)
  }

  private func mustBelieveDisk(_ use: Use, _ stored: [String: Any], _ unseen: [String: Any]) -> Bool {
    if stored[Self.sentinel] != nil { return true }
    return switch use {
    case .one(let name): unseen[name] != nil
    // A write to a suite that is not loaded could cost its other values.
    case .write: unseen.count == stored.count
    case .all: false
    }
  }

  // MARK: What is remembered

  private var isKnown: Bool {
    let propertyList = propertyList
    return Self.known.withLock { $0.contains(propertyList) }
  }

  private func remembered() -> Finding {
    let propertyList = propertyList
    Self.known.withLock { _ = $0.insert(propertyList) }
    return Finding(isLoaded: true)
  }

  // MARK: The property list

  /// More bytes than any suite can contain, see ``SuiteSizeLimit``.
  private static let largestFile = 1 << 28

  /// The values in the property list, none if it does not exist; nil if it is damaged.
  ///
  /// The system, too, can read nothing from a damaged file, and replaces it with the next write. What UserDefaults shows
  /// is then all that there is. Refusing it would lock the app out for ever.
  private func storedValues() throws(StorageProblem) -> [String: Any]? {
    let bytes: Data?
    do throws(StorageProblem) { bytes = try propertyList.read(upTo: Self.largestFile) } catch {
      throw error == .accessDenied ? .locked : error
    }
    guard let bytes else { return [:] }
    return values(bytes)
  }
}

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
  /// - Throws: ``StorageProblem/locked`` if the probe can be neither read nor created for lack of access. Other faults are
  ///   thrown as they are.
  func require() throws(StorageProblem) {
    let probe = probe
    if Self.known.withLock({ $0.contains(probe) }) { return }
    do throws(StorageProblem) {
      // Another process may create it at the same time. It could not do that on a locked device either.
      if try probe.read(upTo: 1) == nil { _ = try probe.create(Data([1])) }
    } catch { throw error == .accessDenied ? .locked : error }
    Self.known.withLock { _ = $0.insert(probe) }
  }
}
