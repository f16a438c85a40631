import Observation
import LocalDataFoundation
import LocalDataStores

/// The value of a plain preference. It notifies its observers of changes.
final class ObservedPreference<Value: Sendable>: Sendable, Observable {
  /// A router, from the time that it is set to the time that another one is set. Tasks of an earlier use change nothing.
  private final class Use: Sendable {
    let router: StorageRouter
    init(_ router: StorageRouter) { self.router = router }
  }

  private struct State: Sendable {
    let use: Use
    /// The watches of the value, which end when they are released. Empty if nothing is observed yet.
    var listeners: [any Sendable] = []
    /// The last value that was read or stored.
    var last: Value?
    var mark: StoredMark?
    /// The last value that is being stored.
    var pending: Value?
    /// The tasks that store values, each after the one before it.
    var storing: Task<Void, Never>?
    var pendingCount = 0
    var readError: StorageError?
    /// The time of the last read that failed.
    var failedAt: ContinuousClock.Instant?
    var writeError: StorageError?
    /// The state of the read in a task, for a value that cannot be read without waiting.
    var look = Look.needed
    /// A Boolean value that indicates whether a task waits to read a value again that could not be read.
    var isRetrying = false

    init(_ router: StorageRouter) { use = Use(router) }

    /// Returns the error for a read that threw ``StorageProblem/Code/needsWaiting``; `nil` if a task has read the value. As
    /// long as a key with a migration has no value, every read needs waiting.
    mutating func errorOfWaiting(_ error: StorageError) -> StorageError? {
      mark = nil
      if case .failed(let failure) = look { return failure }
      return last == nil ? error : nil
    }
  }

  /// The state of a read in a task, which waits for the migration of the key.
  private enum Look: Sendable, Equatable {
    case needed, running, done
    case failed(StorageError)
  }

  /// The maximum time for which an assignment waits for other writers. It is short, because this may be the main thread.
  private static var patience: Duration { .milliseconds(100) }
  /// The time after which a value is read again that could not be read now.
  private static var pause: Duration { .seconds(1) }

  private let key: StorageKey<Value>
  private let absent: Value
  private let registrar = ObservationRegistrar()
  private let state: Lock<State>

  init(_ key: StorageKey<Value>, absent: Value, router: StorageRouter) {
    self.key = key
    self.absent = absent
    state = Lock(State(router))
  }

  /// Returns true if the other object is one of the same key.
  func hasKey(of other: ObservedPreference) -> Bool { key.isSame(as: other.key) }

  /// The stored value, or the last one if it cannot be read now.
  var value: Value {
    registrar.access(self, keyPath: \.value)
    read(observedUse())
    return state.withLock { [absent] in $0.pending ?? $0.last ?? absent }
  }

  /// Reads the stored value and keeps it, or else the error.
  private func read(_ use: Use) {
    let failure: StorageError?
    do throws(StorageError) {
      let (value, mark) = try PlainPreference.read(key, of: use.router) { ($0, $1) }
      return state.withLock { state in
        if state.use === use {
          state.last = value
          state.mark = mark
          state.readError = nil
        }
      }
    } catch {
      if error.code == .needsWaiting {
        look(use)
        failure = state.withLock { [error] state in state.errorOfWaiting(error) }
      } else {
        failure = error
      }
    }
    switch failure?.code {
    case .locked, .busy: retry()
    default: break
    }
    state.withLock { state in
      guard state.use === use else { return }
      state.readError = failure
      if failure != nil { state.failedAt = .now }
    }
  }

  var error: StorageError? { state.withLock { $0.writeError ?? $0.readError } }

  /// Uses another router from now on.
  func use(_ router: StorageRouter) {
    let former: [any Sendable]? = state.withLock { state in
      guard state.use.router !== router else { return nil }
      defer { state = State(router) }
      return state.listeners
    }
    guard let former else { return }
    Self.release(former)
    notifyObservers()
  }

  /// Stores a value. Does nothing if the stored value cannot be read, or could not be read a moment ago, because the new value
  /// may be based on the default.
  func set(_ value: Value) {
    let use = state.withLock(\.use)
    guard canRead(use) else {
      // A view shows the assigned value until it reads the property again. A task that reads the value notifies it itself.
      if state.withLock({ $0.look != .running }) { notifyObservers() }
      return
    }
    // A later value is stored after an earlier one.
    if state.withLock({ $0.storing != nil }) { return store(value, use) }
    do throws(StorageError) {
      try PlainPreference.set(value, for: key, on: use.router, patience: Self.patience)
      state.withLock { state in
        if state.use === use {
          state.last = value
          state.writeError = nil
        }
      }
    } catch {
      switch error.code {
      case .needsWaiting, .busy, .reentrantCall: return store(value, use)
      default: state.withLock { [error] in $0.writeError = error }
      }
    }
    notifyObservers()
  }

