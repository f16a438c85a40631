// Runs the package's Apple branches against the stand-ins, and reports the checks that fail.
import Foundation
import LocalData

struct Broken: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ complaint: @autoclosure () -> String) throws {
  if !condition { throw Broken(complaint()) }
}

func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
  try require(found == wanted, "\(what): \(found) instead of \(wanted)")
}

/// The fault that `body` throws, or nil if it throws none.
func fault<Value>(_ body: () throws(StorageProblem) -> Value) -> StorageProblem? {
  do throws(StorageProblem) {
    _ = try body()
    return nil
  } catch { return error }
}

/// Says one thing once.
final class Once: @unchecked Sendable {
  private let lock = NSLock()
  private var isDone = false
  func callAsFunction(_ body: () -> Void) {
    let isFirst = lock.withLock {
      defer { isDone = true }
      return !isDone
    }
    if isFirst { body() }
  }
}

/// The errors of several threads.
final class Faults: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [String] = []
  func note(_ error: any Error) { lock.withLock { noted.append("\(error)") } }
  var all: [String] { lock.withLock { noted } }
}

/// The number that a counter's bytes hold; 0 if there are none.
func number(in bytes: Data?) -> Int { bytes.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0 }

/// Counts what holds and what does not.
final class Checks: @unchecked Sendable {
  private(set) var held = 0
  private(set) var broken: [String] = []

  func check(_ name: String, _ body: () throws -> Void) {
    do {
      try body()
      held += 1
    } catch { note(name, error) }
  }

  func check(_ name: String, _ body: () async throws -> Void) async {
    do {
      try await body()
      held += 1
    } catch { note(name, error) }
  }

  private func note(_ name: String, _ error: any Error) {
    broken.append(name)
    print("FAIL \(name): \(error)")
  }
}

@main struct Runner {
  static func main() async {
    let checks = Checks()
    keychainChecks(checks)
    keychainGroupChecks(checks)
    keychainPromptChecks(checks)
    partialItemChecks(checks)
    preferencesChecks(checks)
    await preferencesLimitChecks(checks)
    firstUnlockChecks(checks)
    loadedSuiteChecks(checks)
    fileChecks(checks)
    threadChecks(checks)
    await routerChecks(checks)
    await routerKeychainChecks(checks)
    await signingKeyChecks(checks)
    await sharedGroupChecks(checks)
    await keyRotationChecks(checks)
    await lostKeychainChecks(checks)
    await retentionChecks(checks)
    await housekeepingChecks(checks)
    await rowChecks(checks)
    await recordViewChecks(checks)
    await corruptionChecks(checks)
    await powerLossChecks(checks)
    await observationChecks(checks)
    watchChecks(checks)
    stretchingChecks(checks)
    await realAppChecks(checks)
    print("\(checks.held) held, \(checks.broken.count) failed")
    exit(checks.broken.isEmpty ? 0 : 1)
  }
}
