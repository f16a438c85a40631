#if os(Linux)
  import Foundation
  package import TestSupport

  extension ChildProcess {
    /// The probe beside the test's own executable.
    package static let probe = BuiltProducts.executable("storage-probe").path

    /// Runs the probe on a fixture's folder.
    package static func probe(
      _ store: String, _ fixture: StoreFixture, _ words: String..., options: [String] = [],
      environment: [String: String] = [:]
    ) throws -> End {
      try run(probe, options + [store, fixture.folder.path] + words, environment: environment)
    }

    /// Runs the probe with words of all kinds.
    package static func probe(_ words: String...) throws -> End { try run(probe, words) }
  }
#endif
