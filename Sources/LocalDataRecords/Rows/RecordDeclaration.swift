public import LocalDataVocabulary

/// The table of a record. Generated code declares it.
public final class RecordDeclaration: Sendable {
  /// The stored name of the record.
  package let name: String
  /// The number of the field that identifies a row.
  let key: Int
  /// The columns in the order in which a record writes them: the key, the other fields, the sealed part.
  package let columns: [Column]
  /// The encrypted fields. They are in the sealed part.
  package let sealed: [SealedField]
  /// The blind indexes of encrypted fields.
  let blindIndexes: [BlindIndex]
  /// The numbers of the fields of each index.
  let indexes: [[Int]]
  /// The numbers of the fields of each unique index.
  let unique: [[Int]]
  /// The unique indexes for which the row that was inserted first, or last, stays of several with equal values.
  let keepFirst, keepLast: [[Int]]
  /// The unique indexes for which the rows that refer to a removed one are deleted.
  let cascading: [[Int]]
  /// The numbers that no field may use again.
  let reserved: [ReservedNumber]
  /// The transforms that make new fields from those of earlier releases. Of several for a field, the newest is the first.
  let transforms: [RecordTransform]
  /// The largest size of a row in bytes.
  package let maxSize: Int
  /// The time for which rows are kept; nil if they are kept until they are deleted.
  let retention: Retention?
  /// A Boolean value that indicates whether lists leave out the rows that are damaged.
  let skipsDamaged: Bool
  /// The fate of rows at a sign-out; nil if all of them are removed.
  let signOut: SignOut?

  @_spi(Generated) public init(
    _ name: String, key: Int, _ columns: [Column], sealed: [SealedField] = [], indexes: [[Int]] = [],
    unique: [[Int]] = [], keepFirst: [[Int]] = [], keepLast: [[Int]] = [], cascading: [[Int]] = [],
    reserved: [ReservedNumber] = [], transforms: [RecordTransform] = [], maxSize: Int = 1 << 20,
    retention: Retention? = nil,
    skipsDamaged: Bool = false, signOut: SignOut? = nil
  ) {
    self.name = name
    self.key = key
    self.columns = columns
    self.sealed = sealed
    blindIndexes = columns.indices.filter { columns[$0].storage == .blindIndex }.map { position in
      let column = columns[position]
      return BlindIndex(
        column: column.name, position: position, number: column.number,
        type: sealed.first { $0.number == column.number }?.type)
    }
    self.indexes = indexes
    self.unique = unique
    self.keepFirst = keepFirst
    self.keepLast = keepLast
    self.cascading = cascading
    self.reserved = reserved
    self.transforms = transforms
    self.maxSize = maxSize
    self.retention = retention
    self.skipsDamaged = skipsDamaged
    self.signOut = signOut
  }
}

extension RecordDeclaration {
  /// A column of a table.
  public struct Column: Sendable {
    /// The number of the field. The sealed part has the number 0.
    package let number: Int
    /// The declared name. The file may have another one for the same number.
    package let name: String
    package let storage: Storage
    /// A Boolean value that indicates whether the field may be nil.
    let isOptional: Bool
    /// A literal of SQL: the value of the field in rows that were written before it was declared.
    let defaultValue: String?
    /// The Swift type of a field in the wire format, for example `[Claim]`.
    let wireType: String?
    /// The stored name of the record whose key the field contains.
    package let references: String?
    let onDelete: DeletionPolicy

    @_spi(Generated) public init(
      _ number: Int, _ name: String, _ storage: Storage, isOptional: Bool = false, default: String? = nil,
      wire: String? = nil, references: String? = nil, onDelete: DeletionPolicy = .restrict
    ) {
      self.number = number
      self.name = name
      self.storage = storage
      self.isOptional = isOptional
      self.defaultValue = `default`
      self.wireType = wire
      self.references = references
      self.onDelete = onDelete
    }
  }

  /// The form of a column.
  public enum Storage: Sendable {
    case text, integer, real, blob
    /// The fingerprint of an encrypted field, for queries by equality.
    case blindIndex
    /// All encrypted fields of the row.
    case sealed
  }

  /// A field in the sealed part of a row.
  public struct SealedField: Sendable {
    package let number: Int
    /// The Swift type of the field, without `?`.
    let type: String
    /// A Boolean value that indicates whether a row needs the field: it is not optional and has no default.
    let isRequired: Bool

    @_spi(Generated) public init(_ number: Int, _ type: String, isRequired: Bool = false) {
      self.number = number
      self.type = type
      self.isRequired = isRequired
    }
  }

  /// The fate of rows at a sign-out.
  public enum SignOut: Sendable {
    /// The rows stay.
    case keep
    /// A sign-out of one account removes the rows with its parameter in a field, by the number of the field.
    case by(String, Int)
  }

  /// The time for which rows are kept.
  public enum Retention: Sendable {
    /// As long as the date in a field is not older than a number of seconds, and is one of the newest dates.
    case dated(by: Int, maxAge: Int? = nil, maxCount: Int? = nil)
    /// Until the app is launched again.
    case untilRelaunch
  }

  /// A number that an earlier release used.
  public struct ReservedNumber: Sendable {
    let number: Int
    /// A Boolean value that indicates whether the values of earlier releases are deleted.
    let deletesValues: Bool

    @_spi(Generated) public init(_ number: Int, deletesValues: Bool = false) {
      self.number = number
      self.deletesValues = deletesValues
    }
  }
}
