import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

/// The observers of a database, and the watch of the commits by other processes while there are any.
///
/// All routers of the process notify the observers of a file. The watch knows no record, so it notifies the observers of all.
final class RecordObservers: Sendable {
  /// The watch of a file, which ends when the last observer releases it.
  private final class Watch: Sendable {
    private let watch: any Sendable

    init(_ watch: any Sendable) { self.watch = watch }
  }

  private struct State {
    weak var watch: Watch?
  }

  private let file: RecordFile
  private let changes: ChangeHub
  /// The address that stands for all records of the database.
  private let address: StorageAddress
  private let state = Lock(State())
  #if canImport(Darwin)
    /// The notification of commits; `nil` if no other process can have the database.
    private let commits: DarwinNotification?
  #endif

  /// The changes of all files that this process has open. Their addresses contain the paths.
  private static let changesOfFiles = ChangeHub()

  /// - Parameter address: The address of the database.
  init(_ file: RecordFile, _ address: StorageAddress) {
    self.file = file
    let path = file.creation?.location.path
    changes = path == nil ? ChangeHub() : Self.changesOfFiles
    self.address = StorageAddress(container: address.container, name: (path ?? address.name) + "/")
    #if canImport(Darwin)
      let fields = address.container.domain.fields
      // The processes of a group can see its folder under different paths.
      commits =
        path != nil && address.container.domain.kind.isAppGroup
        ? DarwinNotification(
          of: [fields.identifier ?? "", fields.directory?.path ?? "", address.name]) : nil
    #endif
  }

  private func change(of record: String) -> String { address.name + record }

  /// Notifies the observers of records that this router has changed.
  func publishChange(of records: Set<String>) {
    for record in records {
      changes.publishChange(at: StorageAddress(container: address.container, name: change(of: record)))
    }
    #if canImport(Darwin)
      if !records.isEmpty { commits?.post() }
    #endif
  }

  /// Calls `body` after each change of a record, and perhaps more often, until the result is released.
  func observe(_ record: String, _ body: @escaping @Sendable () -> Void) -> [any Sendable] {
    let one = change(of: record)
    let all = address.name
    let listener = changes.listen(to: address.container) { if $0 == one || $0 == all { body() } }
    return [listener] + (watch().map { [$0] } ?? [])
  }

  private func watch() -> Watch? {
    if let known = state.withLock({ $0.watch }) { return known }
    let publish: @Sendable () -> Void = { [changes, address] in changes.publishChange(at: address) }
    #if canImport(Darwin)
      let watched = commits?.observe(publish)
    #else
      let watched = file.watch(publish)
    #endif
    guard let watch = watched else { return nil }
    let made = Watch(watch)
    return state.withLock { state in
      let watch = state.watch ?? made
      state.watch = watch
      return watch
    }
  }
}

#if canImport(Darwin)
  extension FileDirectory {
    /// A text that no other directory has.
    fileprivate var path: String {
      text.map { "\(kind.rawValue)/\($0)" } ?? kind.rawValue
    }
  }
#endif
