package import StorageVocabulary

/// Everything that the emitters see of a run: checked, complete, in the order of the text.
package struct ResolvedCatalog: Sendable {
  /// The name of the catalog, without `Catalog` behind it.
  package var name: String
  /// The path of its YAML as the user gave it.
  package var path: String
  /// The name of its outputs: the file's name without folder, `.catalog` and `.yaml`.
  package var baseName: String
  package var access: AccessLevel
  /// Modules to import, sorted, without those that are always there.
  package var imports: [String]
  package var types: [ResolvedType]
  package var keys: [ResolvedKey]
  package var reserved: [ResolvedReservedName]

  package init(
    name: String, path: String, baseName: String, access: AccessLevel, imports: [String], types: [ResolvedType],
    keys: [ResolvedKey], reserved: [ResolvedReservedName]
  ) {
    self.name = name
    self.path = path
    self.baseName = baseName
    self.access = access
    self.imports = imports
    self.types = types
    self.keys = keys
    self.reserved = reserved
  }
}

package enum AccessLevel: String, Sendable, CaseIterable {
  case `public`, package, `internal`
}

/// A type of `types:`.
package struct ResolvedType: Sendable {
  package var name: String
  package var description: String
  package var line: Int
  package var form: Form

  package enum Form: Sendable {
    case stringEnum([EnumCase<String>])
    case intEnum([EnumCase<Int>])
    case structure([Field])
    /// The app's own type; nothing is emitted for it.
    case swift(SwiftName)
  }

  package struct EnumCase<Raw: Sendable>: Sendable {
    package var name: String
    package var raw: Raw
    package var description: String?

    package init(name: String, raw: Raw, description: String?) {
      self.name = name
      self.raw = raw
      self.description = description
    }
  }

  package struct Field: Sendable {
    package var name: String
    package var type: ValueType
    package var defaultValue: DefaultValue?
    package var description: String?

    package init(name: String, type: ValueType, defaultValue: DefaultValue?, description: String?) {
      self.name = name
      self.type = type
      self.defaultValue = defaultValue
      self.description = description
    }
  }

  package init(name: String, description: String, line: Int, form: Form) {
    self.name = name
    self.description = description
    self.line = line
    self.form = form
  }
}

/// A dotted path in Swift: `AccountModels.Profile`, or `Badge` where the type stands beside the generated code.
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
/// A class, since it has some twenty references in it, and every stage looks at each of ten thousand.
package final class ResolvedKey: Sendable {
  package let line: Int
  package let access: AccessLevel
  package let type: ValueType
  package let defaultValue: DefaultValue?
  /// What the audit says; the member, stored name, domain, security and so on stand here and nowhere twice.
  package let descriptor: StorageKeyDescriptor
  /// Empty in a plain key.
  package let parameters: [Parameter]
  /// The stored name of a family in parts, in order; empty in a plain key.
  package let nameParts: [NamePart]
  /// The serializer's type where it is the app's own.
  package let customSerializer: SwiftName?
  package let migration: ResolvedMigration?
  package let deprecation: Deprecation?
  /// What it means for the privacy manifest, where the catalog says so.
  package let privacy: ResolvedPrivacy?
  /// From each earlier schema to the one after it, from the first on.
  package let upgrades: [Upgrade]
  /// The smaller form that the watch gets.
  package let watchRepresentation: WatchRepresentation?

  package struct Parameter: Sendable {
    package var name: String
    package var type: ParameterType

    package init(name: String, type: ParameterType) {
      self.name = name
      self.type = type
    }
  }

  package enum ParameterType: Sendable {
    case string, int, uuid
    /// An enum of `types:`, by its name.
    case enumeration(String)
  }

  package enum NamePart: Sendable {
    case text(String)
    case parameter(String)
  }

  /// A smaller type, and the function that makes it of the key's.
  package struct WatchRepresentation: Sendable {
    package var line: Int
    package var type: ValueType
    package var transform: SwiftName
    /// The key's own where that writes any type, else JSON; unless it says another.
    package var serializer: SerializerKind?
    /// The schema of the watch's key that the type is of.
    package var schema: Int
  }

  package struct Deprecation: Sendable {
    package var reason: String
    package var renamedTo: String?

    package init(reason: String, renamedTo: String?) {
      self.reason = reason
      self.renamedTo = renamedTo
    }
  }

  package struct Upgrade: Sendable {
    package var line: Int
    package var transform: SwiftName

    package init(line: Int, transform: SwiftName) {
      self.line = line
      self.transform = transform
    }
  }

  package init(
    line: Int, access: AccessLevel, type: ValueType, defaultValue: DefaultValue?, descriptor: StorageKeyDescriptor,
    parameters: [Parameter] = [], nameParts: [NamePart] = [], customSerializer: SwiftName? = nil,
    migration: ResolvedMigration? = nil, deprecation: Deprecation? = nil, privacy: ResolvedPrivacy? = nil,
    upgrades: [Upgrade] = [], watchRepresentation: WatchRepresentation? = nil
  ) {
    self.line = line
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
    self.upgrades = upgrades
    self.watchRepresentation = watchRepresentation
  }

  /// The same key with what it replaces, which is known once all keys are.
  package func migrated(by migration: ResolvedMigration, inWords text: String) -> ResolvedKey {
    var descriptor = descriptor
    descriptor.migration = text
    return ResolvedKey(
      line: line, access: access, type: type, defaultValue: defaultValue, descriptor: descriptor,
      parameters: parameters, nameParts: nameParts, customSerializer: customSerializer, migration: migration,
      deprecation: deprecation, privacy: privacy, upgrades: upgrades, watchRepresentation: watchRepresentation)
  }
}

/// A name that was used once.
package struct ResolvedReservedName: Sendable {
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
