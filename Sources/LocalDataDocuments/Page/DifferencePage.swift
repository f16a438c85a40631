/// The difference between a release and today's catalogs, as one HTML file.
package struct DifferencePage: Sendable {
  /// A declaration, or one field of it, before and after.
  package struct Row: Sendable {
    package var declaration: String
    package var field: String
    package var before: String
    package var after: String

    package init(declaration: String, field: String = "", before: String = "", after: String = "") {
      self.declaration = declaration
      self.field = field
      self.before = before
      self.after = after
    }
  }

  /// The changes of one class.
  package struct Section: Sendable {
    package var heading: String
    package var rows: [Row]

    package init(heading: String, rows: [Row]) {
      self.heading = heading
      self.rows = rows
    }
  }

  /// A cell of the matrix of fates.
  package struct FateRow: Sendable {
    package var name: String
    package var event: String
    package var before: String
    package var after: String
    package var reason: String

    package init(name: String, event: String, before: String, after: String, reason: String) {
      self.name = name
      self.event = event
      self.before = before
      self.after = after
      self.reason = reason
    }
  }

  /// The statements of SQL that the first use of a database of the release runs.
  package struct Merge: Sendable {
    package var database: String
    package var statements: [String]

    package init(database: String, statements: [String]) {
      self.database = database
      self.statements = statements
    }
  }

  /// A change that must be covered before a release, and how.
  package struct Task: Sendable {
    package var text: String
    package var help: String

    package init(text: String, help: String) {
      self.text = text
      self.help = help
    }
  }

  /// For example `1 added, 2 changed since release 1.0`.
  package var summary: String
  package var sections: [Section]
  package var fates: [FateRow]
  package var merges: [Merge]
  package var tasks: [Task]

  package init(summary: String, sections: [Section], fates: [FateRow], merges: [Merge], tasks: [Task]) {
    self.summary = summary
    self.sections = sections
    self.fates = fates
    self.merges = merges
    self.tasks = tasks
  }

  /// Returns the file.
  package func render() -> [UInt8] {
    let rows = sections.reduce(fates.count) { $0 + $1.rows.count }
    return HTMLPage.collect(title: "Storage catalogs: \(summary)", capacity: 2_048 + 256 * rows) { html in
      html.element(.header) { html in
        html.element(.h1, text: "Storage catalogs")
        html.element(.p, text: summary + ".")
      }
      html.line()
      html.element(.main) { html in
        for section in sections { write(section, to: &html) }
        writeFates(to: &html)
        for merge in merges { write(merge, to: &html) }
        writeTasks(to: &html)
      }
      html.line()
    }
  }

  private func write(_ section: Section, to html: inout HTMLWriter) {
    table(section.heading, ["declaration", "field", "before", "after"], to: &html) { html in
      for row in section.rows {
        html.line()
        html.element(.tr) { html in
          html.element(.th, .scope("row"), text: row.declaration)
          for text in [row.field, row.before, row.after] { html.element(.td, text: text) }
        }
      }
    }
  }

  private func writeFates(to html: inout HTMLWriter) {
    guard !fates.isEmpty else { return }
    table("Fate of values", ["key", "event", "before", "after", "reason"], to: &html) { html in
      for row in fates {
        html.line()
        html.element(.tr) { html in
          html.element(.th, .scope("row"), text: row.name)
          for text in [row.event, row.before, row.after, row.reason] { html.element(.td, text: text) }
        }
      }
    }
  }

  private func write(_ merge: Merge, to html: inout HTMLWriter) {
    html.line()
    html.element(.section) { html in
      html.element(.h2, text: "Database \(merge.database)")
      html.element(.p, text: "The first use of a file of the release runs, in one transaction:")
      html.element(.ol) { html in
        for statement in merge.statements { html.element(.li) { $0.element(.code, text: statement) } }
      }
    }
    html.line()
  }

  private func writeTasks(to html: inout HTMLWriter) {
    guard !tasks.isEmpty else { return }
    html.line()
    html.element(.section) { html in
      html.element(.h2, text: "To do before a release")
      html.element(.ul) { html in
        for task in tasks {
          html.line()
          html.element(.li) { html in
            html.element(.strong, text: task.text)
            html.text(": ")
            html.text(task.help)
          }
        }
      }
    }
  }

  /// Writes a section with a table.
  private func table(
    _ heading: String, _ columns: [StaticString], to html: inout HTMLWriter, rows: (inout HTMLWriter) -> Void
  ) {
    html.line()
    html.element(.section) { html in
      html.element(.h2, text: heading)
      html.element(.div, .class("scroll")) { html in
        html.element(.table) { html in
          html.element(.thead) { html in
            html.element(.tr) { html in for column in columns { html.element(.th, .scope("col"), text: column) } }
          }
          html.element(.tbody) { rows(&$0) }
        }
      }
    }
    html.line()
  }
}
