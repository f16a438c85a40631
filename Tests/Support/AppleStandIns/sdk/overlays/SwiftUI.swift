// swift-format-ignore-file
// The parts of SwiftUI that the package and its tests use.
@_exported import Foundation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @MainActor @preconcurrency var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
public struct EmptyView: View, Sendable {
  public init() {}
  public var body: Never { fatalError() }
}
public struct Toggle<Label: View>: View {
  public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) { fatalError() }
  public var body: Never { fatalError() }
}

public protocol DynamicProperty { mutating func update() }
extension DynamicProperty { public mutating func update() {} }

public struct Transaction {
  public init() {}
}
@propertyWrapper public struct Binding<Value> {
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) { fatalError() }
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
  ) { fatalError() }
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { self }
}
extension Binding: @unchecked Sendable where Value: Sendable {}
extension Binding: DynamicProperty {}

#if STATE_IS_MACRO
// As in Xcode 27. The macro makes a property whose type is visible, so that a private type is refused. No implementation of
// the macro exists here: every use is refused.
@attached(accessor) @attached(peer, names: prefixed(_)) public macro State() =
  #externalMacro(module: "SwiftUIMacros", type: "StateMacro")
public struct State<Value>: DynamicProperty {
  public init(initialValue value: Value) { fatalError() }
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
}
#else
@propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue value: Value) { fatalError() }
  public init(initialValue value: Value) { fatalError() }
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { fatalError() }
}
#endif
extension State: Sendable where Value: Sendable {}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}
public struct EnvironmentValues {
  public init() {}
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value { get { fatalError() } set {} }
}
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { fatalError() }
  public var wrappedValue: Value { fatalError() }
}
extension Environment: Sendable where Value: Sendable {}
extension View {
  nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { EmptyView() }
}
