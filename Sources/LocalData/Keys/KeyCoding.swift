package import LocalDataFoundation
import LocalDataStores

/// Converts a key's `Value` to bytes and back, and provides the value of an absent key. It is a class, because keys are copied
/// often.
final class KeyCoding<Value: Sendable>: Sendable {
  let serializer: SerializerKind
  let dates: DateForm?
  private let type: Any.Type
  /// The upgrades of bytes of earlier schemas; `nil` if the key has had no other schema.
  let upgrades: SchemaUpgrades<Value>?
  /// The further forms that a read accepts, as functions that return `nil` for bytes of another form; `nil` if there is none.
  /// To make an empty list takes longer, because its type depends on `Value`.
  private let forms: [@Sendable (Data) -> Value?]?
  let readsPropertyLists: Bool
  /// The values that can be set; `nil` for all of the type.
  private let valid: ValidValues<Value>?
  private let encode: Encode
  private let decode: @Sendable (Data) throws -> Value
  /// Returns the value of an absent key; `nil` if absence is an error.
  let absent: (@Sendable () -> Value)?
  /// A Boolean value that indicates whether an absent value reads as a default.
  let hasDefault: Bool

  /// The function that encodes a value, for both kinds of keys. One function type for both would cost an allocation for each
  /// key.
  private enum Encode: Sendable {
    /// A value has bytes.
    case value(@Sendable (Value) throws -> Data)
    /// An optional has bytes, or is to be removed.
    case optional(@Sendable (Value) throws -> Data?)
  }

  /// Creates the coding of a key with a default. Without a default, absence is an error.
  init(_ serializer: Serializer<Value>, default: (@Sendable () -> Value)?) {
    self.serializer = serializer.kind
    dates = serializer.dates
    type = Value.self
    encode = .value(serializer.encode)
    decode = serializer.decode
    absent = `default`
    hasDefault = `default` != nil
    upgrades = nil
    forms = nil
    readsPropertyLists = false
    valid = nil
  }

  /// Creates the coding of a key that reads `nil` if nothing is stored.
  init<Wrapped: Sendable>(_ serializer: Serializer<Wrapped>) where Value == Wrapped? {
    self.serializer = serializer.kind
    dates = serializer.dates
    type = Wrapped.self
    encode = .optional { try $0.map(serializer.encode) }
    decode = serializer.decode
    absent = { nil }
    hasDefault = false
    upgrades = nil
    forms = nil
    readsPropertyLists = false
    valid = nil
  }

  /// Creates a copy of a coding. The arguments replace its parts.
  private init(
    copying coding: KeyCoding, encode: Encode? = nil, decode: (@Sendable (Data) throws -> Value)? = nil,
    upgrades: SchemaUpgrades<Value>? = nil, forms: [@Sendable (Data) -> Value?]? = nil,
    readsPropertyLists: Bool? = nil, valid: ValidValues<Value>?
  ) {
    serializer = coding.serializer
    dates = coding.dates
    type = coding.type
    hasDefault = coding.hasDefault
    absent = coding.absent
    self.encode = encode ?? coding.encode
    self.decode = decode ?? coding.decode
    self.upgrades = upgrades ?? coding.upgrades
    self.forms = forms ?? coding.forms
    self.readsPropertyLists = readsPropertyLists ?? coding.readsPropertyLists
    self.valid = valid
  }

  /// Creates a copy of a coding that upgrades the bytes of earlier schemas. It reads no other forms.
  convenience init(_ coding: KeyCoding, upgrading upgrades: SchemaUpgrades<Value>) {
    self.init(copying: coding, upgrades: upgrades, forms: [], readsPropertyLists: false, valid: coding.valid)
  }

  /// Creates a copy of a coding for some values of the type, or for all of them.
  convenience init(_ coding: KeyCoding, valid: ValidValues<Value>?) { self.init(copying: coding, valid: valid) }

  /// Creates a copy of a coding that also reads another form.
  convenience init<Old>(
    _ coding: KeyCoding, reading form: Serializer<Old>, _ transform: @escaping @Sendable (Old) throws -> Value?
  ) {
    // The error of a form is not reported: that of the declared one is.
    let read: @Sendable (Data) -> Value? = { bytes in try? transform(try form.decode(form.kind.written(bytes))) }
    self.init(
      copying: coding, forms: (coding.forms ?? []) + [read],
      readsPropertyLists: coding.readsPropertyLists || form.kind.isPropertyList, valid: coding.valid)
  }

