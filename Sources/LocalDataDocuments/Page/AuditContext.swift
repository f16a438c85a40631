package import LocalDataSyntax

/// The results of a run besides the declarations: the findings, and the history from the snapshots of releases.
package struct AuditContext: Sendable {
  package var findings: UndatedFindings
  /// The history from the snapshots, or nil if there are none.
  package var history: AuditHistory?

  package init(findings: UndatedFindings = UndatedFindings(), history: AuditHistory? = nil) {
    self.findings = findings
    self.history = history
  }
}

/// The history of today's declarations in the snapshots of releases.
package struct AuditHistory: Sendable {
  /// The versions, the oldest one first.
  package var releases: [String]
  /// The position of the release that stored values of a key first, by its member.
  package var keys: [String: Int]
  /// The position of the release that stored rows of a record first, by its Swift type.
  package var records: [String: Int]
  /// The position of the release that declared unmanaged data first, by its member.
  package var unmanaged: [String: Int] = [:]
  /// The differences from the newest release.
  package var changes: [Change]

  package struct Change: Sendable {
    /// The kind of the changed declaration, for example `key` or `type`.
    package var subject: String
    /// For example `added` or `renamed`.
    package var kind: String
    package var name: String
    /// The name in the release, if it was another one.
    package var oldName: String?
    /// The classes of the change, for example `storage` and `privacy`.
    package var classes: [String]
    /// The facts that differ. A declaration that was added or removed as a whole may have none.
    package var facts: [Fact]

    package init(
      subject: String, kind: String, name: String, oldName: String?, classes: [String], facts: [Fact]
    ) {
      self.subject = subject
      self.kind = kind
      self.name = name
      self.oldName = oldName
      self.classes = classes
      self.facts = facts
    }
  }

  /// A fact of a declaration in the newest release and now.
  package struct Fact: Sendable {
    /// For example `domain.service`.
    package var path: String
    /// The values as a catalog writes them.
    package var before: String
    package var now: String
    package var classes: [String]

    package init(path: String, before: String, now: String, classes: [String]) {
      self.path = path
      self.before = before
      self.now = now
      self.classes = classes
    }
  }

  package init(releases: [String], keys: [String: Int], records: [String: Int], changes: [Change]) {
    self.releases = releases
    self.keys = keys
    self.records = records
    self.changes = changes
  }
}
