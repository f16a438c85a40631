package import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import LocalDataEmission

/// A difference of two states, as a document.
package struct DifferenceReport: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// A change log for a pull request.
    case markdown
    /// For programs.
    case json
  }

  package var changes: [Change]
  package var findings: [Finding]
  /// The statements that merge today's records into the databases of the state.
  package var merges: [MergeStatements]
  /// The state that the catalogs were compared with, in words.
  package var title: String

  package init(changes: [Change], findings: [Finding], merges: [MergeStatements] = [], title: String) {
    self.changes = changes
    self.findings = findings
    self.merges = merges
    self.title = title
  }

  package func render(_ format: Format) -> String {
    switch format {
    case .text: text
    case .markdown: markdown
    case .json: json
    }
  }

  /// `1 added, 2 changed since release 1.0`.
  package var summary: String {
    let parts = Change.Kind.allCases.compactMap { kind in
      let count = changes.count { $0.kind == kind }
      return count == 0 ? nil : "\(count) \(kind.rawValue)"
    }
    return "\(parts.isEmpty ? "no changes" : parts.joined(separator: ", ")) since \(title)"
  }

  // MARK: Text

  private var text: String {
    changes.map { change in
      let head = "\(Self.head(change))\(Self.brackets(change.classes))\n"
      return head
        + change.facts.map {
          "  \($0.path): \(Self.value($0.old)) -> \(Self.value($0.new))\(Self.brackets($0.classes))\n"
        }
        .joined()
    }.joined()
      + merges.map { merge in
        "database '\(merge.database)': the first use of a file of \(title) runs\n"
          + merge.statements.map { "  \($0)\n" }.joined()
      }.joined() + summary + "\n"
  }

  private static func head(_ change: Change) -> String {
    let what = change.subject == .reserved ? "reserved name" : change.subject.rawValue
    let origin = change.oldName.map { " from '\($0)'" } ?? ""
    return "\(change.kind.rawValue) \(what) '\(change.name)'\(origin)"
  }

  private static func value(_ value: FieldValue) -> String { value == .absent ? "(none)" : value.description }

  private static func brackets(_ classes: [ChangeClass]) -> String {
    classes.isEmpty ? "" : " [\(classes.map(\.rawValue).joined(separator: ", "))]"
  }

  // MARK: Tables

  /// One fact that changed, or a declaration as a whole.
  package struct Row: Sendable {
    package var declaration: String
    package var field = ""
    package var before = ""
    package var after = ""
  }

  /// The changes by class, and those without one at the end. A change of several classes is in each of them.
  package var sections: [(heading: String, rows: [Row])] {
    let classes = ChangeClass.allCases.map { kind in
      (heading: kind.heading, rows: Self.rows(changes.filter { $0.classes.contains(kind) }.map { $0.only(kind) }))
    }
    let rest = (heading: "Without consequences", rows: Self.rows(changes.filter(\.classes.isEmpty)))
    return (classes + [rest]).filter { !$0.rows.isEmpty }
  }

  private static func rows(_ changes: [Change]) -> [Row] {
    changes.flatMap { change in
      change.facts.isEmpty
        ? [Row(declaration: head(change))]
        : change.facts.map {
          Row(declaration: head(change), field: $0.path, before: value($0.old), after: value($0.new))
        }
    }
  }

  // MARK: Markdown

  private var markdown: String {
    var output = "## Storage catalogs\n\n\(Self.cell(summary)).\n"
    for section in sections { output += Self.section(section.heading, section.rows) }
    for merge in merges {
      output += "\n### Database \(Self.cell(merge.database))\n\nThe first use of a file of \(Self.cell(title)) runs "
      // Each statement is one line, and none begins with the sign of a fence.
      output += "in one transaction:\n\n```sql\n\(merge.statements.joined(separator: "\n"))\n```\n"
    }
    if !findings.isEmpty {
      output += "\n### To do before a release\n\n"
      for finding in findings { output += "- \(Self.cell(finding.text)): \(Self.cell(finding.help))\n" }
    }
    return output
  }

  private static func section(_ heading: String, _ rows: [Row]) -> String {
    var output = "\n### \(heading)\n\n| declaration | field | before | after |\n|---|---|---|---|\n"
    for row in rows {
      output += "| \(cell(row.declaration)) |"
      for text in [row.field, row.before, row.after] { output += text.isEmpty ? " |" : " \(cell(text)) |" }
      output += "\n"
    }
    return output
  }

  /// Text of a catalog in a cell of a table.
  private static func cell(_ text: String) -> String {
    String(decoding: OutputBuffer.collect { $0.writeMarkdown(text, in: .comment) }, as: UTF8.self)
  }

  // MARK: JSON

  private var json: String {
    typealias Entry = FieldValue.Entry
    func names(_ classes: [ChangeClass]) -> FieldValue { .list(classes.map { .text($0.rawValue) }) }
    let changes = changes.map { change in
      FieldValue.map(present: [
        Entry("subject", .text(change.subject.rawValue)), Entry("change", .text(change.kind.rawValue)),
        Entry("name", .text(change.name)), Entry("oldName", FieldValue(change.oldName)),
        Entry("catalog", .text(change.catalog)), Entry("classes", names(change.classes)),
        Entry(
          "fields",
          .list(
            change.facts.map { fact in
              .map(present: [
                Entry("field", .text(fact.path)), Entry("before", fact.old), Entry("after", fact.new),
                Entry("classes", names(fact.classes)),
              ])
            })),
      ])
    }
    let findings = findings.map { finding in
      FieldValue.map([
        Entry("rule", .text(finding.rule.id)), Entry("severity", .text(finding.rule.severity.rawValue)),
        Entry("message", .text(finding.text)), Entry("help", .text(finding.help)),
        Entry("keys", .list(finding.keys.map(FieldValue.text))),
      ])
    }
    let merges = merges.map { merge in
      FieldValue.map([
        Entry("database", .text(merge.database)), Entry("statements", .list(merge.statements.map(FieldValue.text))),
      ])
    }
    func lines(_ values: [FieldValue]) -> String {
      values.isEmpty ? "[]" : "[\n    \(values.map(SnapshotWriter.json).joined(separator: ",\n    "))\n  ]"
    }
    return """
      {
        "version": 1,
        "against": \(JSONText.quoted(title)),
        "changes": \(lines(changes)),
        "merges": \(lines(merges)),
        "findings": \(lines(findings))
      }

      """
  }
}

extension Change {
  /// The change with the facts of a class; with all of them if it is in the class as a whole.
  fileprivate func only(_ kind: ChangeClass) -> Change {
    var change = self
    let facts = facts.filter { $0.classes.contains(kind) }
    if !facts.isEmpty { change.facts = facts }
    return change
  }
}

extension ChangeClass {
  fileprivate var heading: String {
    switch self {
    case .source: "Source: Swift code has to change"
    case .storage: "Storage: stored values are lost"
    case .security: "Security: values are protected less"
    case .privacy: "Privacy: more is collected, linked, tracked or kept"
    case .sync: "Sync: values are sent to other devices, or at other times"
    case .behavior: "Behavior: users see other values"
    }
  }
}
