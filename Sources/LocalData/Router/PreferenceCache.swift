import StorageVocabulary

/// The values of plain preferences, decoded, with the state of their container before they were read.
struct PreferenceCache: Sendable {
  private static let mostValues = 1_000

  private(set) var values: [String: any AnyCachedPreference] = [:]
  /// Counts how often everything was removed. A value that was read before is not kept.
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
  private let place: StoragePlace
  private let state: any ContainerState
  let value: Value
  let mark: StoredMark

  private static var largestCount: Int { 64 << 10 }

  /// Creates the cache of a value, or returns `nil` if the value may not be cached: the next caller would see the changes of
  /// an object, and defaults, upgrades and serializers of the app may differ between keys of one name.
  init?(
    _ key: StorageKey<Value>, _ place: StoragePlace, _ value: Value, _ mark: StoredMark, _ state: any ContainerState
  ) {
    guard let count = mark.count, count <= Self.largestCount, !(Value.self is AnyClass), key.coding.upgrades == nil,
      !key.serializer.isCustom, key.options.onCorruption != .useDefault
    else { return nil }
    (self.key, self.place, self.value, self.mark, self.state) = (key, place, value, mark, state)
  }

  /// Returns the value of a key that is known to be what is stored, or `nil` if it has to be read.
  static func current(_ key: StorageKey<Value>, in router: StorageRouter) -> CachedPreference? {
    let known = router.setup.withLock { [name = key.name] in $0.preferences.values[name] }
    guard let cached = known as? CachedPreference, cached.isCurrent(for: key, in: router) else { return nil }
    return cached
  }

  /// Returns true if the value is still what is stored, and what `key` would decode.
  private func isCurrent(for key: StorageKey<Value>, in router: StorageRouter) -> Bool {
    guard self.key.isSame(as: key), state.isCurrent else { return false }
    return (key.migration == nil || router.migrationCache.isSettled(place)) && !MigrationTurn.isRunning(on: router)
  }
}

extension StorageKey {
  /// Returns true if both keys are plain preferences with one address, and decode the same bytes as the same value.
  func isSame(as other: Self) -> Bool {
    // A key that is declared once has one declaration.
    if declaration === other.declaration { return true }
    let isCodedAlike =
      coding === other.coding
      || coding.upgrades == nil && other.coding.upgrades == nil && serializer == other.serializer
    return isCodedAlike && domain == other.domain && security == other.security && availability == other.availability
      && options.maxSize == other.options.maxSize && options.declaredName == other.options.declaredName
      && options.retention == other.options.retention && options.isLegacy == other.options.isLegacy
      && options.isFoundation == other.options.isFoundation
  }
}

extension SerializerKind {
  fileprivate var isCustom: Bool { if case .custom = self { true } else { false } }
}
