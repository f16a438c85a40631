import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

/// The names of the suites that hold values sealed with a master key, recorded in a file of the app's folder.
///
/// UserDefaults on Apple's platforms has no list of suites. Before a first master key is made, the scan for sealed values
/// looks into the suites that are recorded here.
package struct SealedSuites: Sendable {
  private struct Suites: Codable {
    var suites: [String] = []
  }

  private let file: StateFile<Suites>
  private let known = Lock<Set<[UInt8]>>([])

  package init(recordedIn file: FileLocation) { self.file = StateFile(file) }

  /// Returns true if a suite is recorded as far as this process remembers.
  func remembers(_ suite: String) -> Bool { known.withLock { $0.contains(Array(suite.utf8)) } }

  /// Records a suite. Durable on return.
  func record(_ suite: String) throws(StorageProblem) {
    if remembers(suite) { return }
    try file.change { recorded in
      let suites = recorded?.suites ?? []
      // UserDefaults distinguishes names that are canonically equivalent.
      if suites.contains(where: { $0.hasSameBytes(as: suite) }) { return nil }
      return Suites(suites: (suites + [suite]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
    known.withLock { _ = $0.insert(Array(suite.utf8)) }
  }

  /// Returns the names of the recorded suites, sorted.
  package func recorded() throws(StorageProblem) -> [String] { try file.read()?.suites ?? [] }
}
