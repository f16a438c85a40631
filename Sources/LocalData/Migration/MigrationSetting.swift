package import Foundation
import StorageVocabulary

/// The run of a program that executes migrations.
package struct ProcessLaunch: Sendable, Hashable {
  /// Differs from launch to launch.
  package var id: UUID
  /// A Boolean value that indicates whether the program is an extension of an app. Its launch is no launch of the app.
  package var isExtension: Bool

  package init(id: UUID = UUID(), isExtension: Bool = false) { (self.id, self.isExtension) = (id, isExtension) }

  /// The launch of this process.
  package static let current = ProcessLaunch(isExtension: isExtension(bundlePath: Bundle.main.bundlePath))

  /// Returns true if a bundle is that of an app extension.
  static func isExtension(bundlePath: String) -> Bool { bundlePath.hasSuffix(".appex") }

  /// Returns true if this process may remove what the writer of an entry had to leave to the next launch of the app.
  func isLaterLaunch(than writer: UUID?) -> Bool { !isExtension && writer != id }
}

/// The circumstances of migrations, for conditions and custom migrations.
struct MigrationSetting: Sendable {
  var appVersion: String?
  var platform: StoragePlatform
  var launch: ProcessLaunch
}

/// The results of migrations that a process remembers, so that most calls do not read the log.
final class MigrationCache: Sendable {
  private struct Contents {
    var settled: Set<StoragePlace> = []
    var failed: Set<StoragePlace> = []
  }

  private let contents = Lock(Contents())

  /// Returns true if the sources of a key need no further look in this process.
  func isSettled(_ place: StoragePlace) -> Bool { contents.withLock { $0.settled.contains(place) } }

  func settle(_ place: StoragePlace) { contents.withLock { _ = $0.settled.insert(place) } }

  func unsettle(_ place: StoragePlace) { contents.withLock { _ = $0.settled.remove(place) } }

  /// Returns true if a custom migration of a key failed beside a value. Only a request runs it again in this process.
  func hasFailed(_ place: StoragePlace) -> Bool { contents.withLock { $0.failed.contains(place) } }

  func fail(_ place: StoragePlace) { contents.withLock { _ = $0.failed.insert(place) } }
}

/// Runs the code of custom migrations. The router makes it, because they call the router.
struct AppMigrations: Sendable {
  /// Asks a migration whether it finds something to do.
  var shouldMigrate: @Sendable (any StorageMigration, KeyPlan, MigrationContext) async throws(StorageError) -> Bool
  /// Runs a migration. If `keepsValue` is true, its changes of the destination are ignored.
  var migrate:
    @Sendable (any StorageMigration, KeyPlan, MigrationContext, _ keepsValue: Bool) async throws(StorageError) ->
      MigrationResult
}
