import LocalDataFiles
import LocalDataModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Runs a verb again whenever a selected catalog, a snapshot of a release or the project file changes, appears or
/// disappears.
///
/// The watcher compares the identities, sizes and times of the files four times a second. That works on every platform
/// and disk, and it does not matter whether an editor writes to a file or replaces it.
struct CatalogWatcher {
  let arguments: CatalogArguments

  /// Time between two looks at the files, in microseconds.
  private static let interval: UInt32 = 250_000

  /// Runs `body` now and after each change, until SIGINT or SIGTERM ends the process. A failure of `body` is printed.
  ///
  /// A signal that arrives while `body` runs takes effect after it, so that no output is left half done.
  func run(_ body: () throws -> Void) throws {
    var ending = sigset_t()
    sigemptyset(&ending)
    sigaddset(&ending, SIGINT)
    sigaddset(&ending, SIGTERM)
    while true {
      pthread_sigmask(SIG_BLOCK, &ending, nil)
      let before = state()
      do {
        try body()
      } catch let failure as ToolFailure {
        Terminal.writeError(failure.text)
      } catch {
        // The findings have been printed.
      }
      pthread_sigmask(SIG_UNBLOCK, &ending, nil)
      waitForChange(since: before)
    }
  }

  /// Returns when the files have changed and then stayed the same for one interval: an editor or a version control
  /// system may change several files at once.
  private func waitForChange(since before: State) {
    var last = before
    while true {
      usleep(Self.interval)
      let now = state()
      if now == last, now != before { return }
      last = now
    }
  }

  private struct State: Equatable {
    var files: [String: DiskFile.Status] = [:]
    var failure: String?
  }

  private func state() -> State {
    do {
      let project = try arguments.checks().project
      let targets = try arguments.targets(of: project)
      let selections = try targets.map(arguments.selection(of:))
      var paths = selections.flatMap(\.paths)
      let releases = selections.flatMap(SnapshotFolder.all(of:)).filter(\.exists)
      paths += try releases.flatMap { try $0.snapshots() }
      paths.append(arguments.project ?? ProjectFile.name)
      let files = paths.compactMap { path in DiskFile.status(path).map { (path, $0) } }
      return State(files: Dictionary(files) { first, _ in first })
    } catch {
      return State(failure: (error as? ToolFailure)?.text ?? "\(error)")
    }
  }
}
