import LocalDataFoundation
import LocalDataSystem

/// Notifies listeners that a stored value may have changed, in this process or in another one.
package final class ChangeHub: Sendable {
  /// Called with the name of the value that may have changed, or with `nil` if it may be any of the container.
  package typealias Body = @Sendable (_ name: String?) -> Void

  private struct Listeners: Sendable {
    var last = 0
    var all: [StorageContainer: [Int: Body]] = [:]
  }

  private let listeners = Lock(Listeners())

  package init() {}

  /// Calls `body` with each change in a container until the result is released. `body` must be quick.
  package func listen(to container: StorageContainer, _ body: @escaping Body) -> Listener {
    // A synchronizable keychain item and another one may be the same item.
    let container = container.item
    let number = listeners.withLock { listeners in
      listeners.last += 1
      listeners.all[container, default: [:]][listeners.last] = body
      return listeners.last
    }
    return Listener(hub: self, container: container, number: number)
  }

  /// Notifies the listeners that the value at an address may have changed.
  package func publishChange(at address: StorageAddress) { publishChange(in: address.container, address.name) }

  /// Notifies the listeners that any value of a container may have changed.
  package func publishChange(in container: StorageContainer) { publishChange(in: container, nil) }

  private func publishChange(in container: StorageContainer, _ name: String?) {
    let bodies: [Body] = listeners.withLock { listeners in
      // Usually no value is observed.
      if listeners.all.isEmpty { return [] }
      return (listeners.all[container.item] ?? [:]).values.map(\.self)
    }
    for body in bodies { body(name) }
  }

  fileprivate func remove(_ number: Int, from container: StorageContainer) {
    listeners.withLock { listeners in
      listeners.all[container]?[number] = nil
      if listeners.all[container]?.isEmpty == true { listeners.all[container] = nil }
    }
  }

  /// A place in the list of listeners, which is left when the object is released.
  package final class Listener: Sendable {
    private let hub: ChangeHub
    private let container: StorageContainer
    private let number: Int

    fileprivate init(hub: ChangeHub, container: StorageContainer, number: Int) {
      self.hub = hub
      self.container = container
      self.number = number
    }

    deinit { hub.remove(number, from: container) }
  }
}
