package import StorageVocabulary

/// Everything that the emitters see of a run: checked, complete, in the order of the text.
///
/// Resolved values are equal if they declare the same. The place of the declaration (`path`, `line`) does not count, so that
/// a key that moved in its file equals itself.
package struct ResolvedCatalog: Sendable, Hashable {
  /// The name of the catalog, without `Catalog` behind it.
  package var name: String
  /// The path of its YAML as the user gave it.
  @NotCompared package var path: String
  /// The name of its outputs: the file's name without folder, `.catalog` and `.yaml`.
  package var baseName: String
  package var access: AccessLevel
  /// Modules to import, sorted, without those that are always there.
  package var imports: [String]
  package var types: [ResolvedType]
  package var keys: [ResolvedKey]
  package var reserved: [ResolvedReservedName]
  package var databases: [ResolvedDatabase]
  package var records: [ResolvedRecord]
  package var reservedRecords: [ResolvedReservedRecord]
  /// The findings that the keys and the records accept.
  @NotCompared package var allowances: [Allowance]

  package init(
    name: String, path: String, baseName: String, access: AccessLevel, imports: [String], types: [ResolvedType],
    keys: [ResolvedKey], reserved: [ResolvedReservedName], databases: [ResolvedDatabase] = [],
    records: [ResolvedRecord] = [], reservedRecords: [ResolvedReservedRecord] = [], allowances: [Allowance] = []
  ) {
    self.name = name
    self.path = path
    self.baseName = baseName
    self.access = access
    self.imports = imports
    self.types = types
    self.keys = keys
    self.reserved = reserved
    self.databases = databases
    self.records = records
    self.reservedRecords = reservedRecords
    self.allowances = allowances
  }
}

extension ResolvedCatalog {
  /// The name of the Swift file.
  package var swiftFileName: String { Self.swiftFileName(baseName: baseName) }

  /// The name of the Swift file of a catalog.
  ///
  /// A target cannot have two files of one name. With `.keys` in it, the name is not that of a file that somebody writes for
  /// the same subject: `Account.yaml` becomes `Account.keys.swift`, and the target can have `Account.swift`. It is never
  /// `main.swift`, which would be a script.
  static func swiftFileName(baseName: String) -> String { "\(baseName).keys.swift" }
}

package enum AccessLevel: String, Sendable, CaseIterable {
  case `public`, package, `internal`
}

/// A type of `types:`.
package struct ResolvedType: Sendable, Hashable {
  package var name: String
  package var description: String
  @NotCompared package var line: Int
  package var form: Form

  package enum Form: Sendable, Hashable {
    case stringEnum([EnumCase<String>])
    case intEnum([EnumCase<Int>])
    case structure([Field])
    /// The app's own type; nothing is emitted for it.
    case swift(SwiftName)
  }

  package struct EnumCase<Raw: Sendable & Hashable>: Sendable, Hashable {
    package var name: String
    package var raw: Raw
    package var description: String?

    package init(name: String, raw: Raw, description: String?) {
      self.name = name
      self.raw = raw
      self.description = description
    }
  }

  package struct Field: Sendable, Hashable {
    package var name: String
    package var type: ValueType
    package var defaultValue: DefaultValue?
    package var description: String?
    /// The number in the wire format, or nil if no record uses the struct.
    package var number: Int?

    package init(
      name: String, type: ValueType, defaultValue: DefaultValue?, description: String?, number: Int? = nil
    ) {
      self.name = name
      self.type = type
      self.defaultValue = defaultValue
      self.description = description
      self.number = number
    }
  }

  package init(name: String, description: String, line: Int, form: Form) {
    self.name = name
    self.description = description
    self.line = line
    self.form = form
  }
}

/// A dotted path in Swift: `AccountModels.Profile`, or `Badge` if the type is in the module of the generated code.
package struct SwiftName: Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// The type of a value.
///
/// Only what holds other types is indirect: a box for each plain one would be an allocation a key.
package enum ValueType: Hashable, Sendable {
  case scalar(ScalarType)
  /// An enum or a struct of `types:`, by its name.
  case declared(String)
  /// A type of the app's own, by its path in Swift.
  case swift(SwiftName)
  indirect case list(ValueType)
  indirect case map(key: ValueType, value: ValueType)
  indirect case set(ValueType)
  /// Inside structs only.
  indirect case optional(ValueType)
}

package enum ScalarType: String, Hashable, Sendable, CaseIterable {
  case string = "String"
  case bool = "Bool"
  case int = "Int"
  case int8 = "Int8"
  case int16 = "Int16"
  case int32 = "Int32"
  case int64 = "Int64"
  case uint = "UInt"
  case uint8 = "UInt8"
  case uint16 = "UInt16"
  case uint32 = "UInt32"
  case uint64 = "UInt64"
  case double = "Double"
  case float = "Float"
  case data = "Data"
  case date = "Date"
  case url = "URL"
  case uuid = "UUID"
  case decimal = "Decimal"
}

/// A default, checked against its type. Text forms are canonical, so that the emitter only escapes and writes them.
package enum DefaultValue: Hashable, Sendable {
  case string(String)
  case bool(Bool)
  /// Decimal digits, with `-` in front of a negative number, within the range of the type.
  case integer(String)
  /// A literal that Swift takes for a Double.
  case floating(String)
  case data([UInt8])
  /// Seconds since 1970-01-01T00:00:00Z, and the RFC 3339 text.
  case date(seconds: Double, text: String)
  case url(String)
  /// Upper case, as `UUID.uuidString` writes it.
  case uuid(String)
  /// A literal that `Decimal(string:)` takes.
  case decimal(String)
  case enumCase(String)
  case list([DefaultValue])
  case map([Entry])
  /// An expression of the app's own: a dotted path.
  case swift(SwiftName)

  package struct Entry: Hashable, Sendable {
    package var key: DefaultValue
    package var value: DefaultValue

    package init(key: DefaultValue, value: DefaultValue) {
      self.key = key
      self.value = value
    }
  }
}

