import LocalDataModel
import LocalDataSyntax

/// The names in a privacy manifest that are on no list of Apple's. They may be newer than the lists of the tool.
struct ManifestNames {
  typealias Key = AppStoreTables.ManifestKey

  private let list: PropertyList
  private(set) var findings: [Diagnostic] = []

  init(_ list: PropertyList, _ entries: [PropertyList.Entry]) {
    self.list = list
    let dataTypes = AppStoreTables.dataTypes.map(\.manifest)
    let purposes = AppStoreTables.purposes.map(\.manifest)
    for entry in dictionaries(in: entries[Key.collectedDataTypes]) {
      check(entry[Key.dataType], dataTypes, "a type of data")
      for purpose in elements(entry[Key.purposes]) { check(purpose, purposes, "a purpose") }
    }
    let categories = AppStoreTables.requiredReasons.map(\.category)
    for entry in dictionaries(in: entries[Key.accessedAPITypes]) {
      check(entry[Key.category], categories, "a category of APIs")
      guard case .text(let category)? = entry[Key.category]?.content,
        let codes = AppStoreTables.requiredReasons.first(where: { $0.category == category })?.codes
      else { continue }
      for reason in elements(entry[Key.reasons]) { check(reason, codes, "a reason for '\(category)'") }
    }
  }

  private func elements(_ node: PropertyList.Node?) -> [PropertyList.Node] {
    if case .array(let elements)? = node?.content { elements } else { [] }
  }

  private func dictionaries(in node: PropertyList.Node?) -> [[PropertyList.Entry]] {
    elements(node).compactMap { if case .dictionary(let entries) = $0.content { entries } else { nil } }
  }

  private mutating func check(_ node: PropertyList.Node?, _ names: [String], _ what: String) {
    guard let node, case .text(let name) = node.content, !names.contains(name) else { return }
    findings.append(
      Diagnostic(
        rule: Rule.unpublishedName.id, severity: .warning, "'\(name)' is not \(what) that Apple publishes",
        at: list.place(of: node), help: "use one of the names in Apple's list"))
  }
}
