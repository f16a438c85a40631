import Foundation

/// The size and the seed of tests that try many random cases.
///
/// By default such a test takes a small sample. With `LOCALDATA_TESTS=full` it takes all cases. The seed is fixed, unless
/// `LOCALDATA_SEED` names another one.
package enum Sweep {
  /// A Boolean value that indicates whether sweeps take all their cases.
  package static let isFull = environment["LOCALDATA_TESTS"] == "full"

  /// The seed of all sweeps of this run.
  package static let seed = environment["LOCALDATA_SEED"].flatMap { UInt64($0) } ?? 1

  /// Returns the number of cases that a sweep tries in this run.
  package static func count(quick: Int, full: Int) -> Int { isFull ? full : quick }

  /// Returns the cases of a sweep that are tried in this run: all of them, or the given number of them, evenly spread.
  package static func sample<Case>(_ cases: [Case], quick: Int) -> [Case] {
    guard !isFull, cases.count > quick, quick > 0 else { return cases }
    return (0..<quick).map { number in
      cases[(number * cases.count / quick + Int(seed % UInt64(cases.count))) % cases.count]
    }
  }

  /// Prints what a sweep covered, and the seed that repeats it.
  package static func report(_ name: String, _ covered: String, seed: UInt64 = seed) {
    print("sweep: \(name): \(covered) (\(isFull ? "full" : "quick"), LOCALDATA_SEED=\(seed))")
  }

  private static let environment = ProcessInfo.processInfo.environment
}
