import Foundation

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
/// Reading the property returns what is stored at that moment, and assigning to it stores a value at once. If other writers
/// hold the database for more than 100 milliseconds, the assigned value is stored in a task. The property has it already.
/// The key must be a plain preference: stored in UserDefaults, its own or that of an app group, with `security: none`,
/// without `retention`, and with a default or an optional type. If its value may still be where an earlier release stored it,
/// a task reads the value first.
///
/// In a SwiftUI view the router is that of the environment, which the view modifier `storageRouter(_:)` sets; elsewhere it
/// is ``StorageRouter/shared``, or the router that is given. A view is refreshed when the value changes, by this process
/// or another one. In an `@Observable` model, write `@ObservationIgnored @Stored(.theme) var theme`: views that read it are
/// refreshed all the same.
///
/// A property cannot throw. If the value cannot be read now, the property has the last value that was read, or the key's
/// default, and assigning stores nothing, so that no value is replaced by one that was made of a default. ``error`` says why,
/// inside the type as `_theme.error`.
@propertyWrapper
public struct Stored<Value: Sendable> {
  private var preference: ObservedPreference<Value>
  private let router: StorageRouter?
  #if canImport(SwiftUI)
    @Environment(\.storageRouter) private var environmentRouter
    @State private var kept = KeptPreference<Value>()
  #endif

  /// Creates a property for a key.
  ///
  /// - Parameters:
  ///   - key: A plain preference with a default or an optional type. Other keys end the program.
  ///   - router: The router. If it is `nil`, the router of the environment in a view, and the shared one elsewhere.
  public init(_ key: StorageKey<Value>, router: StorageRouter? = nil) {
    let erased = AnyStorageKey(key)
    precondition(
      erased.isPlainPreference && key.options.retention == nil,
      "\(erased) is no plain preference without a retention. Use the router's `get` and `set`.")
    // A property wrapper cannot throw, and no value of another key would be right: see the documentation of the parameter.
    guard let absent = key.coding.absentValue else {
      preconditionFailure("\(erased) has no value if nothing is stored. Give it a default or an optional type.")
    }
    preference = ObservedPreference(key, absent: absent, router: router ?? .shared)
    self.router = router
  }

  /// The stored value. Assigning stores a value; `nil` removes what is stored.
  public var wrappedValue: Value {
    get { preference.value }
    nonmutating set { preference.set(newValue) }
  }

  /// The reason for which the value could not be read or stored the last time; `nil` if it could.
  public var error: StorageError? { preference.error }
}

#if canImport(SwiftUI)
  extension Stored: DynamicProperty {
    /// A binding to the stored value.
    public var projectedValue: Binding<Value> {
      let preference = preference
      return Binding(get: { preference.value }, set: { preference.set($0) })
    }

    /// Takes the router from the environment, and what the view knows of the value. SwiftUI calls it before a view's body.
    ///
    /// A view is created again whenever the body of its parent runs. An assignment may not be stored then, or the value may not be
    /// readable.
    public mutating func update() {
      let kept = kept
      if let former = kept.preference, former.hasKey(of: preference) {
        preference = former
      } else {
        kept.preference = preference
      }
      preference.use(router ?? environmentRouter)
    }
  }

  /// The object that a view keeps for as long as it is shown.
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
