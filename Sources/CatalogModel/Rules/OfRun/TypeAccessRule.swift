import CatalogSyntax
import StorageVocabulary

/// Checks that the fields of a struct or a record have types that are at least as visible as the struct. The rule itself is
/// declared with those of the decoder, which checks it for keys.
struct TypeAccessRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for declared in run.context.types.all {
      guard case .structure(let fields) = declared.form, declared.access != .internal else { continue }
      let node = declared.body.value(of: "fields")
      for field in fields {
        run.context.types.checkAccess(
          declared.access, of: field.type, what: "the struct '\(declared.name)'",
          at: node?.value(of: field.name) ?? declared.node, &findings)
      }
    }
    for record in run.records.all { findings.about(record) { check(record, run, &$0) } }
  }

  private func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    let what = "the record '\(record.name)'"
    for field in record.fields {
      guard let type = field.type else { continue }
      run.context.types.checkAccess(record.access, of: type, what: what, at: field.place(of: "type"), &findings)
    }
    guard let database = record.database.flatMap(run.records.database), database.access.rank < record.access.rank else {
      return
    }
    findings.report(
      .typeAccess, "\(what) is \(record.access.text), its database is \(database.access.text)", at: record.node,
      help: "write `access: \(record.access.text)` at the database, or less access here",
      notes: [.init("the database", at: database.member.place)])
  }
}
