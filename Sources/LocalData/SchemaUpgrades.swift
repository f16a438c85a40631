import Foundation

/// How values that earlier versions of a key's schema have stored become values of today's: a step a version, from the
/// first on.
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
/// `Profile` that ``StorageRouter/get(_:)`` returns. Reading writes nothing back; the next `set` or `update` stores
/// schema 3. What was stored before a key had a schema is of schema 1.
///
/// A step may run as often as a value is read, in `update` with the value's lock held: it must be quick, and its result
/// all that it does. One that throws is ``StorageError/migrationFailed(_:)``, whatever it throws; bytes that are not of
/// its type are ``StorageError/cannotDecode(_:)``. In both cases what is stored stays as it is.
public struct SchemaUpgrades<Value: Sendable>: Sendable {
  /// From the serialized bytes of a schema to a value of today's, in order; the first is that of schema 1.
  private let steps: [Step]

  /// A result instead of a thrown error: a stored function with a typed error needs iOS 18.
  typealias Step = @Sendable (Data) -> Result<Value, StorageFault>

  /// The schema that the steps lead to: one more than they are.
  public var schema: UInt32 { UInt32(steps.count) + 1 }

  /// The upgrade from schema 1 to 2.
  ///
  /// - Parameters:
  ///   - serializer: What the value was serialized with: the key's own serializer for the type of that time, or `.data`,
  ///     which hands over the bytes.
  ///   - transform: From what was stored to what takes its place.
  public init<Old>(decoding serializer: Serializer<Old>, _ transform: @escaping @Sendable (Old) throws -> Value) {
    steps = [Self.step(serializer, transform)]
  }

  private init(_ steps: [Step]) { self.steps = steps }

  /// The upgrade from the schema so far to the one after it.
  ///
  /// - Parameters:
  ///   - serializer: What the value of the schema so far was serialized with.
  ///   - transform: From what was stored, or what the step before made, to what takes its place.
  public func then<New: Sendable>(
    decoding serializer: Serializer<Value>, _ transform: @escaping @Sendable (Value) throws -> New
  ) -> SchemaUpgrades<New> {
    SchemaUpgrades<New>(
      steps.map { Self.step($0, then: transform) } + [SchemaUpgrades<New>.step(serializer, transform)])
  }

  /// The same, for a key whose `Value` is optional.
  var optional: SchemaUpgrades<Value?> {
    SchemaUpgrades<Value?>(steps.map { Self.step($0, then: Optional.some) })
  }

  /// Today's value of bytes of an earlier schema.
  func value(of bytes: Data, schema: UInt32) throws(StorageFault) -> Value {
    // Nobody has written a schema 0.
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

  /// What a transform throws may quote the value, so it goes no further.
  private static func apply<New>(
    _ transform: (Value) throws -> New, to value: Value
  ) -> Result<New, StorageFault> {
    do { return .success(try transform(value)) } catch { return .failure(.migrationFailed) }
  }
}

extension Serializer {
  /// The value of bytes. What a serializer throws may quote the value, so it goes no further.
  fileprivate func result(of bytes: Data) -> Result<Value, StorageFault> {
    do { return .success(try decode(bytes)) } catch { return .failure(.cannotDecode) }
  }
}

extension StorageKey {
  /// The key at a later schema, which reads what earlier ones have stored.
  @_disfavoredOverload
  public func upgrading(by upgrades: SchemaUpgrades<Value>) -> Self {
    var key = self
    key.coding.upgrades = upgrades
    return key
  }

  /// The key at a later schema, which reads what earlier ones have stored, and `nil` where nothing is.
  public func upgrading<Wrapped>(by upgrades: SchemaUpgrades<Wrapped>) -> Self where Value == Wrapped? {
    var key = self
    key.coding.upgrades = upgrades.optional
    return key
  }
}

/// What generated code calls, with a function by its name.
///
/// In Swift 5 mode a function that is named, and not called, counts as not Sendable, and the compiler warns of it. The
/// closure around the name is checked instead, in both modes: the name is looked up whenever the function is called.
extension SchemaUpgrades {
  /// The upgrade from schema 1 to 2.
  @_spi(Generated) public init<Old>(
    decoding serializer: Serializer<Old>, by transform: @autoclosure @escaping @Sendable () -> (Old) throws -> Value
  ) {
    self.init(decoding: serializer) { try transform()($0) }
  }

  /// The upgrade from the schema so far to the one after it.
  @_spi(Generated) public func then<New: Sendable>(
    decoding serializer: Serializer<Value>, by transform: @autoclosure @escaping @Sendable () -> (Value) throws -> New
  ) -> SchemaUpgrades<New> {
    then(decoding: serializer) { try transform()($0) }
  }
}
