package import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import LocalDataShapes

/// The statements that open a database of an earlier state with today's tables, from the merge that the runtime runs.
package struct MergeStatements: Sendable {
  /// The member of the database today.
  package let database: String
  /// The statements of SQL in their order. A comment stands for a step that runs Swift on each row.
  package let statements: [String]

  /// Returns the statements for the databases that both states have, by name. A database without a statement, and one that
  /// today's catalogs cannot open, is left out: findings say why it is refused.
  package static func all(from old: CatalogState, to today: CatalogState) -> [MergeStatements] {
    old.databases.keys.sorted().compactMap { member in
      today.database(for: member, of: old).flatMap { MergeStatements(old, member, today, $0.member) }
    }
  }

  private init?(_ old: CatalogState, _ oldMember: String, _ today: CatalogState, _ member: String) {
    let records = today.records.values.filter { $0.database == member }
    let stored = RecordShape(
      of: old.records.values.filter { $0.database == oldMember }, types: old.types)
    let declared = RecordShape(of: Array(records), types: today.types)
    let merge: RecordMerge
    do throws(RecordMerge.Refusal) { merge = try stored.merging(declared) } catch { return nil }
    guard !merge.steps.isEmpty else { return nil }
    let byName = Dictionary(records.map { ($0.storedName, $0) }) { first, _ in first }
    database = member
    statements = merge.steps.map { SafeText.escaped(Self.text($0, merge.shape, byName)) }
  }

  private static func text(
    _ step: RecordMerge.Step, _ shape: RecordShape, _ records: [String: DeclaredRecord]
  ) -> String {
    switch step {
    case .transform(let name, let number, let sources):
      let record = records[name]
      let field = record?.field(number)?.name ?? String(number)
      let function = record?.function(making: number, from: sources) ?? ""
      let numbers = sources.map(String.init).joined(separator: ", ")
      return "-- in each row of \(RecordShape.quoted(name)): \(field) (\(number)) from \(numbers) by \(function)"
    case .sealRows(let name):
      return
        "-- in each row of \(RecordShape.quoted(name)): seal an empty part; a release that has no encrypted fields in it "
        + "cannot open the database from then on"
    case .deleteSealed(let name, let number):
      return "-- in each row of \(RecordShape.quoted(name)): remove \(number) from the sealed part"
    default: return shape.sql(step) + ";"
    }
  }
}

extension DeclaredRecord {
  /// The function that makes a field from earlier ones.
  fileprivate func function(making number: Int, from sources: [Int]) -> String? {
    let numbers = sources.map(String.init)
    return transformFacts(of: number).first { $0["fields"].entries.map(\.name) == numbers }?["transform"].text
  }
}