  /// Returns true if the last read was successful. Some time after an error, the value is read again, because the cause may have
  /// ended. An assignment at once, as by `+=`, is based on the read that failed.
  private func canRead(_ use: Use) -> Bool {
    let (hasFailed, isRecent) = state.withLock { state in
      let isRecent = state.failedAt.map { .now - $0 < Self.patience } ?? false
      if !isRecent, case .failed = state.look { state.look = .needed }
      return (state.readError != nil, isRecent)
    }
    guard hasFailed else { return true }
    if isRecent { return false }
    read(use)
    return state.withLock { $0.readError == nil }
  }

  // MARK: What waits

  /// Stores a value in a task, after the key's migration and the values that were set before.
  private func store(_ value: Value, _ use: Use) {
    state.withLock { state in
      let previous = state.storing
      state.pendingCount = state.pendingCount + 1
      state.pending = value
      state.storing = Task {
        await previous?.value
        var failure: StorageError?
        do throws(StorageError) { try await use.router.set(value, for: key) } catch { failure = error }
        self.state.withLock { [failure] state in
          guard state.use === use else { return }
          state.pendingCount -= 1
          if state.pendingCount == 0 {
            state.pending = nil
            state.storing = nil
          }
          if failure == nil { state.last = value }
          state.writeError = failure
        }
        notifyObservers()
      }
    }
    notifyObservers()
  }

  /// Reads a value that needs waiting, for example because an earlier release stored it elsewhere.
  private func look(_ use: Use) {
    let begins = state.withLock { state in
      guard state.look == .needed else { return false }
      state.look = .running
      return true
    }
    guard begins else { return }
    Task {
      do throws(StorageError) {
        let value = try await use.router.get(key)
        state.withLock { state in
          guard state.use === use else { return }
          state.last = value
          // The value may have changed again since it was read.
          if state.look == .running { state.look = .done }
        }
      } catch {
        state.withLock { [error] state in
          if state.use === use { state.look = .failed(error) }
        }
      }
      notifyObservers()
    }
  }

  /// Reads the value again after a pause. There is no notification when the device is unlocked.
  private func retry() {
    let begins = state.withLock { state in
      defer { state.isRetrying = true }
      return !state.isRetrying
    }
    guard begins else { return }
    Task { [weak self] in
      // If the task is cancelled, the value is read at once.
      do { try await Task.sleep(for: Self.pause) } catch {}
      guard let self else { return }
      state.withLock { state in
        state.isRetrying = false
        if case .failed = state.look { state.look = .needed }
      }
      notifyObservers()
    }
  }

  // MARK: Observation

  /// Returns the use of the router, whose changes are observed from now on.
  private func observedUse() -> Use {
    let (use, isObserved) = state.withLock { ($0.use, !$0.listeners.isEmpty) }
    if isObserved { return use }
    // If the key cannot be used now, for example because its catalog is not registered yet, the next read tries again.
    do throws(StorageError) {
      let preference = try PlainPreference(key, .read, of: use.router)
      let listeners = try preference.observe { [weak self] in self?.mayHaveChanged() }
      Self.release(
        state.withLock { state in
          guard state.use === use else { return listeners }
          defer { state.listeners = listeners }
          return state.listeners
        })
    } catch {}
    return use
  }

  /// Releases listeners while the lock is not held. UserDefaults may be calling a listener, which takes the lock, and a
  /// removal waits for this call.
  private static func release(_ listeners: consuming [any Sendable]) {}

  private func mayHaveChanged() {
    let (router, mark) = state.withLock { ($0.use.router, $0.mark) }
    // A value that cannot be read now may have changed. This may be the thread of an actor, so the read must not wait.
    do throws(StorageError) {
      let latest = try CallDeadline.withoutWaiting { () throws(StorageError) in
        try PlainPreference(key, .read, of: router).value().mark
      }
      if latest == mark { return }
      // Another value is stored. A later assignment is not based on the value that could not be read.
      state.withLock { $0.readError = nil }
    } catch {
      state.withLock { $0.look = .needed }
    }
    notifyObservers()
  }

  private func notifyObservers() {
    #if canImport(SwiftUI)
      guard Thread.isMainThread else {
        Task { @MainActor in registrar.withMutation(of: self, keyPath: \.value) {} }
        return
      }
    #endif
    registrar.withMutation(of: self, keyPath: \.value) {}
  }
}
