import LocalDataFoundation
import LocalDataStores

extension StorageRouter {
  /// Returns a sequence of the current value of a key and its value after each change, by this process or by others.
  ///
  /// ```swift
  /// for try await theme in router.values(of: .theme) {
  ///   apply(theme)
  /// }
  /// ```
  ///
  /// If the value changes several times before the next call of `next()`, only the latest value is returned. The sequence ends
  /// when its task is cancelled. It throws the errors that ``get(_:)`` throws. An error ends a `for` loop, for example
  /// `locked` before the device is unlocked. Start another loop later.
  ///
  /// On Linux, changes by other processes are reported in every domain. On Apple's platforms they are reported only in
  /// UserDefaults, and only for names without a dot or `@`.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The sequence. Each iterator returns every value.
  public nonisolated func values<Value>(of key: StorageKey<Value>) -> StorageValues<Value> {
    StorageValues(router: self, key: key)
  }
}

/// The current value of a key, and its value after each change.
///
/// ```swift
/// for try await theme in router.values(of: .theme) {
///   apply(theme)
/// }
/// ```
public struct StorageValues<Value: Sendable>: AsyncSequence, Sendable {
  /// A value of the key.
  public typealias Element = Value

  fileprivate let router: StorageRouter
  fileprivate let key: StorageKey<Value>

  /// Returns an iterator that starts with the current value.
  public func makeAsyncIterator() -> Iterator { Iterator(router: router, key: key) }

  /// An iterator that returns one value after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let router: StorageRouter
    fileprivate let key: StorageKey<Value>
    private var observation: Observation?
    private var mark: StoredMark?

    private struct Observation {
      let plan: KeyPlan
      let signals: AsyncStream<Void>.Iterator
      /// The watches of the value. They end when they are released.
      let listeners: [any Sendable]
    }

    fileprivate init(router: StorageRouter, key: StorageKey<Value>) {
      self.router = router
      self.key = key
    }

    /// Returns the current value the first time, and then waits for the next change.
    ///
    /// - Returns: The value; `nil` if the task is cancelled.
    /// - Throws: A ``StorageError``, as in ``StorageRouter/get(_:)``. After an error, the next call waits for the next change.
    @concurrent public mutating func next() async throws -> Value? {
      if observation == nil {
        let begun = try await begin()
        observation = begun
        if let value = try await changed(begun.plan) { return value }
      }
      guard let observation else { return nil }
      var signals = observation.signals
      while await signals.next() != nil {
        if let value = try await changed(observation.plan) { return value }
      }
      return nil
    }

    private func begin() async throws(StorageError) -> Observation {
      let plan = try await router.plan(for: AnyStorageKey(key))
      let signal = ChangeSignal()
      let name = plan.address.name
      // The observation begins before the first read, so that no change is missed.
      let listeners = try router.values(for: plan).observe(plan, name) { changed in
        if changed == nil || changed == name { signal.send() }
      }
      return Observation(plan: plan, signals: signal.signals.makeAsyncIterator(), listeners: listeners)
    }

    /// Returns the value if the stored bytes have changed since the last read; `nil` otherwise.
    private mutating func changed(_ plan: KeyPlan) async throws(StorageError) -> Value? {
      let router = router
      let key = key
      let mark = mark
      let meter = router.log.begin(.values, AnyStorageKey(key))
      let plan = plan.measured(by: meter)
      let found = try await meter.run(if: { $0 != nil }) { () throws(StorageError) in
        try await look(plan, mark)
      }
      guard let found else { return nil }
      self.mark = found.mark
      return found.value
    }

    /// Returns the value and the mark of the stored bytes, or `nil` if the mark is the same as at the last read.
    private func look(
      _ plan: KeyPlan, _ mark: StoredMark?
    ) async throws(StorageError) -> (value: Value, mark: StoredMark)? {
      let key = key
      return try await router.read(AnyStorageKey(key), plan) { (values) throws(StorageError) in
        let stored = try await values.stored(plan)
        if StoredMark(stored) == mark { return nil }
        let step = ValueStep(coding: key.coding, plan: plan, values: values)
        let found = try await step.waitingRead(known: .some(stored))
        return (found.value, StoredMark(found.stored))
      }
    }
  }
}
