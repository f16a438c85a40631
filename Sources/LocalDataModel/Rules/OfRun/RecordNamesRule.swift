import LocalDataSyntax
import LocalDataVocabulary

/// Checks that databases and records of a run have names and addresses of their own. The rules are declared with those
/// of types and keys.
struct RecordNamesRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    checkTypes(run, &findings)
    checkMembers(run, &findings)
    checkDatabases(run, &findings)
    checkTables(run, &findings)
  }

  /// Types, catalogs, databases and records are emitted as types of one module.
  private func checkTypes(_ run: CatalogRun, _ findings: inout Findings) {
    var first: [String: SyntaxNode] = [:]
    for declared in run.context.types.all { first[declared.name] = declared.node }
    for document in run.documents {
      if let node = document.header.nameNode { first[document.header.name + "Catalog"] = node }
    }
    func add(_ name: String, _ node: SyntaxNode, _ what: String, _ findings: inout Findings) {
      if let earlier = first[name] {
        let other = earlier.text == name ? "another type" : "the type that is emitted for '\(earlier.text)'"
        findings.report(
          .duplicateType, "\(what) has the name of \(other)", at: node,
          help: "rename one of the two; `name` keeps a stored name", notes: [.init("the other one", at: earlier.place)])
      } else {
        first[name] = node
      }
    }
    for database in run.records.databases {
      add(
        database.typeName, database.member,
        "the type '\(database.typeName)' of the database '\(database.member.text)'", &findings)
    }
    for record in run.records.all {
      findings.about(record) { add(record.name, record.node, "the record '\(record.name)'", &$0) }
    }
  }

  private func checkMembers(_ run: CatalogRun, _ findings: inout Findings) {
    var first: [String: DecodedRecord] = [:]
    for record in run.records.all {
      guard let member = record.member else { continue }
      guard let earlier = first[member] else {
        first[member] = record
        continue
      }
      findings.about(record) {
        $0.report(
          .duplicateMember, "'\(earlier.name)' and '\(record.name)' have the same member of the router, '\(member)'",
          at: record.draft.memberNode ?? record.node, help: "write another `member` at one of the two",
          notes: [.init("the first one", at: earlier.node.place)])
      }
    }
  }

  private func checkDatabases(_ run: CatalogRun, _ findings: inout Findings) {
    var first: [StoredPlace: DecodedDatabase] = [:]
    for database in run.records.databases {
      guard let domain = database.draft.domain else { continue }
      let place = StoredPlace(domain, name: database.storedName)
      guard let earlier = first[place] else {
        first[place] = database
        continue
      }
      findings.report(
        .samePlace, "the databases '\(earlier.member.text)' and '\(database.member.text)' are stored in the same file",
        at: database.body.value(of: "name") ?? database.member, help: "give one of the two another `name` or domain",
        notes: [.init("the first one", at: earlier.member.place)])
    }
    for database in run.records.databases { checkMoves(of: database, &first, &findings) }
  }

  /// An address of an earlier release is neither that of another database nor written twice.
  private func checkMoves(
    of database: DecodedDatabase, _ first: inout [StoredPlace: DecodedDatabase], _ findings: inout Findings
  ) {
    for earlier in database.draft.movedFrom {
      guard let domain = earlier.domain, let node = earlier.node else { continue }
      let place = StoredPlace(domain, name: earlier.name ?? database.storedName)
      guard let other = first[place] else {
        first[place] = database
        continue
      }
      let isOwn = other.member.text == database.member.text
      findings.report(
        .samePlace,
        isOwn
          ? "'\(database.member.text)' is moved from its own address, or twice from the same one"
          : "'\(database.member.text)' is moved from an address of the database '\(other.member.text)'",
        at: node, help: "remove this address, or write the domain and the name of an earlier release",
        notes: isOwn ? [] : [.init("the other database", at: other.member.place)])
    }
  }

  /// Names of tables that differ only in case are one name to SQLite.
  private func checkTables(_ run: CatalogRun, _ findings: inout Findings) {
    var first: [String: DecodedRecord] = [:]
    for record in run.records.all {
      guard let database = record.database else { continue }
      let table = "\(database) \(record.storedName.lowercased())"
      guard let earlier = first[table] else {
        first[table] = record
        continue
      }
      // Two records of one name are the finding of another rule.
      guard earlier.name != record.name else { continue }
      findings.about(record) {
        $0.report(
          .samePlace,
          "the records '\(earlier.name)' and '\(record.name)' are stored in the same table of '\(database)'",
          at: record.body.value(of: "name") ?? record.node,
          help: "give one of the two another `name`; upper and lower case do not count",
          notes: [.init("the first one", at: earlier.node.place)])
      }
    }
  }
}

/// Checks that no record is stored in the table of a reserved one. The rule is declared with that of keys.
struct ReservedRecordsRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var reserved: [String: SyntaxNode] = [:]
    for each in run.documents.lazy.flatMap(\.reservedRecords) {
      let record = each.resolved.record
      let database = each.resolved.database
      guard let earlier = reserved.updateValue(each.node, forKey: Self.table(record, in: database)) else { continue }
      findings.report(
        .reservedName, "'\(record)' of '\(database)' is reserved twice", at: each.node, help: "remove one of the two",
        notes: [.init("reserved here", at: earlier.place)])
    }
    for record in run.records.all {
      guard let database = record.database, let node = reserved[Self.table(record.storedName, in: database)] else {
        continue
      }
      findings.about(record) {
        $0.report(
          .reservedName, "the stored name '\(record.storedName)' is reserved in '\(database)'",
          at: record.body.value(of: "name") ?? record.node, help: "write another `name`, which was never used",
          notes: [.init("reserved here", at: node.place)])
      }
    }
  }

  /// Names of tables that differ only in case are one name to SQLite.
  private static func table(_ record: String, in database: String) -> String { "\(database) \(record.lowercased())" }
}
