import LocalDataFoundation
import LocalDataSystem

#if os(Linux)
  extension UserDefaultsHelper {
    package func watch(
      _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
    ) throws(StorageProblem) -> (any Sendable)? {
      try database(container).watch(onChange)
    }
  }
#elseif canImport(ObjectiveC)
  extension UserDefaultsHelper {
    /// Observes one name. UserDefaults reports no other changes by other processes.
    package func watch(
      _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
    ) throws(StorageProblem) -> (any Sendable)? {
      // Key-value observing reads a dot as a path, and a commercial at as an operator.
      guard let name, !name.contains("."), !name.contains("@") else { return nil }
      return DefaultsWatch(try defaults(of: container), name, onChange)
    }
  }

  /// Observes one name of UserDefaults until it is released.
  ///
  /// Another thread may store a value meanwhile. Key-value observing then retains the observer, which crashes if the observer's
  /// own deinit has begun. So the observer is another object, which is released after it was removed.
  ///
  /// `@unchecked Sendable`: it has no mutable properties, and Apple documents UserDefaults as thread-safe.
  private final class DefaultsWatch: @unchecked Sendable {
    private let defaults: UserDefaults
    private let name: String
    private let observer: DefaultsObserver

    init(_ defaults: UserDefaults, _ name: String, _ onChange: @escaping @Sendable () -> Void) {
      self.defaults = defaults
      self.name = name
      observer = DefaultsObserver(onChange)
      defaults.addObserver(observer, forKeyPath: name, options: [], context: nil)
    }

    deinit { defaults.removeObserver(observer, forKeyPath: name) }
  }

  private final class DefaultsObserver: NSObject, Sendable {
    private let onChange: @Sendable () -> Void

    init(_ onChange: @escaping @Sendable () -> Void) {
      self.onChange = onChange
      super.init()
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      onChange()
    }
  }
#endif
