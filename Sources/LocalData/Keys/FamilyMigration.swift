public import LocalDataFoundation

/// The addresses at which an earlier release may have stored the members of a family, and how a member is found by its
/// parameters.
///
/// All migrations are equal, so that two families with the same declaration are equal.
package struct FamilyMigration: Hashable, Sendable {
  /// The families of the sources, with the family itself for a migration in place.
  package let sources: [StorageKeyFamily]
  /// The legacy keys in whose values members have parts.
  var shared: [AnyStorageKey] = []
  /// Returns the key of a member by the escaped value of each parameter, or `nil` if no member has these parameters.
  let member: @Sendable (_ values: [String: String]) -> AnyStorageKey?
  /// The custom migrations of the members.
  var custom: [CustomFamilyMigration] = []

  package static func == (one: Self, other: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// The parameters of a member of a family, as its stored name contains them.
///
/// Generated code reads each parameter by its name and type. A text that the library does not write for a value of the type is
/// an error, for example `007` for an `Int`.
@_spi(Generated) public struct StorageKeyParameters: Sendable {
  /// The values by their parameters' names, escaped.
  let values: [String: String]

  /// Returns the value of a parameter.
  ///
  /// - Throws: ``StorageProblem/Code/invalidName`` if the name contains no such value.
  public func value(of parameter: String) throws(StorageError) -> String {
    guard let text = values[parameter].flatMap(StorageKeyName.unescaped) else {
      throw StorageError(.invalidName, .init(key: parameter, domain: nil))
    }
    return text
  }

  /// Returns the value of a parameter.
  ///
  /// - Throws: ``StorageProblem/Code/invalidName`` if the name contains no such value.
  public func value(of parameter: String) throws(StorageError) -> Int {
    try checked(parameter, Int(try value(of: parameter) as String)) { String($0) }
  }

  /// Returns the value of a parameter.
  ///
  /// - Throws: ``StorageProblem/Code/invalidName`` if the name contains no such value.
  public func value(of parameter: String) throws(StorageError) -> UUID {
    try checked(parameter, UUID(uuidString: try value(of: parameter))) { $0.uuidString.lowercased() }
  }

  /// Returns the value of a parameter.
  ///
  /// - Throws: ``StorageProblem/Code/invalidName`` if the name contains no such value.
  public func value<Value: RawRepresentable<String>>(of parameter: String) throws(StorageError) -> Value {
    try checked(parameter, Value(rawValue: try value(of: parameter))) { $0.rawValue }
  }

  /// Returns the value of a parameter.
  ///
  /// - Throws: ``StorageProblem/Code/invalidName`` if the name contains no such value.
  public func value<Value: RawRepresentable<Int>>(of parameter: String) throws(StorageError) -> Value {
    try checked(parameter, Value(rawValue: try value(of: parameter))) { String($0.rawValue) }
  }

  /// Returns a value if it is stored as the text that it was read from.
  private func checked<Value>(
    _ parameter: String, _ value: Value?, _ text: (Value) -> String
  ) throws(StorageError) -> Value {
    guard let value, text(value) == (try self.value(of: parameter) as String) else {
      throw StorageError(.invalidName, .init(key: parameter, domain: nil))
    }
    return value
  }
}
