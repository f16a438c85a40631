import CatalogSyntax
import StorageVocabulary

/// A struct that holds itself would have no size; a list, a map or a set in between has.
struct RecursiveTypeRule: RunRule {
  private enum Mark {
    case open, done
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var marks: [String: Mark] = [:]
    for declared in run.decoder.types.all {
      var path: [String] = []
      visit(declared, run.decoder.types, &marks, &path, &findings)
    }
  }

  private func visit(
    _ declared: TypeTable.Declared, _ types: TypeTable, _ marks: inout [String: Mark], _ path: inout [String],
    _ findings: inout Findings
  ) {
    guard marks[declared.name] == nil, case .structure(let fields) = declared.form else { return }
    marks[declared.name] = .open
    path.append(declared.name)
    for field in fields {
      guard let inner = held(field.type), let next = types[inner] else { continue }
      if marks[inner] == .open, let start = path.firstIndex(of: inner) {
        let cycle = (path[start...] + [inner]).map { "'\($0)'" }.joined(separator: " holds ")
        let node = declared.body.value(of: TypeField.fields.text)?.value(of: field.name)
        findings.report(
          .recursiveType, "a struct cannot hold itself: \(cycle)", at: node ?? declared.node,
          help: "put a list in between: [\(inner)]")
      } else {
        visit(next, types, &marks, &path, &findings)
      }
    }
    path.removeLast()
    marks[declared.name] = .done
  }

  private func held(_ type: ValueType) -> String? {
    switch type {
    case .declared(let name): name
    case .optional(let wrapped): held(wrapped)
    case .scalar, .swift, .list, .map, .set: nil
    }
  }
}
