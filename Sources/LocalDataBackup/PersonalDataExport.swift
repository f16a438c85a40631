import LocalData
@_spi(Generated) import LocalDataRecords
import LocalDataFoundation
import LocalDataStores
import LocalDataSystem

/// The titles and the omissions that a document about the user lists besides the values.
struct PersonalData: Sendable {
  /// The titles of records and keys by the names that they have in the document.
  let titles: [String: String]
  /// The names of secrets, and of data that the document cannot have.
  let leftOut: [String]
}

extension StorageBackups {
  /// Writes everything about the user to a plain document, one database after another.
  func export(
    _ personal: PersonalData, _ export: BackupExport, _ values: [BackupExport.Value]
  ) async throws(BackupError) -> BackupFile {
    let databases = try databases(of: export.backup)
    let draft = try await blocking { () throws(BackupError) in try export.begin(personal) }
    do throws(BackupError) {
      var file = BackupFile(url: URL(fileURLWithPath: "/"), counts: [:], keys: values.count, damaged: 0, ended: 0)
      for (index, (store, types)) in databases.enumerated() {
        let isLast = index + 1 == databases.count
        let size = try await blocking { () throws(BackupError) in try export.size(of: draft) }
        // The session may begin again, for example if another process has rotated the keys.
        file = try await reading(store) { [file] (session) throws(BackupError) in
          try export.append(types, isLast: isLast, session, file, to: draft, after: size)
        }
      }
      let written = file
      return try await blocking { () throws(BackupError) in try export.end(written, values, of: draft) }
    } catch {
      draft.file.remove()
      throw error
    }
  }

  /// Returns the records of each database.
  private func databases(of backup: StorageBackup) throws(BackupError) -> [(RecordStore, [any StorageRecord.Type])] {
    var databases: [(store: RecordStore, types: [any StorageRecord.Type])] = []
    for type in backup.parentsFirst {
      let store = try store(of: type)
      if let known = databases.firstIndex(where: { $0.store === store }) {
        databases[known].types.append(type)
      } else {
        databases.append((store, [type]))
      }
    }
    return databases
  }
}

extension BackupExport {
  /// Writes the first lines of a document about the user.
  fileprivate func begin(_ personal: PersonalData) throws(BackupError) -> BackupDraft {
    try storing { () throws(StorageProblem) in
      let draft = try place.draft(backup)
      do throws(StorageProblem) { try writeBeginning(personal, to: draft) } catch {
        draft.file.remove()
        throw error
      }
      return draft
    }
  }

  private func writeBeginning(_ personal: PersonalData, to draft: BackupDraft) throws(StorageProblem) {
    let output = try BackupOutput(try draft.create(), nil)
    var line = BackupHeader.beginning(backup, "personalData", application, version, created)
    line.append(",\"schema\":\(backup.schema),\"titles\":{")
    var isFirst = true
    for (name, title) in personal.titles.sorted(by: { $0.key < $1.key }) {
      line.appendName(name, &isFirst)
      line.appendJSON(title)
    }
    line.append("},\"leftOut\":[")
    for (index, name) in personal.leftOut.enumerated() {
      if index > 0 { line.append(",") }
      line.appendJSON(name)
    }
    try output.add(line + Array("],".utf8))
    try output.add(Array("\"records\":{".utf8))
    try output.flush()
  }

  /// Appends the rows of one database.
  fileprivate func append(
    _ types: [any StorageRecord.Type], isLast: Bool, _ session: RecordSession, _ file: BackupFile,
    to draft: BackupDraft,
    after size: Int
  ) throws(BackupError) -> BackupFile {
    try storing { () throws(StorageProblem) in
      guard let schema = BackupSchema(BackupJSONReader.value(of: Array(backup.schema.utf8)[...]), isPartial: true)
      else {
        throw .cannotEncode
      }
      let output = try BackupOutput(try draft.reopen(after: size), nil)
      var file = file
      var done = file.counts.values.reduce(0, +)
      for type in types { try count(type, session, &file) }
      for (index, type) in types.enumerated() {
        try write(type, session, schema, file, &done, to: output)
        try output.add(Array((isLast && index + 1 == types.count ? "]" : "],").utf8))
      }
      try output.flush()
      return file
    }
  }

  /// Appends the values of keys and the end.
  fileprivate func end(
    _ file: BackupFile, _ values: [Value], of draft: BackupDraft
  ) throws(BackupError) -> BackupFile {
    try storing { () throws(StorageProblem) in
      let output = try BackupOutput(try draft.reopen(after: try draft.size()), nil)
      try output.add(Array("},".utf8))
      try write(values, to: output, end: "},")
      try output.add(Array("\"damaged\":\(file.damaged)}".utf8))
      try output.flush()
      var file = file
      file.url = try draft.finish()
      return file
    }
  }

  fileprivate func size(of draft: BackupDraft) throws(BackupError) -> Int {
    try storing { () throws(StorageProblem) in try draft.size() }
  }

  private func storing<Result>(_ body: () throws(StorageProblem) -> Result) throws(BackupError) -> Result {
    do throws(StorageProblem) { return try body() } catch { throw BackupError(error, of: backup.name, .write) }
  }
}
