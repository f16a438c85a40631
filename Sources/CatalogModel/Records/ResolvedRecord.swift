package import StorageVocabulary

/// A record of `records:`.
package struct ResolvedRecord: Sendable, Hashable {
  /// The name of the emitted struct.
  package var name: String
  /// The name of the table.
  package var storedName: String
  /// The member of the router.
  package var member: String
  @NotCompared package var line: Int
  package var owner: String
  package var description: String
  package var access: AccessLevel
  package var sensitivity: Sensitivity
  package var privacy: ResolvedPrivacy?
  package var deprecation: ResolvedKey.Deprecation?
  /// The member of the database.
  package var database: String
  /// The name of the field that identifies a row.
  package var key: String
  package var fields: [Field]
  /// The numbers of the fields of each declared index, in the order of the text. Indexes of single fields follow.
  package var indexes: [[Int]] = []
  package var unique: [[Int]] = []
  package var reserved: [Reserved] = []
  /// The largest size of a row in bytes, or nil for the default of 1 MiB.
  package var maxSize: Int?

  package struct Field: Sendable, Hashable {
    package var name: String
    /// The name of the column.
    package var storedName: String
    package var number: Int
    @NotCompared package var line: Int
    package var type: ValueType
    package var defaultValue: Default?
    package var encryption = Encryption.none
    /// True if a date is written as whole seconds in the wire format.
    package var isInSeconds = false
    package var reference: Reference?
    package var sensitivity: Sensitivity
    package var privacy: ResolvedPrivacy?
    package var description: String?

    package init(
      name: String, storedName: String, number: Int, line: Int, type: ValueType, sensitivity: Sensitivity
    ) {
      self.name = name
      self.storedName = storedName
      self.number = number
      self.line = line
      self.type = type
      self.sensitivity = sensitivity
    }
  }

  package enum Default: Sendable, Hashable {
    /// A new UUID for each record.
    case new
    case value(DefaultValue)
  }

  package enum Encryption: Sendable, Hashable {
    case none, sealed
    /// Sealed, with an index of fingerprints for queries by equality.
    case blind
  }

  package struct Reference: Sendable, Hashable {
    /// The name of the record in its catalog.
    package var record: String
    /// The stored name of the record.
    package var storedName: String
    package var onDelete: OnDelete

    package init(record: String, storedName: String, onDelete: OnDelete) {
      self.record = record
      self.storedName = storedName
      self.onDelete = onDelete
    }
  }

  package enum OnDelete: String, Sendable, Hashable, CaseIterable {
    case restrict, cascade, setNull
  }

  /// Numbers and names that an earlier release used.
  package struct Reserved: Sendable, Hashable {
    package var numbers: [Int]
    package var names: [String]
    package var deletesValues: Bool

    package init(numbers: [Int], names: [String], deletesValues: Bool) {
      self.numbers = numbers
      self.names = names
      self.deletesValues = deletesValues
    }
  }

  package init(
    name: String, storedName: String, member: String, line: Int, owner: String, description: String,
    access: AccessLevel, sensitivity: Sensitivity, database: String, key: String, fields: [Field]
  ) {
    self.name = name
    self.storedName = storedName
    self.member = member
    self.line = line
    self.owner = owner
    self.description = description
    self.access = access
    self.sensitivity = sensitivity
    self.database = database
    self.key = key
    self.fields = fields
  }
}

extension ResolvedRecord {
  /// The encrypted fields.
  package var sealedFields: [Field] { fields.filter { $0.encryption != .none } }

  /// The key first, then the other fields in their order.
  package var fieldsInOrder: [Field] { fields.filter { $0.name == key } + fields.filter { $0.name != key } }

  /// The fields that have a column, in the order of the columns.
  package var columns: [Field] { fieldsInOrder.filter { $0.encryption != .sealed } }
}

extension ResolvedRecord.Field {
  package var isOptional: Bool { if case .optional = type { true } else { false } }

  /// The type without `?`.
  package var plainType: ValueType { if case .optional(let wrapped) = type { wrapped } else { type } }
}
