/// Serves overlapping calls on one place one after another, in the order in which they asked.
///
/// An actor alone does not: an `await` inside lets others in.
struct TurnQueue {
  private var waiting: [StoragePlace: [CheckedContinuation<Void, Never>]] = [:]

  /// Whether nobody has the turn at a place. Takes it then.
  mutating func takeTurn(at place: StoragePlace) -> Bool {
    guard waiting[place] == nil else { return false }
    waiting[place] = []
    return true
  }

  /// Queues behind who has the turn.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>, at place: StoragePlace) {
    waiting[place, default: []].append(continuation)
  }

  /// Gives the turn to who asked next.
  mutating func endTurn(at place: StoragePlace) {
    guard let queue = waiting[place], !queue.isEmpty else {
      waiting[place] = nil
      return
    }
    waiting[place]?.removeFirst().resume()
  }
}

/// The turn of a key whose custom migration is running.
///
/// Calls from within the migration wait for no turn, of whichever router, so that they cannot wait for themselves or for
/// each other. What one of them does to another key is as safe as what another process does to it.
final class MigrationTurn: Sendable {
  @TaskLocal static var current: MigrationTurn?

  private let router: ObjectIdentifier
  private let place: StoragePlace
  private let outer: MigrationTurn?
  /// Whether the migration must not change the value of the key: the app has set or removed it since the migration began.
  private let keepsValue: Bool
  private let isOver = Lock(false)

  init(of place: StoragePlace, on router: StorageRouter, keepsValue: Bool = false) {
    self.keepsValue = keepsValue
    self.router = ObjectIdentifier(router)
    self.place = place
    outer = Self.current
  }

  /// A task that outlives its migration calls as anybody does.
  func end() { isOver.withLock { $0 = true } }

  /// Whether the caller runs within a migration of any router.
  static var isRunning: Bool { current?.contains { _ in true } ?? false }

  /// Whether the caller runs within the migration of a key of the router, and must not change the key's value.
  static func keepsValue(on router: StorageRouter, at place: StoragePlace) -> Bool {
    current?.contains { $0.router == ObjectIdentifier(router) && $0.place == place && $0.keepsValue } ?? false
  }

  /// Whether the caller runs within a migration of the router.
  static func isRunning(on router: StorageRouter) -> Bool {
    current?.contains { $0.router == ObjectIdentifier(router) } ?? false
  }

  /// Whether the caller runs within the migration of a key of the router.
  static func isRunning(on router: StorageRouter, at place: StoragePlace) -> Bool {
    current?.contains { $0.router == ObjectIdentifier(router) && $0.place == place } ?? false
  }

  private func contains(_ isSought: (MigrationTurn) -> Bool) -> Bool {
    if !isOver.withLock(\.self), isSought(self) { return true }
    return outer?.contains(isSought) ?? false
  }
}
