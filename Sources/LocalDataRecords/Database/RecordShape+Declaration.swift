package import LocalDataShapes
import LocalDataFoundation
package import LocalDataSystem

extension RecordShape {
  /// The shape that a release declares.
  package init(_ declarations: [RecordDeclaration]) {
    self.init(records: [:])
    for declaration in declarations { records[declaration.name] = Record(declaration) }
  }

  /// Creates the shape that a database records.
  ///
  /// - Throws: ``StorageProblem/databaseDamaged`` if the text is none, and ``StorageProblem/unknownFormatVersion`` if it has a newer
  ///   format.
  package init(json text: String) throws(StorageProblem) {
    struct Format: Decodable { var format: Int }
    let data = Data(text.utf8)
    do {
      guard try JSONDecoder().decode(Format.self, from: data).format == Self.currentFormat else {
        throw StorageProblem.unknownFormatVersion
      }
      self = try JSONDecoder().decode(RecordShape.self, from: data)
      // A column is defined by these texts.
      guard records.values.allSatisfy({ $0.columns.values.allSatisfy(\.isSound) }) else {
        throw StorageProblem.databaseDamaged
      }
    } catch { throw error as? StorageProblem ?? .databaseDamaged }
  }

  /// The JSON that a database records. Equal shapes have equal texts.
  package var json: String {
    get throws(StorageProblem) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do { return String(decoding: try encoder.encode(self), as: UTF8.self) } catch { throw .cannotEncode }
    }
  }
}

extension RecordShape.Record {
  init(_ declaration: RecordDeclaration) {
    self.init(key: declaration.key, columns: [:])
    for column in declaration.columns {
      columns[column.number] = .init(column.name, column.storage.type, default: column.defaultValue)
      wire[column.number] = column.wireType
      references[column.number] = column.references.map { .init($0, column.onDelete) }
    }
    for field in declaration.sealed { sealed[field.number] = field.type }
    let plain = declaration.columns.filter { $0.storage.isOfField && !$0.isOptional && $0.defaultValue == nil }
    let sealed = declaration.sealed.filter(\.isRequired).map(\.number) + (columns[0] == nil ? [] : [0])
    required = (plain.map(\.number) + sealed).inOrder
    for number in declaration.reserved { reserved[number.number] = number.deletesValues ? .delete : .keep }
    unique = RecordShape.inOrder(declaration.unique)
    // A unique index serves the queries of the other one.
    indexes = RecordShape.inOrder(declaration.indexes.filter { !declaration.unique.contains($0) })
    for index in declaration.keepFirst { existing[index] = .keepFirst }
    for index in declaration.keepLast { existing[index] = .keepLast }
    for index in declaration.cascading { existing[index]?.cascades = true }
    for transform in declaration.transforms {
      sources[transform.number, default: []].append(transform.sources.map { .init($0) })
    }
  }
}

extension RecordShape.Source {
  fileprivate init(_ source: RecordTransform.Source) {
    self.init(source.number, column: source.storage?.type, type: source.type, isOptional: source.isOptional)
  }
}

extension RecordDeclaration.Storage {
  /// The type in SQL.
  fileprivate var type: String {
    switch self {
    case .text: "TEXT"
    case .integer, .blindIndex: "INTEGER"
    case .real: "REAL"
    case .blob, .sealed: "BLOB"
    }
  }

  /// A Boolean value that indicates whether the column contains the value of a field.
  package var isOfField: Bool {
    switch self {
    case .text, .integer, .real, .blob: true
    case .blindIndex, .sealed: false
    }
  }
}
