/// A migration of any kind, for a value of any type. Keys contain their migrations in this form.
public struct AnyStorageMigration: Sendable {
  /// The steps in the order in which they are tried.
  package let steps: [MigrationStep]

  init(steps: [MigrationStep]) { self.steps = steps }

  /// Creates a migration that tries several migrations in order. The first one that finds a value provides it.
  public init(chain: [AnyStorageMigration]) { steps = chain.flatMap(\.steps) }
}

extension AnyStorageKey {
  /// The domains of the key, of the sources of its migration, and of their sources.
  package var domains: [StorageDomain] {
    let sources = (migration?().steps ?? []).flatMap { step -> [AnyStorageKey] in
      if case .move(let move) = step.action { move.sources } else { [] }
    }
    return [domain] + sources.flatMap(\.domains)
  }
}

/// One step of a migration.
package struct MigrationStep: Sendable {
  enum Action: Sendable {
    case move(ValueMove)
    case custom(CustomMigration)
  }

  var action: Action
  /// Conditions on the version of the running app. All of them must hold.
  var conditions: [AppVersionCondition] = []
}

/// A move of the values of one or more keys to another key.
struct ValueMove: Sendable {
  var sources: [AnyStorageKey]
  var onConflict: ConflictPolicy
  /// A Boolean value that indicates whether there is one source, whose value is stored unchanged.
  var keepsValue = false
  /// Returns the destination's value for the values of the sources, in their order. An absent source has the value nil.
  /// At least one source is present.
  var convert: @Sendable ([(any Sendable)?]) throws -> any Sendable
}

/// A migration that the app carries out itself, without the type of its value. It is made from a ``StorageMigration``.
///
/// The router is the only caller of the functions, and passes itself. The functions throw errors of the app.
struct CustomMigration: Sendable {
  /// The name of the migration's type, which identifies the step in the log.
  let typeName: String
  /// Returns true if the migration finds something to do.
  let shouldMigrate: @Sendable (_ router: any StorageProviding, MigrationContext) async throws -> Bool
  let migrate: @Sendable (_ router: any StorageProviding, MigrationContext) async throws -> MigrationResult
}

/// A custom migration of a family's members, without the type of their values. It is made from a ``StorageFamilyMigration``.
struct CustomFamilyMigration: Sendable {
  /// The name of the migration's type, which identifies the members' steps in the log.
  let typeName: String
  /// Returns the keys of the members that the migration would find a value for, or removes these values.
  let keys:
    @Sendable (_ isRemoval: Bool, _ router: any StorageProviding, MigrationContext) async throws -> [AnyStorageKey]
}

/// The action on a source if the destination has another value. The destination keeps its value in either case.
public enum ConflictPolicy: Sendable, Hashable {
  /// The source stays at its address, and no later read uses it. `remove` of the destination key removes it.
  case keepSource
  /// The source is removed.
  case removeSource
}

/// A condition on the version of the running app, for example `.below(2, 0, 0)`.
///
/// A version is dotted integers, compared part by part. Parts that are missing count as 0: 2 and 2.0.0 are the same version.
/// Text after the integers is ignored, together with the dot in front of it: `2.1-beta.3`, `2.1.beta` and `2.1b4` are 2.1. The
/// version is treated as unknown if the text does not begin with an integer (`beta`, `v2`), has an empty part (`1..2`, `2.`),
/// or has a part that is too large for an `Int`.
public struct AppVersionCondition: Sendable, Hashable {
  private enum Comparison: Sendable, Hashable {
    case below, atMost, exactly, atLeast, above
  }

  private let comparison: Comparison
  private let version: [Int]

  /// A condition that holds if the app's version is lower than the given one. `.below(2, 1)` is `"<2.1"` in a catalog.
  public static func below(_ version: Int...) -> Self { Self(comparison: .below, version: version) }
  /// A condition that holds if the app's version is the given one or lower. `.atMost(2, 1)` is `"<=2.1"` in a catalog.
  public static func atMost(_ version: Int...) -> Self { Self(comparison: .atMost, version: version) }
  /// A condition that holds if the app's version is equal to the given one. `.exactly(2, 1)` is `"=2.1"` in a catalog.
  public static func exactly(_ version: Int...) -> Self { Self(comparison: .exactly, version: version) }
  /// A condition that holds if the app's version is the given one or higher. `.atLeast(2, 1)` is `">=2.1"` in a catalog.
  public static func atLeast(_ version: Int...) -> Self { Self(comparison: .atLeast, version: version) }
  /// A condition that holds if the app's version is higher than the given one. `.above(2, 1)` is `">2.1"` in a catalog.
  public static func above(_ version: Int...) -> Self { Self(comparison: .above, version: version) }

  /// Returns true if the condition holds for a version, or nil if the text is not a version.
  func holds(of text: String) -> Bool? {
    guard let running = Self.parts(of: text) else { return nil }
    let count = max(running.count, version.count)
    func padded(_ parts: [Int]) -> [Int] { parts + Array(repeating: 0, count: count - parts.count) }
    let left = padded(running)
    let right = padded(version)
    let isBelow = left.lexicographicallyPrecedes(right)
    return switch comparison {
    case .below: isBelow
    case .atMost: isBelow || left == right
    case .exactly: left == right
    case .atLeast: !isBelow
    case .above: !isBelow && left != right
    }
  }

  /// Returns the integers at the beginning of a version, or nil if they are not valid.
  private static func parts(of text: String) -> [Int]? {
    var release = text.utf8.prefix { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if release.count < text.utf8.count, release.last == UInt8(ascii: ".") { release = release.dropLast() }
    let parts = release.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) }
    guard parts.allSatisfy({ $0 != nil }) else { return nil }
    return parts.compactMap(\.self)
  }
}