  /// Creates a copy of a coding for a property list that other code reads and writes too. A list of one element is stored as it
  /// is, and not in another list.
  convenience init(inFile coding: KeyCoding) {
    let type = coding.type
    let encode: Encode =
      switch coding.encode {
      case .value(let encode): .value { try PropertyListForm.inFile(try encode($0), of: $0, type) }
      case .optional(let encode):
        .optional { value in try encode(value).map { try PropertyListForm.inFile($0, of: value, type) } }
      }
    self.init(
      copying: coding, encode: encode,
      decode: { [decode = coding.decode] bytes in
        if let list = try PropertyListForm.list(in: bytes, type), let value = list as? Value { return value }
        return try decode(bytes)
      }, valid: coding.valid)
  }

  /// A Boolean value that indicates whether a read accepts one form only.
  var hasOneForm: Bool { forms?.isEmpty ?? true }

  /// Returns true if a coding of the same serializer reads the same values.
  func readsAlike(_ other: KeyCoding) -> Bool {
    upgrades == nil && hasOneForm && other.upgrades == nil && other.hasOneForm && valid?.rule == other.valid?.rule
      && serializer == other.serializer && dates == other.dates
  }

  /// The name of the value's type. It is computed, because most calls do not need it.
  var valueType: String { String(describing: type) }

  var typeID: ObjectIdentifier? { ObjectIdentifier(type) }

  var cases: String { (type as? any CaseIterable.Type).map { "\($0.allCases)" } ?? "" }

  /// The value of an absent key; `nil` if absence is an error.
  var absentValue: Value? { absent?() }

  /// The schema that values are written with.
  var schema: UInt32 { upgrades?.schema ?? 1 }

  /// Returns the bytes of a value that the app sets, or `nil` if the value means absence.
  func serialize(_ value: Value) throws(StorageProblem) -> Data? {
    if let valid, !valid.contains(value) { throw .invalidValue(valid.rule) }
    return try bytes(of: value)
  }

  /// Returns the bytes of any value. The error of a serializer may quote the value, so it is not passed on.
  private func bytes(of value: Value) throws(StorageProblem) -> Data? {
    do {
      return switch encode {
      case .value(let encode): try encode(value)
      case .optional(let encode): try encode(value)
      }
    } catch {
      throw .cannotEncode
    }
  }

  /// Returns true if a value means absence: it is `nil`, and the key reads `nil` if nothing is stored.
  func meansAbsence(_ value: Value) -> Bool {
    guard case .optional = encode, let value = value as? any OptionalValue else { return false }
    return value.isNil
  }

  /// Returns the value of opened bytes, upgraded to the key's schema. Without bytes it returns the value of an absent key.
  ///
  /// - Throws: ``StorageProblem/Code/cannotDecode`` also for a value that cannot be set.
  func deserialize(_ opened: OpenedValue?) throws(StorageProblem) -> Value {
    guard let opened else {
      guard let value = absent?() else { throw .notFound }
      return value
    }
    let value = try value(of: opened)
    guard isValid(value) else { throw .cannotDecode }
    return value
  }

  private func value(of opened: OpenedValue) throws(StorageProblem) -> Value {
    if opened.schema != schema {
      guard let upgrades else { throw .corrupted }
      return try upgrades.value(of: opened.bytes, schema: opened.schema)
    }
    do { return try decode(readsPropertyLists ? serializer.written(opened.bytes) : opened.bytes) } catch {
      for form in forms ?? [] { if let value = form(opened.bytes) { return value } }
      throw StorageProblem(decoding: error)
    }
  }
}

protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  var isNil: Bool { if case .none = self { true } else { false } }
}

/// Serialized bytes from a store, with their schema.
package struct OpenedValue: Sendable {
  package var bytes: Data
  package var schema: UInt32

  package init(bytes: Data, schema: UInt32) {
    self.bytes = bytes
    self.schema = schema
  }
}

