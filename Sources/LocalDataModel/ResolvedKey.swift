package import LocalDataVocabulary

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
  /// What few keys declare; nil if the key declares none of it.
  private let extras: Extras?

  private var extrasOrNone: Extras.Values { extras?.values ?? Extras.Values() }

  /// The serializer's type where it is the app's own.
  package var customSerializer: SwiftName? { extras?.values.customSerializer }
  package var migration: ResolvedMigration? { extras?.values.migration }
  package var deprecation: Deprecation? { extras?.values.deprecation }
  /// The meaning for the privacy manifest, if the catalog says one.
  package var privacy: ResolvedPrivacy? { extras?.values.privacy }
  /// The review of its protection, if the catalog says one.
  package var review: ResolvedReview? { extras?.values.review }
  /// From each earlier schema to the one after it, from the first on.
  package var upgrades: [Upgrade] { extras?.values.upgrades ?? [] }
  /// The smaller form that the watch gets.
  package var watchRepresentation: WatchRepresentation? { extras?.values.watchRepresentation }
  /// The further forms that a read accepts, in order.
  package var reads: [ReadForm] { extras?.values.reads ?? [] }
  /// The keys that take a part of the value of this legacy key.
  package var parts: [ResolvedMigration.Part] { extras?.values.parts ?? [] }
  /// A Boolean value that indicates whether records are made from the elements of this legacy key.
  package var isImported: Bool { extras?.values.isImported ?? false }
  /// The values that can be set; nil for all of the type.
  package var valid: ValidValues? { extras?.values.valid }
  /// The title and the tags.
  package var labels: DeclarationLabels { extras?.values.labels ?? DeclarationLabels() }

  /// What few keys declare. It is an object, because it takes as much memory as the rest of a key.
  private final class Extras: Sendable {
    struct Values: Sendable, Hashable {
      var customSerializer: SwiftName?
      var migration: ResolvedMigration?
      var deprecation: Deprecation?
      var privacy: ResolvedPrivacy?
      var review: ResolvedReview?
      var upgrades: [Upgrade] = []
      var watchRepresentation: WatchRepresentation?
      var reads: [ReadForm] = []
      var parts: [ResolvedMigration.Part] = []
      var isImported = false
      var valid: ValidValues?
      var labels = DeclarationLabels()
    }

    let values: Values

    init(_ values: Values) { self.values = values }
  }

  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var type: ParameterType
    package var encoding: ParameterEncoding

    package init(name: String, type: ParameterType, encoding: ParameterEncoding = .escaped) {
      self.name = name
      self.type = type
      self.encoding = encoding
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

  /// A further form that a read accepts.
  package struct ReadForm: Sendable, Hashable {
    @NotCompared package var line: Int
    package var type: ValueType
    package var serializer: SerializerKind
    /// The form of dates; nil if it is the serializer's.
    package var dates: DateForm?
    /// Makes the value of the key; nil if the library does.
    package var transform: SwiftName?
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
    watchRepresentation: WatchRepresentation? = nil, reads: [ReadForm] = [],
    parts: [ResolvedMigration.Part] = [], isImported: Bool = false, valid: ValidValues? = nil,
    labels: DeclarationLabels = DeclarationLabels()
  ) {
    self.line = line
    self.catalog = catalog
    self.access = access
    self.type = type
    self.defaultValue = defaultValue
    self.descriptor = descriptor
    self.parameters = parameters
    self.nameParts = nameParts
    let isOrdinary =
      customSerializer == nil && migration == nil && deprecation == nil && privacy == nil && review == nil
      && upgrades.isEmpty && watchRepresentation == nil && reads.isEmpty && parts.isEmpty && !isImported && valid == nil
      && labels.title == nil && labels.tags.isEmpty
    extras =
      isOrdinary
      ? nil
      : Extras(
        Extras.Values(
          customSerializer: customSerializer, migration: migration, deprecation: deprecation, privacy: privacy,
          review: review, upgrades: upgrades, watchRepresentation: watchRepresentation, reads: reads, parts: parts,
          isImported: isImported, valid: valid, labels: labels))
  }

  /// Creates a copy of a key with other extras.
  private init(_ key: ResolvedKey, _ descriptor: StorageKeyDescriptor, change: (inout Extras.Values) -> Void) {
    line = key.line
    catalog = key.catalog
    access = key.access
    type = key.type
    defaultValue = key.defaultValue
    self.descriptor = descriptor
    parameters = key.parameters
    nameParts = key.nameParts
    var values = key.extrasOrNone
    change(&values)
    extras = Extras(values)
  }

  /// The same key with what it replaces, which is known once all keys are.
  package func migrated(by migration: ResolvedMigration, inWords text: String) -> ResolvedKey {
    var descriptor = descriptor
    descriptor.migration = text
    return ResolvedKey(self, descriptor) { $0.migration = migration }
  }

  /// The same legacy key with the keys that take parts of its value, which are known once all keys are.
  func shared(by parts: [ResolvedMigration.Part]) -> ResolvedKey {
    ResolvedKey(self, descriptor) { $0.parts = parts }
  }

  /// The same legacy key, from whose elements records are made.
  func imported() -> ResolvedKey { ResolvedKey(self, descriptor) { $0.isImported = true } }

  package static func == (left: ResolvedKey, right: ResolvedKey) -> Bool {
    left === right
      || left.descriptor == right.descriptor && left.catalog == right.catalog && left.access == right.access
        && left.type == right.type && left.defaultValue == right.defaultValue && left.parameters == right.parameters
        && left.nameParts == right.nameParts && left.extrasOrNone == right.extrasOrNone
  }

  /// A member is declared once in a run.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(descriptor.member)
    hasher.combine(descriptor.name)
  }
}

extension Sequence where Element == ResolvedKey.Parameter {
  /// The stored name of a family as the runtime takes it: `{+id}` for a verbatim parameter, `{/id}` in a path, and `{+id:UUID}` for
  /// a verbatim UUID.
  package func runtimeName(_ name: String, in domain: StorageDomain) -> String {
    reduce(name) { name, parameter in
      guard parameter.encoding == .verbatim else { return name }
      let isUUID = parameter.type == .uuid
      let marked = "{\(domain.isExact && !isUUID ? "/" : "+")\(parameter.name)\(isUUID ? ":UUID" : "")}"
      return name.replacing("{\(parameter.name)}", with: marked)
    }
  }
}

extension StorageDomain {
  /// A Boolean value that indicates whether the stored name is the path of a file.
  package var isExact: Bool { directory?.exact != nil }
}
