/// A dictionary of a few entries, which are compared one after the other.
///
/// The type of a dictionary requires its keys to be hashable. Swift's runtime looks for that conformance among those of all
/// libraries when the type is first used, which on Linux is a part of every launch.
struct SmallDictionary<Key, Value> {
  private var entries: [(key: Key, value: Value)] = []

  mutating func removeAll(where isUnneeded: (Value) -> Bool) { entries.removeAll { isUnneeded($0.value) } }
}

extension SmallDictionary: Sendable where Key: Sendable, Value: Sendable {}

extension SmallDictionary where Key: Equatable {
  subscript(key: Key) -> Value? {
    get { entries.first { $0.key == key }?.value }
    set {
      entries.removeAll { $0.key == key }
      if let newValue { entries.append((key, newValue)) }
    }
  }
}