/// A key's coding without the type of its value.
package protocol AnyKeyCoding: AnyObject, Sendable {
  var serializer: SerializerKind { get }
  /// The form of dates, or `nil` if it is the serializer's.
  var dates: DateForm? { get }
  var valueType: String { get }
  /// The identity of the value's type; `nil` if the type is known by name alone.
  var typeID: ObjectIdentifier? { get }
  /// The cases of an enum; empty for another type.
  var cases: String { get }
  var schema: UInt32 { get }
  var hasDefault: Bool { get }
  /// A Boolean value that indicates whether the type is a list or a set of an enum.
  var isListOfEnums: Bool { get }
  /// A Boolean value that indicates whether a read accepts one form only.
  var hasOneForm: Bool { get }
  /// A Boolean value that indicates whether one of the further forms of a read is a property list.
  var readsPropertyLists: Bool { get }

  /// Returns the bytes of a value that is stored already, or `nil` if the value means absence. A value of another type cannot be
  /// encoded. A value that cannot be set has bytes too: the next read applies the key's policy to them.
  func serializeAny(_ value: any Sendable) throws(StorageProblem) -> Data?

  /// Returns the value of opened bytes, upgraded to the key's schema.
  func deserializeAny(_ opened: OpenedValue) throws(StorageProblem) -> any Sendable

  /// Returns true if a value is one that can be set.
  func isValid(_ value: any Sendable) -> Bool

  /// Returns the value that the serializer `json` has written as some bytes.
  func value(ofJSON json: Data) throws -> any Sendable
}

extension AnyKeyCoding {
  /// Returns the bytes of the same value in the key's schema.
  package func currentBytes(of opened: OpenedValue) throws(StorageProblem) -> Data {
    if opened.schema == schema, hasOneForm { return opened.bytes }
    guard let bytes = try serializeAny(try deserializeAny(opened)) else { throw .cannotEncode }
    return bytes
  }
}

extension KeyCoding: AnyKeyCoding {
  /// The coding without the type of its value.
  ///
  /// If the compiler knew the type, it would pass it on, and look it up for each new key.
  @inline(never) var erased: any AnyKeyCoding { self }

  var isListOfEnums: Bool { type is any ListOfEnums.Type }

  /// Returns the elements of a list or a set that are cases of its enum, or `nil` if the bytes are of another shape.
  func knownElements(of opened: OpenedValue) -> Value? {
    guard opened.schema == schema, let list = type as? any ListOfEnums.Type else { return nil }
    do {
      guard let known = try list.known(in: opened.bytes, serializer) as? Value else { return nil }
      return isValid(known) ? known : nil
    } catch {
      // The caller reports the error of the whole list.
      return nil
    }
  }

  func serializeAny(_ value: any Sendable) throws(StorageProblem) -> Data? {
    guard let value = value as? Value else { throw .cannotEncode }
    return try bytes(of: value)
  }

  func deserializeAny(_ opened: OpenedValue) throws(StorageProblem) -> any Sendable { try deserialize(opened) }

  func isValid(_ value: any Sendable) -> Bool { (value as? Value).map(isValid) ?? false }

  /// Returns true if a value is one that can be set.
  private func isValid(_ value: Value) -> Bool { valid?.contains(value) ?? true }

  func value(ofJSON json: Data) throws -> any Sendable {
    let value = try (type as? any Decodable.Type).map { try JSONDecoder().decode($0, from: json) }
    guard let value = value as? Value else { throw StorageProblem.cannotDecode }
    return value
  }
}

/// The coding of a value whose type is not known.
final class UnknownCoding: AnyKeyCoding {
  let serializer: SerializerKind
  let valueType: String

  init(serializer: SerializerKind, valueType: String) {
    self.serializer = serializer
    self.valueType = valueType
  }

  var dates: DateForm? { nil }
  var typeID: ObjectIdentifier? { nil }
  var cases: String { "" }
  var schema: UInt32 { 1 }
  var hasDefault: Bool { false }
  var isListOfEnums: Bool { false }
  var hasOneForm: Bool { true }
  var readsPropertyLists: Bool { false }

  func serializeAny(_ value: any Sendable) throws(StorageProblem) -> Data? { throw .cannotEncode }

  func deserializeAny(_ opened: OpenedValue) throws(StorageProblem) -> any Sendable { throw .cannotDecode }

  func isValid(_ value: any Sendable) -> Bool { false }

  func value(ofJSON json: Data) throws -> any Sendable { throw StorageProblem.cannotDecode }
}
