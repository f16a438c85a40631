// The part of SwiftUI that Stored uses, with a node of a view's tree that keeps what a view keeps.

public protocol View {
  associatedtype Body: View
  var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
public struct EmptyView: View {
  public var body: Never { fatalError() }
}
extension View {
  public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
    EmptyView()
  }
}

public protocol DynamicProperty { mutating func update() }
extension DynamicProperty { public mutating func update() {} }

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]
  public init() {}
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

/// A property whose value comes from the node of its view.
private protocol Installable { func install(in node: FakeViewNode, at index: Int) }

@propertyWrapper public struct Environment<Value>: DynamicProperty, Installable {
  private final class Source { var values = EnvironmentValues() }
  private let path: KeyPath<EnvironmentValues, Value>
  private let source = Source()
  public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }
  public var wrappedValue: Value { source.values[keyPath: path] }
  fileprivate func install(in node: FakeViewNode, at index: Int) { source.values = node.environment }
}

@propertyWrapper public struct State<Value>: DynamicProperty, Installable {
  final class Location {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  private final class Source { var location: Location? }
  private let initial: Value
  private let source = Source()
  public init(wrappedValue: Value) { initial = wrappedValue }
  public init(initialValue: Value) { initial = initialValue }
  public var wrappedValue: Value {
    get {
      // SwiftUI warns, and returns the initial value.
      if source.location == nil { FakeViewNode.readsOutside += 1 }
      return source.location?.value ?? initial
    }
    nonmutating set { source.location?.value = newValue }
  }
  fileprivate func install(in node: FakeViewNode, at index: Int) {
    let location = node.states[index] as? Location ?? Location(initial)
    node.states[index] = location
    source.location = location
  }
}

@propertyWrapper public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (read, write) = (get, set) }
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }
}

/// The place of a view in the tree of views. It lives as long as the view is shown, although the view's struct is created again
/// and again.
public final class FakeViewNode {
  /// The number of times that a state was read outside of a view.
  nonisolated(unsafe) public static var readsOutside = 0
  public var environment = EnvironmentValues()
  fileprivate var states: [Int: AnyObject] = [:]

  public init() {}

  /// Does with a property of a new struct what SwiftUI does before it runs the body.
  public func install<Property: DynamicProperty>(_ property: Property) -> Property {
    var property = property
    for (index, child) in Mirror(reflecting: property).children.enumerated() {
      (child.value as? any Installable)?.install(in: self, at: index)
    }
    property.update()
    return property
  }
}
