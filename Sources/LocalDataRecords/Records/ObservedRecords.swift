#if canImport(SwiftUI)
  import LocalData
  import Observation
  import LocalDataFoundation

  /// The records of a query. It notifies its observers of changes, on the main actor.
  final class ObservedRecords<Record: StorageRecord>: Sendable, Observable {
    private struct State: Sendable {
      var records: [Record] = []
      var error: StorageError?
      var query: RecordQuery<Record>?
      /// Reads the records of the query after each change.
      var reading: Task<Void, Never>?
    }

    /// The time after which records are read again that could not be read now. There is no notification when the device is
    /// unlocked.
    private static var pause: Duration { .seconds(1) }

    private let registrar = ObservationRegistrar()
    private let state = Lock(State())

    deinit { state.withLock { $0.reading }?.cancel() }

    /// The last records that were read.
    var records: [Record] {
      registrar.access(self, keyPath: \.records)
      return state.withLock(\.records)
    }

    var error: StorageError? { state.withLock(\.error) }

    /// Uses a query if none is used yet.
    func begin(_ query: () -> RecordQuery<Record>) {
      if state.withLock({ $0.query == nil }) { use(query()) }
    }

    /// Uses a query from now on. The last records stay until those of the query are read.
    func use(_ query: RecordQuery<Record>) {
      let former: Task<Void, Never>?? = state.withLock { state in
        if let known = state.query, known.isSame(as: query) { return nil }
        state.query = query
        return .some(state.reading)
      }
      guard let former else { return }
      former?.cancel()
      let reading = Task { [weak self] in await Self.read(query) { [weak self] in self?.show($0, of: query) } }
      // Another thread may use another query meanwhile.
      let isCurrent = state.withLock { state in
        guard let known = state.query, known.isSame(as: query) else { return false }
        state.reading = reading
        return true
      }
      if !isCurrent { reading.cancel() }
    }

    /// Reads the records, and again after each change, until the task is cancelled.
    private static func read(
      _ query: RecordQuery<Record>, _ show: @Sendable (Result<[Record], StorageError>) -> Void
    ) async {
      while !Task.isCancelled {
        do throws(StorageError) {
          // The catalog may not be registered yet.
          _ = try RecordStore.of(Record.Database.self, on: query.router)
          await follow(query, show)
        } catch { show(.failure(error)) }
        // If the task is cancelled, the loop ends.
        do { try await Task.sleep(for: pause) } catch {}
      }
    }

    /// Reads the records after each change, until an error that no change ends.
    private static func follow(
      _ query: RecordQuery<Record>, _ show: @Sendable (Result<[Record], StorageError>) -> Void
    ) async {
      var values = query.values().makeAsyncIterator()
      while !Task.isCancelled {
        do {
          guard let records = try await values.next() else { return }
          show(.success(records))
        } catch {
          guard let error = error as? StorageError else { return }
          show(.failure(error))
          if error.code == .locked || error.code == .busy { return }
        }
      }
    }

    /// Notifies the observers if other records are there. A query with the current time is another one whenever its view is
    /// created, so equal records must not create it again.
    private func show(_ result: Result<[Record], StorageError>, of query: RecordQuery<Record>) {
      let isOther: Bool = state.withLock { state in
        guard let known = state.query, known.isSame(as: query) else { return false }
        switch result {
        case .success(let records):
          defer { state.records = records }
          defer { state.error = nil }
          return state.records != records || state.error != nil
        case .failure(let error):
          defer { state.error = error }
          return state.error != error
        }
      }
      guard isOther else { return }
      Task { @MainActor in registrar.withMutation(of: self, keyPath: \.records) {} }
    }
  }

  extension RecordQuery {
    /// Returns true if the other query has the same router, condition, order and limit.
    fileprivate func isSame(as other: RecordQuery) -> Bool {
      router === other.router && selection.isSame(as: other.selection)
    }
  }
#endif
