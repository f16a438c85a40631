package import LocalDataVocabulary

/// A store of another library, or a legacy key, whose rows become records: a source of `sources:`.
package struct ResolvedSource: Sendable, Hashable {
  /// The name in the catalog.
  package var member: String
  @NotCompared package var line: Int
  package var description: String
  package var content: Content
  /// The type of the app that transforms values.
  package var using: SwiftName?
  /// A Boolean value that indicates whether the source may be removed after the import.
  package var isExclusive: Bool

  package enum Content: Sendable, Hashable {
    case file(File)
    /// The member of a legacy key, and the type of the elements of its list.
    case key(member: String, element: ValueType)
  }

  package struct File: Sendable, Hashable {
    package var directory: ForeignDirectory
    package var group: Group?
    package var path: String
    package var form: Form
    package var dates: DateForm

    package init(directory: ForeignDirectory, group: Group?, path: String, form: Form, dates: DateForm) {
      self.directory = directory
      self.group = group
      self.path = path
      self.form = form
      self.dates = dates
    }
  }

  /// An app group; without an identifier the configured one.
  package struct Group: Sendable, Hashable {
    package var identifier: String?

    package init(identifier: String?) { self.identifier = identifier }
  }

  package enum Form: String, Sendable, Hashable, CaseIterable {
    case coreData, sqlite
  }

  package init(
    member: String, line: Int, description: String, content: Content, using: SwiftName?, isExclusive: Bool
  ) {
    self.member = member
    self.line = line
    self.description = description
    self.content = content
    self.using = using
    self.isExclusive = isExclusive
  }
}

/// The import of a record from a source.
package struct ResolvedImport: Sendable, Hashable {
  /// The source in the catalog.
  package var source: String
  @NotCompared package var line: Int
  /// The source itself, which another catalog of the run may declare; nil if the record was not read with its run.
  @NotCompared package var home: ResolvedSource?
  /// The entity or the table. It is empty for a list.
  package var table: String
  /// The function from an element of a list to the record.
  package var transform: SwiftName?
  /// The fields that are imported, in the order of the record.
  package var fields: [Field]

  package struct Field: Sendable, Hashable {
    package var name: String
    package var origin: Origin

    package init(name: String, origin: Origin) {
      self.name = name
      self.origin = origin
    }
  }

  package enum Origin: Sendable, Hashable {
    case rowID
    case column(Column)
    /// A column of the row of another table that a column refers to; without a column the number of that row.
    case parent(reference: String, table: String, column: Column?)
    case children(name: String, inverse: String?, table: String, fields: [Child])
  }

  package struct Child: Sendable, Hashable {
    package var name: String
    package var column: Column

    package init(name: String, column: Column) {
      self.name = name
      self.column = column
    }
  }

  package struct Column: Sendable, Hashable {
    /// The name in SQL.
    package var name: String
    package var type: ValueType?
    package var transform: SwiftName?
    package var isExternal = false

    package init(name: String) { self.name = name }
  }

  package init(source: String, line: Int, table: String, transform: SwiftName?, fields: [Field]) {
    self.source = source
    self.line = line
    self.table = table
    self.transform = transform
    self.fields = fields
  }
}
