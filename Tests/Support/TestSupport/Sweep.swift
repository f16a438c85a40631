import Foundation

/// The size and the seed of tests that try many random cases.
///
/// By default such a test takes a small sample. With `LOCALDATA_TESTS=full` it takes all cases. `LOCALDATA_PART=1/2` leaves to
/// such a run the first of two parts of them, and another run takes the second one. Each part has a fixed seed, unless
/// `LOCALDATA_SEED` names another one.
package enum Sweep {
  /// A Boolean value that indicates whether sweeps take all their cases, or those of one part.
  package static let isFull = environment["LOCALDATA_TESTS"] == "full"

  /// The part of the cases that a full run takes, and the number of parts.
  package static let (part, parts): (Int, Int) = {
    let numbers = (environment["LOCALDATA_PART"] ?? "").split(separator: "/").compactMap { Int($0) }
    guard isFull, numbers.count == 2, numbers[0] > 0, numbers[0] <= numbers[1] else { return (0, 1) }
    return (numbers[0] - 1, numbers[1])
  }()

  /// The seed of all sweeps of this run.
  package static let seed = environment["LOCALDATA_SEED"].flatMap { UInt64($0) } ?? UInt64(1 + part)

  /// Returns the number of cases that a sweep tries in this run.
  package static func count(quick: Int, full: Int) -> Int { isFull ? (full + parts - 1) / parts : quick }

  /// Returns the cases of a sweep that are tried in this run: all of them, every second one if the run takes one of two parts,
  /// or the given number of them, evenly spread.
  package static func sample<Case>(_ cases: [Case], quick: Int) -> [Case] {
    if isFull { return stride(from: cases.count > part ? part : 0, to: cases.count, by: parts).map { cases[$0] } }
    guard cases.count > quick, quick > 0 else { return cases }
    return (0..<quick).map { number in
      cases[(number * cases.count / quick + Int(seed % UInt64(cases.count))) % cases.count]
    }
  }

  /// Prints what a sweep covered, and the seed that repeats it.
  package static func report(_ name: String, _ covered: String, seed: UInt64 = seed) {
    let size = parts > 1 ? "part \(part + 1) of \(parts)" : isFull ? "full" : "quick"
    print("sweep: \(name): \(covered) (\(size), LOCALDATA_SEED=\(seed))")
  }

  private static let environment = ProcessInfo.processInfo.environment
}
