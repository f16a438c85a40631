import LocalDataModel
import LocalDataVocabulary

/// The imports of a generated file.
///
/// A module that a public signature names is imported with `public`. Every other import has no access level: a module that
/// is imported with `internal` in one file and without a level in another is an error. So is a `package import` if imports
/// are public by default. The code for a package signature therefore asks the compiler which default it has.
struct SwiftImports {
  /// The modules with their levels. There are a few, and ten thousand keys add them again and again.
  private var levels: [(module: String, level: AccessLevel)] = []
  private let modules: Set<String>

  /// Collects the imports of a catalog. `modules` are the modules that any catalog of the run imports: a type of another
  /// catalog may be in a module that this catalog does not name.
  init(_ catalog: ResolvedCatalog, modules: Set<String>, run: RunEntries) {
    self.modules = modules
    levels = catalog.imports.map { ($0, .internal) }
    add(Self.runtime, catalog.access)
    for type in catalog.types {
      switch type.form {
      case .structure(let fields): for field in fields { add(field, catalog.access) }
      case .stringEnum, .intEnum, .swift: break
      }
    }
    // The product is not in the signature of the catalog.
    if catalog.isSynced { add(Self.sync, .internal) }
    addRecords(of: catalog, run)
    if !catalog.emittedBackupFiles.isEmpty {
      add(Self.backup, catalog.backupFiles.isEmpty ? .internal : catalog.access)
    }
    for pair in catalog.backupFiles.flatMap({ $0.privateKeys.compactMap { run.pairs[$0] } }) {
      add(Self.signing, .internal)
      for case .uuid in pair.parameters.map(\.type) { add(Self.foundation, .internal) }
    }
    for key in catalog.keys {
      add(Self.runtime, key.access)
      if key.isSigningKey { add(Self.signing, key.access) } else { add(key.type, key.access) }
      for parameter in key.parameters {
        if case .uuid = parameter.type { add(Self.foundation, key.access) }
      }
      if let value = key.defaultValue { add(value, .internal) }
      if let serializer = key.customSerializer { add(serializer, .internal) }
      for step in key.migration?.steps ?? [] { add(step.action) }
      for upgrade in key.upgrades { add(upgrade.transform, .internal) }
      for form in key.reads {
        add(form.type, .internal)
        if let transform = form.transform { add(transform, .internal) }
        if case .custom(let type) = form.serializer { add(SwiftName(type), .internal) }
      }
      if let form = key.watchRepresentation {
        add(form.type, .internal)
        add(form.transform, .internal)
        if case .custom(let type)? = form.serializer { add(SwiftName(type), .internal) }
      }
    }
  }

  private mutating func addRecords(of catalog: ResolvedCatalog, _ run: RunEntries) {
    for type in catalog.types where run.contains(type) {
      switch type.form {
      case .structure: add(Self.records, .internal)
      case .stringEnum, .intEnum: add(Self.records, catalog.access)
      case .swift: break
      }
    }
    for database in catalog.databases {
      add(Self.records, database.access)
      for record in run.records(of: database) { addImport(of: record, isDatabase: true) }
    }
    for record in catalog.records { addImport(of: record, isDatabase: false) }
    for record in catalog.records {
      add(Self.records, record.access)
      add(Self.runtime, record.access)
      for field in record.fields {
        add(field.type, record.access)
        if case .value(let value)? = field.defaultValue { add(value, record.access) }
        for transform in field.transforms {
          add(transform.function, .internal)
          for source in transform.sources { add(source.type, .internal) }
        }
      }
    }
  }

  /// The functions that read other libraries' stores are internal.
  private mutating func addImport(of record: ResolvedRecord, isDatabase: Bool) {
    guard let imported = record.imported, isDatabase || imported.transform == nil else { return }
    add(Self.imports, .internal)
    if let using = imported.home?.using { add(using, .internal) }
    if let transform = imported.transform { add(transform, .internal) }
    if case .key(_, let element)? = imported.home?.content { add(element, .internal) }
    for field in imported.fields {
      switch field.origin {
      case .rowID, .parent(_, _, nil): break
      case .column(let column), .parent(_, _, let column?): add(column)
      case .children(_, _, _, let children): for child in children { add(child.column) }
      }
    }
  }

