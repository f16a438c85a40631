package import LocalDataAudit
package import LocalDataVocabulary

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
  package var review: ResolvedReview?
  package var deprecation: ResolvedKey.Deprecation?
  package var labels = DeclarationLabels()
  /// The fate of rows at a sign-out; nil if all of them are removed.
  package var signOut: SignOut?
  /// The member of the database.
  package var database: String
  /// The database, which another catalog of the run may declare; nil if the record was not read with its run.
  @NotCompared package var home: ResolvedDatabase? = nil
  /// The name of the field that identifies a row.
  package var key: String
  package var fields: [Field]
  /// The numbers of the fields of each declared index, in the order of the text. Indexes of single fields follow.
  package var indexes: [[Int]] = []
  package var unique: [[Int]] = []
  /// The record that a unique index keeps of several that are stored with equal values.
  package var existing: [[Int]: Existing] = [:]
  package var reserved: [Reserved] = []
  package var retention: Retention?
  /// The import from another library's store.
  package var imported: ResolvedImport?
  /// The name of the field with the date at which a record expires.
  package var expires: String?
  /// A Boolean value that indicates whether lists leave out damaged rows.
  package var skipsDamaged = false
  /// The largest size of a row in bytes, or nil for the default of 1 MiB.
  package var maxSize: Int?

  package enum SignOut: Sendable, Hashable {
    case keep
    /// A sign-out of one account removes the rows with its parameter in the field.
    case by(String)
  }

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
    /// The functions that make the field from those of earlier releases, the newest first.
    package var transforms: [Transform] = []
    package var sensitivity: Sensitivity
    /// The values that can be saved; nil for all of the type.
    package var valid: ValidValues?
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
    package var onDelete: DeletionPolicy

    package init(record: String, storedName: String, onDelete: DeletionPolicy) {
      self.record = record
      self.storedName = storedName
      self.onDelete = onDelete
    }
  }

  /// A function that makes a field from those of earlier releases.
  package struct Transform: Sendable, Hashable {
    package var sources: [Source]
    package var function: SwiftName

    package init(sources: [Source], function: SwiftName) {
      self.sources = sources
      self.function = function
    }
  }

  /// A field of an earlier release.
  package struct Source: Sendable, Hashable {
    package var number: Int
    package var type: ValueType
    package var isEncrypted: Bool
    package var isInSeconds: Bool

    package init(number: Int, type: ValueType, isEncrypted: Bool, isInSeconds: Bool) {
      self.number = number
      self.type = type
      self.isEncrypted = isEncrypted
      self.isInSeconds = isInSeconds
    }
  }

  package struct Existing: Sendable, Hashable {
    package enum Kept: String, Sendable, CaseIterable {
      case keepFirst, keepLast
    }

    package static let keepFirst = Existing(kept: .keepFirst)
    package static let keepLast = Existing(kept: .keepLast)

    package var kept: Kept
    /// A Boolean value that indicates whether the records that refer to a deleted one are deleted too.
    package var cascades = false

    package init(kept: Kept, cascades: Bool = false) {
      self.kept = kept
      self.cascades = cascades
    }
  }

  /// The time for which rows are kept.
  package enum Retention: Sendable, Hashable {
    /// - Parameters:
    ///   - by: The name of the field with the date.
    ///   - maxAge: The age in seconds at which a row ends.
    ///   - maxCount: The number of rows that are kept.
    case dated(by: String, maxAge: Int?, maxCount: Int?)
    case untilRelaunch
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
  /// The name of a property with one record: `sharingHistory` for `SharingHistory`.
  package var propertyName: String { RouterMember.lowerCamel(name) }

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

/// A record that earlier releases had. Its rows stay in the database, and no record is stored in their table.
package struct ResolvedReservedRecord: Sendable, Hashable {
  /// The stored name.
  package var record: String
  /// The member of the database.
  package var database: String
  package var note: String?

  package init(record: String, database: String, note: String? = nil) {
    self.record = record
    self.database = database
    self.note = note
  }
}

extension ResolvedRecord {
  /// Returns the names of the fields with some numbers.
  package func names(of numbers: [Int]) -> [String] {
    numbers.map { number in fields.first { $0.number == number }?.name ?? String(number) }
  }
}
