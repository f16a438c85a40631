import LocalDataFoundation
import LocalDataStores

/// The functions that upgrade values of earlier schemas of a key, one step for each schema before the current one.
///
///     extension StorageKey where Value == Profile? {
///       static let profile = StorageKey(
///         name: "profile", domain: .fileSystem(directory: .documents),
///         owner: "AccountTeam", description: "The signed-in user's profile."
///       ).upgrading(
///         by: SchemaUpgrades(decoding: .json, ProfileV1.upgraded).then(decoding: .json, ProfileV2.upgraded))
///     }
///
/// This key is of schema 3: bytes of schema 1 are decoded as a `ProfileV1`, which becomes a `ProfileV2`, which becomes the
/// `Profile` that ``StorageRouter/get(_:)`` returns. A read changes nothing in the storage. The next `set` or `update` stores
/// schema 3. Values that were stored before the key had a schema have schema 1.
///
/// A step can run at every read of a value, and in `update` it runs with the value's lock held. It must be quick and have no
/// side effects. If it throws, the caller gets ``StorageProblem/Code/migrationFailed``. If bytes are not of its type, the caller
/// gets ``StorageProblem/Code/cannotDecode``. In both cases the stored value stays as it is.
public struct SchemaUpgrades<Value: Sendable>: Sendable {
  /// The functions from the serialized bytes of a schema to a value of the current schema. The first one is for schema 1.
  private let steps: [Step]

  /// A function that returns a result instead of throwing an error, because a stored function with a typed error needs iOS 18.
  typealias Step = @Sendable (Data) -> Result<Value, StorageProblem>

  /// The schema of the upgraded values: one more than the number of steps.
  public var schema: UInt32 { UInt32(steps.count) + 1 }

  /// Creates the upgrade from schema 1 to 2.
  ///
  /// - Parameters:
  ///   - serializer: The serializer of the old value: the key's serializer for the old type, or `.data` for the bytes.
  ///   - transform: Converts the stored value to the new one.
  public init<Old>(decoding serializer: Serializer<Old>, _ transform: @escaping @Sendable (Old) throws -> Value) {
    steps = [Self.step(serializer, transform)]
  }

  private init(_ steps: [Step]) { self.steps = steps }

  /// Returns the upgrades with a further step, from the last schema to the one after it.
  ///
  /// - Parameters:
  ///   - serializer: The serializer of values of the last schema.
  ///   - transform: Converts the stored value, or the value of the step before, to the new one.
  public func then<New: Sendable>(
    decoding serializer: Serializer<Value>, _ transform: @escaping @Sendable (Value) throws -> New
  ) -> SchemaUpgrades<New> {
    SchemaUpgrades<New>(
      steps.map { Self.step($0, then: transform) } + [SchemaUpgrades<New>.step(serializer, transform)])
  }

  /// The upgrades for a key whose `Value` is optional.
  var optional: SchemaUpgrades<Value?> {
    SchemaUpgrades<Value?>(steps.map { Self.step($0, then: Optional.some) })
  }

  /// Returns the current value of bytes of an earlier schema.
  func value(of bytes: Data, schema: UInt32) throws(StorageProblem) -> Value {
    // There is no schema 0.
    guard schema > 0, schema < self.schema else { throw .corrupted }
    return try steps[Int(schema) - 1](bytes).get()
  }

  private static func step<Old>(
    _ serializer: Serializer<Old>, _ transform: @escaping @Sendable (Old) throws -> Value
  ) -> Step {
    { bytes in serializer.result(of: bytes).flatMap { SchemaUpgrades<Old>.apply(transform, to: $0) } }
  }

  private static func step<New>(
    _ step: @escaping Step, then transform: @escaping @Sendable (Value) throws -> New
  ) -> SchemaUpgrades<New>.Step {
    { bytes in step(bytes).flatMap { apply(transform, to: $0) } }
  }

  /// Applies a transform. Its error may quote the value, so it is not passed on.
  private static func apply<New>(_ transform: (Value) throws -> New, to value: Value) -> Result<New, StorageProblem> {
    do { return .success(try transform(value)) } catch { return .failure(.migrationFailed) }
  }
}

extension Serializer {
  /// Returns the value of bytes. The error of a serializer may quote the value, so it is not passed on.
  fileprivate func result(of bytes: Data) -> Result<Value, StorageProblem> {
    do { return .success(try decode(bytes)) } catch { return .failure(StorageProblem(decoding: error)) }
  }
}

extension StorageKey {
  /// Returns a copy of the key with a later schema. It also reads values of the earlier schemas.
  @_disfavoredOverload
  public func upgrading(by upgrades: SchemaUpgrades<Value>) -> Self {
    with(KeyCoding(coding, upgrading: upgrades))
  }

  /// Returns a copy of the key with a later schema. It also reads values of the earlier schemas, and `nil` if nothing is
  /// stored.
  public func upgrading<Wrapped>(by upgrades: SchemaUpgrades<Wrapped>) -> Self where Value == Wrapped? {
    with(KeyCoding(coding, upgrading: upgrades.optional))
  }
}

/// Functions for generated code, which passes a function by its name.
///
/// In Swift 5 mode a reference to a function is not Sendable, and the compiler warns about it. With an autoclosure the
/// compiler checks the closure around the name instead, in both modes.
extension SchemaUpgrades {
  /// Creates the upgrade from schema 1 to 2.
  @_spi(Generated) public init<Old>(
    decoding serializer: Serializer<Old>, by transform: @autoclosure @escaping @Sendable () -> (Old) throws -> Value
  ) {
    self.init(decoding: serializer) { try transform()($0) }
  }

  /// Returns the upgrades with a further step, from the last schema to the one after it.
  @_spi(Generated) public func then<New: Sendable>(
    decoding serializer: Serializer<Value>, by transform: @autoclosure @escaping @Sendable () -> (Value) throws -> New
  ) -> SchemaUpgrades<New> {
    then(decoding: serializer) { try transform()($0) }
  }
}
