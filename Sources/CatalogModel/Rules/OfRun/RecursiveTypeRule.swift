import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let recursiveType = Rule(
    "recursive-type", .types, "A struct does not contain itself.",
    why: "Such a struct would have no size in memory. A list, a map or a set in between gives it one.",
    bad: .catalog("types:\n  Folder: {fields: {name: String, parent: \"Folder?\"}}"),
    good: .catalog("types:\n  Folder: {fields: {name: String, children: [Folder]}}"))
}

/// Checks that no struct contains itself.
struct RecursiveTypeRule: RunRule {
  /// The most structs that a message about a cycle names.
  private static let namedTypes = 8

  private enum Mark {
    case open, done
  }

  /// A struct on the way from the first one, and the field at which the walk goes on. A chain of structs can be
  /// thousands long, so the way is a list and not the stack of the thread.
  private struct Step {
    var declared: TypeTable.Declared
    var fields: [ResolvedType.Field]
    var next = 0
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    let types = run.context.types
    var marks: [String: Mark] = [:]
    for first in types.all {
      var path: [Step] = []
      open(first, &path, &marks)
      while let step = path.last {
        guard step.next < step.fields.count else {
          marks[step.declared.name] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let field = step.fields[step.next]
        guard let inner = held(field.type), let declared = types[inner] else { continue }
        if marks[inner] == .open {
          report(path, inner, field, &findings)
        } else {
          open(declared, &path, &marks)
        }
      }
    }
  }

  private func open(_ declared: TypeTable.Declared, _ path: inout [Step], _ marks: inout [String: Mark]) {
    guard marks[declared.name] == nil, case .structure(let fields) = declared.form else { return }
    marks[declared.name] = .open
    path.append(Step(declared: declared, fields: fields))
  }

  private func report(_ path: [Step], _ inner: String, _ field: ResolvedType.Field, _ findings: inout Findings) {
    guard let last = path.last?.declared, let start = path.firstIndex(where: { $0.declared.name == inner }) else {
      return
    }
    let names = path[start...].map(\.declared.name) + [inner]
    let rest = names.count > Self.namedTypes ? " and \(names.count - Self.namedTypes) more" : ""
    let cycle = names.prefix(Self.namedTypes).map { "'\($0)'" }.joined(separator: " contains ") + rest
    findings.report(
      .recursiveType, "a struct cannot contain itself: \(cycle)",
      at: last.body.value(of: "fields")?.value(of: field.name) ?? last.node, help: "use a list: [\(inner)]")
  }

  /// Returns the type of `types` that a value of a type contains without a list, a map or a set in between.
  private func held(_ type: ValueType) -> String? {
    switch type {
    case .declared(let name): name
    case .optional(let wrapped): held(wrapped)
    case .scalar, .swift, .list, .map, .set: nil
    }
  }
}
