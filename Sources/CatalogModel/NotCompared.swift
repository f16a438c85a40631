/// A property that does not count when values are compared, for example the line on which a value is declared.
@propertyWrapper
package struct NotCompared<Value: Sendable>: Sendable, Hashable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package static func == (left: NotCompared, right: NotCompared) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
