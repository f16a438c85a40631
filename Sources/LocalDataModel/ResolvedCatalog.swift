// The words of catalogs: most files of this target and of those that use it need them.
@_exported public import LocalDataAudit
package import LocalDataVocabulary

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
  package var sources: [ResolvedSource] = []
  package var backupFiles: [ResolvedBackupFile]
  package var unmanaged: [ResolvedUnmanaged] = []
  /// The backups of all catalogs of the run, which may contain keys and records of this one.
  @NotCompared package var backupFilesOfRun: [ResolvedBackupFile] = []
  /// The findings that the keys and the records accept.
  @NotCompared package var allowances: [Allowance]

  package init(
    name: String, path: String, baseName: String, access: AccessLevel, imports: [String], types: [ResolvedType],
    keys: [ResolvedKey], reserved: [ResolvedReservedName], databases: [ResolvedDatabase] = [],
    records: [ResolvedRecord] = [], reservedRecords: [ResolvedReservedRecord] = [],
    backupFiles: [ResolvedBackupFile] = [], allowances: [Allowance] = []
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
    self.backupFiles = backupFiles
    self.allowances = allowances
  }
}

extension ResolvedCatalog {
  /// The name of the YAML file without its folder. It does not depend on the folder in which the tool was started.
  package var sourceName: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

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

/// A property that does not count when values are compared, for example the line on which a value is declared.
@propertyWrapper
package struct NotCompared<Value: Sendable>: Sendable, Hashable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package static func == (left: NotCompared, right: NotCompared) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
