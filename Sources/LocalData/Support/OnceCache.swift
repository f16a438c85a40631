/// A cache that makes each value once. Callers who ask for a value that is being made wait for the same result. A failure
/// is not kept.
actor OnceCache<Key: Hashable & Sendable, Value: Sendable> {
  private struct Entry {
    let serial: Int
    let task: Task<Result<Value, StorageFault>, Never>
  }

  private var entries: [Key: Entry] = [:]
  private var lastSerial = 0

  func value(
    for key: Key, _ make: @escaping @Sendable () async throws(StorageFault) -> Value
  ) async throws(StorageFault) -> Value {
    let entry = entries[key] ?? begin(key, make)
    let result = await entry.task.value
    // Forgotten and begun anew meanwhile, the entry is another's.
    if case .failure = result, entries[key]?.serial == entry.serial { entries[key] = nil }
    return try result.get()
  }

  func forget(_ key: Key) { entries[key] = nil }

  private func begin(_ key: Key, _ make: @escaping @Sendable () async throws(StorageFault) -> Value) -> Entry {
    lastSerial += 1
    // A separate task, so that the cancellation of one caller does not cancel the others.
    let task = Task<Result<Value, StorageFault>, Never> {
      do throws(StorageFault) { return .success(try await make()) } catch { return .failure(error) }
    }
    let entry = Entry(serial: lastSerial, task: task)
    entries[key] = entry
    return entry
  }
}