/// One key, or one family of keys.
///
/// An immutable class with the equality of a value: it has some twenty references in it, and every stage looks at each
/// of ten thousand. The line does not count in a comparison.
package final class ResolvedKey: Sendable, Hashable {
  package let line: Int
  /// The name of the catalog that declares it.
  package let catalog: String
  package let access: AccessLevel
  package let type: ValueType
  package let defaultValue: DefaultValue?
  /// The declaration as audits show it: member, stored name, domain, security and so on.
  package let descriptor: StorageKeyDescriptor
  /// Empty in a plain key.
  package let parameters: [Parameter]
  /// The stored name of a family in parts, in order; empty in a plain key.
  package let nameParts: [NamePart]
  /// The serializer's type where it is the app's own.
  package let customSerializer: SwiftName?
  package let migration: ResolvedMigration?
  package let deprecation: Deprecation?
  /// The meaning for the privacy manifest, if the catalog says one.
  package let privacy: ResolvedPrivacy?
  /// The review of its protection, if the catalog says one.
  package let review: ResolvedReview?
  /// From each earlier schema to the one after it, from the first on.
  package let upgrades: [Upgrade]
  /// The smaller form that the watch gets.
  package let watchRepresentation: WatchRepresentation?

  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var type: ParameterType

    package init(name: String, type: ParameterType) {
      self.name = name
      self.type = type
    }
  }

  package enum ParameterType: Sendable, Hashable {
    case string, int, uuid
    /// An enum of `types:`, by its name.
    case enumeration(String)
  }

  package enum NamePart: Sendable, Hashable {
    case text(String)
    case parameter(String)
  }

  /// A smaller type, and the function that makes it of the key's.
  package struct WatchRepresentation: Sendable, Hashable {
    @NotCompared package var line: Int
    package var type: ValueType
    package var transform: SwiftName
    /// The key's own where that writes any type, else JSON; unless it says another.
    package var serializer: SerializerKind?
    /// The schema of the watch's key that the type is of.
    package var schema: Int
  }

  package struct Deprecation: Sendable, Hashable {
    package var reason: String
    package var renamedTo: String?

    package init(reason: String, renamedTo: String?) {
      self.reason = reason
      self.renamedTo = renamedTo
    }
  }

  package struct Upgrade: Sendable, Hashable {
    @NotCompared package var line: Int
    package var transform: SwiftName

    package init(line: Int, transform: SwiftName) {
      self.line = line
      self.transform = transform
    }
  }

  package init(
    line: Int, catalog: String = "", access: AccessLevel, type: ValueType, defaultValue: DefaultValue?,
    descriptor: StorageKeyDescriptor, parameters: [Parameter] = [], nameParts: [NamePart] = [],
    customSerializer: SwiftName? = nil, migration: ResolvedMigration? = nil, deprecation: Deprecation? = nil,
    privacy: ResolvedPrivacy? = nil, review: ResolvedReview? = nil, upgrades: [Upgrade] = [],
    watchRepresentation: WatchRepresentation? = nil
  ) {
    self.line = line
    self.catalog = catalog
    self.access = access
    self.type = type
    self.defaultValue = defaultValue
    self.descriptor = descriptor
    self.parameters = parameters
    self.nameParts = nameParts
    self.customSerializer = customSerializer
    self.migration = migration
    self.deprecation = deprecation
    self.privacy = privacy
    self.review = review
    self.upgrades = upgrades
    self.watchRepresentation = watchRepresentation
  }

  /// The same key with what it replaces, which is known once all keys are.
  package func migrated(by migration: ResolvedMigration, inWords text: String) -> ResolvedKey {
    var descriptor = descriptor
    descriptor.migration = text
    return ResolvedKey(
      line: line, catalog: catalog, access: access, type: type, defaultValue: defaultValue, descriptor: descriptor,
      parameters: parameters, nameParts: nameParts, customSerializer: customSerializer, migration: migration,
      deprecation: deprecation, privacy: privacy, review: review, upgrades: upgrades,
      watchRepresentation: watchRepresentation)
  }

  package static func == (left: ResolvedKey, right: ResolvedKey) -> Bool {
    left === right
      || left.descriptor == right.descriptor && left.catalog == right.catalog && left.access == right.access
        && left.type == right.type && left.defaultValue == right.defaultValue && left.parameters == right.parameters
        && left.nameParts == right.nameParts && left.customSerializer == right.customSerializer
        && left.migration == right.migration && left.deprecation == right.deprecation
        && left.privacy == right.privacy && left.review == right.review && left.upgrades == right.upgrades
        && left.watchRepresentation == right.watchRepresentation
  }

  /// A member is declared once in a run.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(descriptor.member)
    hasher.combine(descriptor.name)
  }
}

/// A name that was used once.
package struct ResolvedReservedName: Sendable, Hashable {
  package var name: String
  package var domain: StorageDomain
  package var deletesLeftovers: Bool
  package var note: String?

  package init(name: String, domain: StorageDomain, deletesLeftovers: Bool, note: String?) {
    self.name = name
    self.domain = domain
    self.deletesLeftovers = deletesLeftovers
    self.note = note
  }
}
