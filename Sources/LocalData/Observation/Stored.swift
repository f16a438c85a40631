import LocalDataFoundation

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A property that is stored as a plain preference.
///
/// ```swift
/// struct SettingsView: View {
///   @Stored(.theme) private var theme
///
///   var body: some View {
///     Picker("Theme", selection: $theme) { … }
///   }
/// }
/// ```
///
/// Reading the property returns the stored value, and assigning to it stores a value at once. If other writers hold the
/// database for more than 100 milliseconds, a task stores the assigned value, and the property returns it already. The key
/// is a ``PlainPreferenceKey``: it is stored in UserDefaults or in the UserDefaults of an app group, with `security: none`,
/// without `retention`, and with a default or an optional type. `@Stored` with any other key does not compile. If the value may still be at the address of an earlier
/// release, a task reads it first.
///
/// In a SwiftUI view, the property uses the router of the environment, which the view modifier `storageRouter(_:)` sets.
/// Elsewhere it uses ``StorageRouter/shared``, or the router that is passed to the initializer. A view is refreshed when this
/// process or another one changes the value. In an `@Observable` model, write `@ObservationIgnored @Stored(.theme) var theme`.
/// Views that read the property are refreshed all the same.
///
/// A property cannot throw. If the value cannot be read now, the property returns the last value that was read, or the key's
/// default. Assigning within 100 milliseconds of that read stores nothing, so that a value is not overwritten by one that is
/// based on the default, as with `+=`. A later assignment reads the value again, and stores nothing if that fails too.
/// ``error`` is the reason. Inside the type, read it as `_theme.error`.
@propertyWrapper
public struct Stored<Value: Sendable> {
  private var preference: ObservedPreference<Value>
  private let router: StorageRouter?
  #if canImport(SwiftUI)
    @Environment(\.storageRouter) private var environmentRouter
    // In Xcode 27, `@State` is a macro that does not accept a property with a private type.
    private var kept = State(initialValue: KeptPreference<Value>())
  #endif

  /// Creates a property for a key.
  ///
  /// - Parameters:
  ///   - key: The key of a plain preference. Other keys have no ``PlainPreferenceKey``.
  ///   - router: The router. If it is `nil`, the property uses the router of the environment in a view, and the shared router
  ///     elsewhere.
  public init(_ key: PlainPreferenceKey<Value>, router: StorageRouter? = nil) {
    preference = ObservedPreference(key.storageKey, absent: key.absent(), router: router ?? .shared)
    self.router = router
  }

  /// The stored value. Assigning stores a value; assigning `nil` removes the stored value.
  public var wrappedValue: Value {
    get { preference.value }
    nonmutating set { preference.set(newValue) }
  }

  /// The error of the last read or write; `nil` if it succeeded.
  public var error: StorageError? { preference.error }
}

#if canImport(SwiftUI)
  extension Stored: DynamicProperty {
    /// A binding to the stored value.
    public var projectedValue: Binding<Value> {
      let preference = preference
      return Binding(get: { preference.value }, set: { preference.set($0) })
    }

    /// Takes the router from the environment, and reuses the state of the view's earlier property. SwiftUI calls it before a
    /// view's body.
    ///
    /// A view is created again whenever the body of its parent runs. The earlier property may still have an assignment that is
    /// not stored yet, or a value that cannot be read now.
    public mutating func update() {
      let kept = kept.wrappedValue
      if let former = kept.preference, former.hasKey(of: preference) {
        preference = former
      } else {
        kept.preference = preference
      }
      preference.use(router ?? environmentRouter)
    }
  }

  /// The object that a view keeps as long as it is shown.
  private final class KeptPreference<Value: Sendable> {
    var preference: ObservedPreference<Value>?
  }

  extension EnvironmentValues {
    /// The router of ``Stored`` properties. The default is ``StorageRouter/shared``.
    public var storageRouter: StorageRouter {
      get { self[StorageRouterKey.self] }
      set { self[StorageRouterKey.self] = newValue }
    }
  }

  private struct StorageRouterKey: EnvironmentKey {
    static var defaultValue: StorageRouter { .shared }
  }

  extension View {
    /// Sets the router of the ``Stored`` properties in this view, for example `StorageRouter.inMemory()` in a preview.
    ///
    /// - Parameter router: The router.
    /// - Returns: The view.
    public func storageRouter(_ router: StorageRouter) -> some View { environment(\.storageRouter, router) }
  }
#endif
