import Foundation

/// A store that can tell when another process changes its values.
protocol WatchableStore: ValueStore {
  /// Calls `onChange` after each change of a value by any process, and perhaps more often, until the result is released.
  ///
  /// - Parameters:
  ///   - container: The container of the value.
  ///   - name: The stored name of the value, or `nil` for all values of the container.
  ///   - onChange: A closure that returns quickly.
  /// - Returns: The watch, or `nil` if the store cannot watch these values.
  func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageFault) -> (any Sendable)?
}

extension LocationCheckedStore: WatchableStore {
  func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageFault) -> (any Sendable)? {
    try (base as? any WatchableStore)?.watch(container, name, onChange)
  }
}