  private mutating func add(_ column: ResolvedImport.Column) {
    if let type = column.type { add(type, .internal) }
    if let transform = column.transform { add(transform, .internal) }
  }

  private static let runtime = "\(RuntimeName.module)"
  private static let records = "\(RuntimeName.recordsModule)"
  private static let signing = "\(RuntimeName.signingModule)"
  private static let imports = "\(RuntimeName.importModule)"
  private static let backup = "\(RuntimeName.backupModule)"
  private static let sync = "\(RuntimeName.syncModule)"
  private static let foundation = "Foundation"

  private mutating func add(_ module: String, _ access: AccessLevel) {
    guard let index = levels.firstIndex(where: { $0.module == module }) else { return levels.append((module, access)) }
    if access.isWider(than: levels[index].level) { levels[index].level = access }
  }

  /// The default of a field is part of the signature of the memberwise initializer.
  private mutating func add(_ field: ResolvedType.Field, _ access: AccessLevel) {
    add(field.type, access)
    if let value = field.defaultValue { add(value, access) }
  }

  private mutating func add(_ name: SwiftName, _ access: AccessLevel) {
    if modules.contains(name.root) { add(name.root, access) }
  }

  private mutating func add(_ type: ValueType, _ access: AccessLevel) {
    switch type {
    case .scalar(.data), .scalar(.date), .scalar(.url), .scalar(.uuid), .scalar(.decimal):
      add(Self.foundation, access)
    case .scalar, .declared: break
    case .swift(let name): add(name, access)
    case .list(let element), .set(let element), .optional(let element): add(element, access)
    case .map(let key, let value):
      add(key, access)
      add(value, access)
    }
  }

  /// Migrations are in private functions, so their imports need no access level.
  private mutating func add(_ action: ResolvedMigration.Action) {
    switch action {
    case .move(let source): add(source)
    case .transform(let source, let function):
      add(source)
      add(function, .internal)
    case .aggregate(let sources, let function):
      for source in sources { add(source) }
      add(function, .internal)
    case .secureInPlace: break
    case .custom(let type): add(type, .internal)
    }
  }

  private mutating func add(_ source: ResolvedMigration.Source) {
    add(source.type, .internal)
    guard case .inline(let inline) = source, case .custom(let serializer) = inline.serializer else { return }
    add(SwiftName(serializer), .internal)
  }

  private mutating func add(_ value: DefaultValue, _ access: AccessLevel) {
    switch value {
    case .swift(let name): add(name, access)
    case .list(let elements): for element in elements { add(element, access) }
    case .map(let entries): for entry in entries { add(entry.value, access) }
    case .string, .bool, .integer, .floating, .data, .date, .url, .uuid, .decimal, .enumCase: break
    }
  }

  func write(to output: inout OutputBuffer) {
    for (module, access) in levels.sorted(by: { $0.module < $1.module }) {
      let isGenerated = [Self.runtime, Self.records, Self.signing, Self.imports, Self.backup].contains(module)
      let attribute: StaticString = isGenerated ? RuntimeName.generatedInterface : ""
      switch access {
      case .public: output.writeImport(module, attribute, "public ")
      case .internal: output.writeImport(module, attribute, "")
      case .package:
        output.write("#if hasFeature(InternalImportsByDefault)\n  ")
        output.writeImport(module, attribute, "package ")
        output.write("#else\n  ")
        output.writeImport(module, attribute, "")
        output.write("#endif\n")
      }
    }
  }
}

extension OutputBuffer {
  fileprivate mutating func writeImport(_ module: String, _ attribute: StaticString, _ access: StaticString) {
    write(attribute)
    write(access)
    write("import ")
    write(module)
    write("\n")
  }
}

extension ResolvedCatalog {
  /// A Boolean value that indicates whether a key is synced, so that the app needs the product for sync.
  var isSynced: Bool { keys.contains { $0.descriptor.syncPolicy != .never } }
}

extension AccessLevel {
  fileprivate func isWider(than other: Self) -> Bool {
    switch (self, other) {
    case (.public, .package), (.public, .internal), (.package, .internal): true
    default: false
    }
  }
}
