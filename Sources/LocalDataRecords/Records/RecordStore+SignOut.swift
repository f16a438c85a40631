import LocalData
import LocalDataShapes
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary

/// The removal of rows at a sign-out.
extension RecordStore {
  /// Removes the rows of a scope: all rows, those of records that a sign-out does not leave, or those of some parameters.
  func remove(_ scope: RemovalScope) async throws(StorageError) {
    if let parameters = scope.parameters { return try await remove(where: parameters) }
    let kept = scope.includesKept ? [] : declaration.records().filter { $0.signOut?.isKept == true }
    if kept.isEmpty { return try await removeEverything() }
    // Nothing is stored, and nothing is to be moved here or noted.
    if move == nil, opener == nil, try await !exists() { return }
    let names = Set(kept.map(\.name))
    let notes = opener?.notesOfRemoval(besides: names) ?? [:]
    // The rows of kept records are imported before their source is removed. What an import would add to other records is removed
    // as well, so it need not be imported first. If the import fails, its source stays.
    var failure: StorageError?
    if let opener, !opener.isDone, notes.count < opener.notesOfRemoval(besides: []).count {
      do throws(StorageError) { try await opener.open(self) } catch { failure = error }
    }
    let noted = failure == nil ? notes : [:]
    try await onThread(call, isWriting: true) { [self] (sealer) throws(StorageProblem) in
      try commit(sealer) { (session) throws(StorageProblem) in
        try session.removeRows(besides: names)
        try session.note(noted)
      }
    }
    try await onFile { (file) throws(StorageProblem) in try file.emptyLog() }
    if let failure { throw failure }
    try await opener?.endRemoval(self)
  }

  /// Removes the rows that have parameters in the fields that `signOut` names.
  private func remove(where parameters: [String: RemovalScope.Parameter]) async throws(StorageError) {
    guard parameters.count == 1, let (name, parameter) = parameters.first else { return }
    let records = declaration.records().filter { $0.signOut?.field(of: name) != nil }
    if records.isEmpty { return }
    // Nothing is stored, and nothing is to be moved here or imported.
    if move == nil, opener == nil, try await !exists() { return }
    try await write(call) { (session) throws(StorageProblem) in
      // Rows that keep others from being deleted go first.
      for table in session.tables.shape.childrenFirst {
        for record in records where record.name == table { try session.removeRows(of: record, name, parameter) }
      }
    }
    try await onFile { (file) throws(StorageProblem) in try file.emptyLog() }
  }

  private var call: RecordCall { RecordCall(subject: declaration.call.subject, usesKeys: false) }
}

extension RecordDeclaration.SignOut {
  fileprivate var isKept: Bool { if case .keep = self { true } else { false } }

  fileprivate func field(of parameter: String) -> Int? {
    if case .by(parameter, let number) = self { number } else { nil }
  }
}

extension RecordSession {
  /// Removes the rows of all records of the file but some, also those of records that only another release declares.
  fileprivate func removeRows(besides kept: Set<String>) throws(StorageProblem) {
    for name in tables.shape.childrenFirst where !kept.contains(name) {
      let table = "main." + RecordShape.quoted(name)
      for statement in tables.shape.leafDeletions(name) {
        // Rows to which others of the record refer follow when these are gone.
        while try delete(name, statement, []) > 0 {}
      }
      _ = try delete(name, "DELETE FROM \(table)", [])
      note(name, .byApp)
    }
  }

  fileprivate func note(_ notes: [String: String]) throws(StorageProblem) {
    let connection = try use(changing: true)
    for (name, value) in notes {
      try connection.run("INSERT OR REPLACE INTO local_data VALUES (?, ?)", [.text(name), .text(value)])
    }
  }

  fileprivate func removeRows(
    of record: RecordDeclaration, _ name: String, _ parameter: RemovalScope.Parameter
  ) throws(StorageProblem) {
    guard let number = record.signOut?.field(of: name),
      let position = record.columns.firstIndex(where: { $0.number == number }),
      let value = parameter.value(as: record.columns[position].storage)
    else { return }
    let statements = try statements(record)
    let column = RecordShape.quoted(statements.columns[position])
    var condition = "\(column) = ?"
    // The text of a UUID may be in upper or in lower case.
    if case .text = record.columns[position].storage, parameter.uuid != nil {
      condition = "lower(\(column)) = lower(?)"
    }
    var isChanged = false
    for statement in tables.shape.leafDeletions(record.name) {
      // Rows to which others of the record refer follow when these are gone.
      while try delete(record.name, "\(statement) AND \(condition)", [value]) > 0 { isChanged = true }
    }
    if try delete(record.name, "DELETE FROM \(statements.table) WHERE \(condition)", [value]) > 0 { isChanged = true }
    if isChanged { note(record.name, .byApp) }
  }
}

extension RemovalScope.Parameter {
  /// Returns the value in a column; nil if no row can have it.
  fileprivate func value(as storage: RecordDeclaration.Storage) -> SQLiteValue? {
    switch storage {
    case .text: .text(text)
    case .integer: Int64(text).map { .integer($0) }
    case .blob: uuid.map { .uuid($0) }
    case .real, .blindIndex, .sealed: nil
    }
  }
}

extension RecordShape {
  /// The names of the records, each after those whose rows keep its rows from being deleted.
  fileprivate var childrenFirst: [String] {
    var ordered = [String]()
    var rest = records.keys.sorted()
    while !rest.isEmpty {
      let index = rest.firstIndex { parent in
        !rest.contains { child in child != parent && refers(child, to: parent) }
      }
      ordered.append(rest.remove(at: index ?? 0))
    }
    return ordered
  }

  private func refers(_ child: String, to parent: String) -> Bool {
    records[child]?.references.values.contains { $0.record == parent && $0.onDelete == .restrict } == true
  }

  /// Returns statements that delete the rows to which no other row of the record refers, for each field by which rows keep others.
  fileprivate func leafDeletions(_ name: String) -> [String] {
    guard let record = records[name], refers(name, to: name), let key = record.columns[record.key]?.name else {
      return []
    }
    let table = "main." + Self.quoted(name)
    let fields = record.references.filter { $0.value.record == name && $0.value.onDelete == .restrict }.keys.sorted()
    let referred = fields.compactMap { record.columns[$0]?.name }.map {
      "\(Self.quoted(key)) NOT IN (SELECT \(Self.quoted($0)) FROM \(table) WHERE \(Self.quoted($0)) IS NOT NULL)"
    }
    return ["DELETE FROM \(table) WHERE \(referred.joined(separator: " AND "))"]
  }
}
