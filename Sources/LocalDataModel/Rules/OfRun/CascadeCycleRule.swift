import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let cascadeCycle = Rule(
    "cascade-cycle", .records,
    "No `onDelete: cascade` leads back to the record that was deleted through other records.",
    why: "The deletion of one record could delete most of the database.",
    bad: .records(cycle("onDelete: cascade")), good: .records(cycle("onDelete: setNull")))

  private static func cycle(_ onDelete: String) -> String {
    "Folder:\n  description: A folder of notes.\n  fields:\n    id: {type: UUID, number: 1}\n"
      + "    cover: {type: UUID?, number: 2, references: Note, \(onDelete)}\n"
      + "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
      + "    folder: {type: UUID, number: 2, references: Folder, onDelete: cascade}"
  }
}

/// Checks that deletions end. A record may refer to its own kind: a folder deletes the folders in it.
struct CascadeCycleRule: RunRule {
  /// The most records that a message about a cycle names.
  private static let namedRecords = 8

  /// A record that is deleted because another one is, and the field that causes it.
  private struct Edge {
    var target: String
    var field: SyntaxNode
  }

  /// A record on the way from the first one. The way is a list, because the stack of a thread is too small for a long one.
  private struct Step {
    var name: String
    var next = 0
  }

  private enum Mark {
    /// The record is on the way, at a position.
    case open(Int)
    case done
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    let edges = Self.edges(of: run)
    var marks: [String: Mark] = [:]
    for record in run.records.all where marks[record.name] == nil {
      var path = [Step(name: record.name)]
      marks[record.name] = .open(0)
      while let step = path.last {
        guard let own = edges[step.name], step.next < own.count else {
          marks[step.name] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let edge = own[step.next]
        switch marks[edge.target] {
        case nil:
          marks[edge.target] = .open(path.count)
          path.append(Step(name: edge.target))
        case .open(let start)?: report(path[start...], edge, run, &findings)
        case .done?: break
        }
      }
    }
  }

  /// Returns, for each record, the records that its deletion deletes.
  private static func edges(of run: CatalogRun) -> [String: [Edge]] {
    var edges: [String: [Edge]] = [:]
    for record in run.records.all {
      for field in record.fields where field.draft.onDelete == .cascade {
        guard let target = field.draft.referenceNode?.text, target != record.name else { continue }
        edges[target, default: []].append(Edge(target: record.name, field: field.place(of: "onDelete")))
      }
    }
    return edges
  }

  private func report(_ cycle: ArraySlice<Step>, _ edge: Edge, _ run: CatalogRun, _ findings: inout Findings) {
    guard let record = run.records[edge.target] else { return }
    let names = cycle.dropFirst().prefix(Self.namedRecords).map(\.name)
    let isLong = names.count < cycle.count - 1
    let chain = (isLong ? names : names + [edge.target]).map { "'\($0)'" }.joined(separator: ", and that deletes ")
    let rest = isLong ? " and \(cycle.count - names.count) more" : ""
    findings.about(record) {
      $0.report(
        .cascadeCycle, "deleting a '\(edge.target)' deletes \(chain)\(rest)", at: edge.field,
        help: "write `onDelete: setNull` or `restrict` at one of these references")
    }
  }
}
