import LocalDataFoundation

/// A part that is made when it is first used. Most of an app's first calls need few parts, and each takes time to make.
///
/// It may be made twice, of which one is used.
package final class Deferred<Value: Sendable>: Sendable {
  private let known = Lock<Value?>(nil)
  private let make: @Sendable () -> Value

  package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  package var value: Value {
    if let known = known.withLock({ $0 }) { return known }
    let made = make()
    return known.withLock { known in
      let value = known ?? made
      known = value
      return value
    }
  }
}
