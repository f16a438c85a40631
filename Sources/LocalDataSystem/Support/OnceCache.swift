import LocalDataFoundation

/// A cache that makes each value once. If a value is being made, other callers wait for the same result. A failure is not
/// kept.
package struct OnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let serial: Int
    let task: Task<Result<Value, StorageProblem>, Never>
    /// The value, once it is complete.
    var value: Value?
  }

  private struct Entries {
    var all: [Key: Entry] = [:]
    var lastSerial = 0
  }

  private let entries = Lock(Entries())

  package init() {}

  /// Returns the value for a key, or `nil` if it is not complete yet.
  package func known(_ key: Key) -> Value? { entries.withLock { $0.all[key]?.value } }

  /// Returns the value for a key. Calls `make` if no earlier call has.
  package func value(
    for key: Key, _ make: @escaping @Sendable () async throws(StorageProblem) -> Value
  ) async throws(StorageProblem) -> Value {
    if let known = known(key) { return known }
    let entry = entries.withLock { entries in
      if let entry = entries.all[key] { return entry }
      entries.lastSerial += 1
      // A separate task, so that the cancellation of one caller does not cancel the others.
      let task = Task<Result<Value, StorageProblem>, Never> {
        do throws(StorageProblem) { return .success(try await make()) } catch { return .failure(error) }
      }
      let entry = Entry(serial: entries.lastSerial, task: task)
      entries.all[key] = entry
      return entry
    }
    let result = await entry.task.value
    entries.withLock { entries in
      // Forgotten and begun anew meanwhile, the entry is another's.
      guard entries.all[key]?.serial == entry.serial else { return }
      if case .success(let value) = result { entries.all[key]?.value = value } else { entries.all[key] = nil }
    }
    return try result.get()
  }

  /// Removes the value for a key. The next caller makes it again.
  package func forget(_ key: Key) { entries.withLock { $0.all[key] = nil } }
}
