import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The keys, records and databases by owner, the keys and records by the release that had them first, and what changed since.
struct AuditGroups {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  func write(to html: inout HTMLWriter) {
    html.element(.section, .id(HTMLIdentifier("owners"))) { html in
      html.element(.h2, text: "Owners")
      html.line()
      for owner in owners { write(owner, HTMLIdentifier("owner", owner.title), to: &html) }
    }
    html.line()
    guard let history = page.context.history else { return }
    html.element(.section, .id(HTMLIdentifier("releases"))) { html in
      html.element(.h2, text: "Releases")
      html.line()
      html.element(
        .p, text: "Each release with the keys and records that it was the first to have, the newest release first.")
      html.line()
      for release in releases(history) { write(release, HTMLIdentifier("release", release.version), to: &html) }
      writeChanges(history, to: &html)
    }
    html.line()
  }

  /// Declarations that have something in common.
  private struct Group {
    var title: String
    /// The version, or the text `unreleased`.
    var version = ""
    var links: [(name: String, address: HTMLIdentifier)] = []
    /// The number of keys and records of each sensitivity.
    var sensitivities: [Sensitivity: Int] = [:]

    mutating func add(_ name: String, _ address: HTMLIdentifier, _ sensitivity: Sensitivity? = nil) {
      links.append((name, address))
      if let sensitivity { sensitivities[sensitivity, default: 0] += 1 }
    }

    var sensitivityText: String {
      Sensitivity.allCases.compactMap { each in sensitivities[each].map { "\(each.rawValue) \($0)" } }
        .joined(separator: ", ")
    }
  }

  private var owners: [Group] {
    var groups: [String: Group] = [:]
    page.forEachKey { key, address in
      groups[key.descriptor.owner, default: Group(title: key.descriptor.owner)]
        .add(key.descriptor.member, address, key.descriptor.sensitivity)
    }
    page.forEachRecord { record, address in
      groups[record.owner, default: Group(title: record.owner)].add(record.name, address, record.mostSensitive)
    }
    page.forEachDatabase { database, address in
      groups[database.owner, default: Group(title: database.owner)].add(database.member, address)
    }
    page.forEachUnmanaged { data, address in
      groups[data.descriptor.owner, default: Group(title: data.descriptor.owner)]
        .add(data.member, address, data.descriptor.sensitivity)
    }
    return groups.values.sorted { $0.title < $1.title }
  }

  /// The declarations that are not released yet, then those of each release that had them first, the newest release first.
  private func releases(_ history: AuditHistory) -> [Group] {
    var groups = history.releases.map { Group(title: "First in \($0)", version: $0) }
    groups.append(Group(title: "Not released yet", version: "unreleased"))
    page.forEachKey { key, address in
      groups[history.keys[key.descriptor.member] ?? groups.count - 1]
        .add(key.descriptor.member, address, key.descriptor.sensitivity)
    }
    page.forEachRecord { record, address in
      groups[history.records[record.name] ?? groups.count - 1].add(record.name, address, record.mostSensitive)
    }
    page.forEachUnmanaged { data, address in
      groups[history.unmanaged[data.member] ?? groups.count - 1]
        .add(data.member, address, data.descriptor.sensitivity)
    }
    return groups.reversed().filter { !$0.links.isEmpty }
  }

  private func write(_ group: Group, _ address: HTMLIdentifier, to html: inout HTMLWriter) {
    html.element(.details, .id(address)) { html in
      html.element(.summary) { html in
        html.element(.strong, text: group.title)
        let sensitivities = group.sensitivityText
        html.text(" \(Counted.text(group.links.count, "declaration"))")
        if !sensitivities.isEmpty { html.text(": \(sensitivities)") }
      }
      html.element(.ul, .class("links")) { html in
        for link in group.links {
          html.element(.li) { $0.element(.a, .href(link.address), text: link.name) }
        }
      }
    }
    html.line()
  }

  // MARK: - Changes

  private func writeChanges(_ history: AuditHistory, to html: inout HTMLWriter) {
    guard let newest = history.releases.last, !history.changes.isEmpty else { return }
    html.scrollable("Changes") { html in
      html.element(.table, .id(HTMLIdentifier("changes"))) { html in
        html.element(.caption, text: "Changes since release \(newest)")
        html.tableHead(["Change", "What", "Name", "Fact", "Before", "Now", "Effects"])
        html.element(.tbody) { html in
          for change in history.changes {
            if change.facts.isEmpty { write(change, nil, to: &html) }
            for fact in change.facts { write(change, fact, to: &html) }
          }
        }
      }
    }
    html.line()
  }

  /// Writes one fact that changed, or a declaration as a whole.
  private func write(_ change: AuditHistory.Change, _ fact: AuditHistory.Fact?, to html: inout HTMLWriter) {
    html.line()
    html.element(.tr) { html in
      html.element(.td, text: change.kind)
      html.element(.td, text: change.subject)
      html.element(.td) { html in
        page.writeLink(change.name, to: &html)
        if let old = change.oldName { html.text(", was \(old)") }
      }
      html.element(.td, text: fact?.path ?? "")
      html.element(.td, text: fact?.before ?? "")
      html.element(.td, text: fact?.now ?? "")
      html.element(.td, text: (fact?.classes ?? change.classes).joined(separator: ", "))
    }
  }
}

extension ResolvedRecord {
  /// The sensitivity of the most sensitive field.
  fileprivate var mostSensitive: Sensitivity {
    fields.map { toldSensitivity(of: $0) }.max(by: Sensitivity.isBelow) ?? sensitivity
  }
}
