import LocalDataFoundation
import LocalDataStores

/// The decoded values of plain preferences, each with the state of its container before the read.
struct PreferenceCache: Sendable {
  private static let mostValues = 1_000

  private(set) var values: [String: any AnyCachedPreference] = [:]
  /// The number of times that the cache was emptied. A value that was read before that is not added.
  private(set) var revision = 0

  mutating func insert<Value>(_ value: CachedPreference<Value>, madeAt revision: Int) {
    guard revision == self.revision else { return }
    if values.count >= Self.mostValues { values.removeAll(keepingCapacity: true) }
    values[value.key.name] = value
  }

  mutating func removeAll() {
    values.removeAll()
    revision += 1
  }
}

/// A cached value of any type.
protocol AnyCachedPreference: AnyObject, Sendable {}

/// A stored value of a plain preference.
final class CachedPreference<Value: Sendable>: AnyCachedPreference {
  fileprivate let key: StorageKey<Value>
  private let address: StorageAddress
  private let state: any ContainerState
  let value: Value
  let mark: StoredMark

  private static var largestCount: Int { 64 << 10 }

  /// Creates the cache entry of a value, or returns `nil` if the value must not be cached. An object could be changed by a
  /// caller. Defaults, upgrades and custom serializers may differ between keys of the same name.
  init?(
    _ key: StorageKey<Value>, _ address: StorageAddress, _ value: Value, _ mark: StoredMark, _ state: any ContainerState
  ) {
    guard let count = mark.count, count <= Self.largestCount, !(Value.self is AnyClass), key.coding.upgrades == nil,
      !key.serializer.isCustom, ![.useDefault, .skipElements].contains(key.options.onCorruption)
    else { return nil }
    self.key = key
    self.address = address
    self.value = value
    self.mark = mark
    self.state = state
  }

  /// Returns the cached value of a key if it is still the stored one, or `nil` if the value has to be read.
  ///
  /// - Parameter meter: The measurement of the call that uses the value.
  static func current(_ key: StorageKey<Value>, in router: StorageRouter, _ meter: CallMeter?) -> CachedPreference? {
    let known = router.setup.withLock { [name = key.name] in $0.preferences.values[name] }
    guard let cached = known as? CachedPreference, cached.isCurrent(for: key, in: router) else { return nil }
    meter?.note(cached.mark.count)
    return cached
  }

  /// Returns true if the value is still stored, and `key` would decode the same value.
  private func isCurrent(for key: StorageKey<Value>, in router: StorageRouter) -> Bool {
    guard self.key.isSame(as: key), state.isCurrent else { return false }
    return (key.migration == nil || router.migrationCache.isSettled(address)) && !MigrationTurn.isRunning(on: router)
  }
}

/// A hash of stored bytes that shows a change without keeping a copy of them. It differs from process to process.
struct StoredMark: Hashable, Sendable {
  private let hash: Int
  /// The number of bytes; `nil` if no value is stored.
  let count: Int?

  init(_ stored: Data?) {
    var hasher = Hasher()
    stored?.withUnsafeBytes { hasher.combine(bytes: $0) }
    hash = hasher.finalize()
    count = stored?.count
  }
}

extension StorageKey {
  /// Returns true if both keys have one address, and decode the same bytes as the same value.
  func isSame(as other: Self) -> Bool {
    // A key that is declared once has one declaration.
    if declaration === other.declaration { return true }
    guard name.hasSameBytes(as: other.name) else { return false }
    let isCodedAlike = coding === other.coding || coding.readsAlike(other.coding)
    return isCodedAlike && domain == other.domain && security == other.security && availability == other.availability
      && options.maxSize == other.options.maxSize && options.declaredName == other.options.declaredName
      && options.retention == other.options.retention && options.isLegacy == other.options.isLegacy
  }
}

extension SerializerKind {
  fileprivate var isCustom: Bool { if case .custom = self { true } else { false } }
}
