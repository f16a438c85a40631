import LocalDataModel
import LocalDataVocabulary

/// Emits the migrations of a catalog's keys as functions nested in the catalog. A key only names its function.
///
/// The types of the destination and of the sources are written out, so that the compiler checks a function of the app
/// against them and reports an error at the line that names it.
struct SwiftMigrationEmitter: ~Copyable {
  let catalog: ResolvedCatalog
  let source: String
  private var arguments = ArgumentList()

  init(_ catalog: ResolvedCatalog, source: String) {
    self.catalog = catalog
    self.source = source
  }

  mutating func write(to output: inout OutputBuffer) {
    var isFirst = true
    for key in catalog.keys {
      guard let migration = key.migration else { continue }
      if isFirst {
        output.write("\nnonisolated extension ")
        output.write(catalog.swiftName)
        output.write(" {\n  /// The migrations of this catalog's keys, which run while nothing is stored for a key.\n")
        output.write("  fileprivate nonisolated enum KeyMigrations {\n")
      } else {
        output.write("\n")
      }
      isFirst = false
      write(migration, of: key, to: &output)
    }
    if !isFirst { output.write("  }\n}\n") }
  }

  private mutating func write(_ migration: ResolvedMigration, of key: ResolvedKey, to output: inout OutputBuffer) {
    output.write(key.isFamily ? "    static func " : "    @Sendable static func ")
    output.writeIdentifier(key.descriptor.member)
    output.write("(_ key: ")
    output.writeKeyType(key)
    if key.isFamily {
      output.write(", ")
      SwiftParameters(key).writeDeclarations(to: &output)
    }
    output.write(") -> ")
    output.write(RuntimeName.migration)
    output.write(" {\n")
    if migration.steps.count == 1 {
      write(migration.steps[0], of: key, indent: 3, to: &output)
    } else {
      output.write("      ")
      output.write(RuntimeName.migration)
      output.write("(\n        ")
      output.write(RuntimeName.chain)
      output.write("[\n")
      for (index, step) in migration.steps.enumerated() {
        if index > 0 { output.write(",\n") }
        write(step, of: key, indent: 5, to: &output)
      }
      output.write("\n        ])")
    }
    output.write("\n    }\n")
  }

  private mutating func write(
    _ step: ResolvedMigration.Step, of key: ResolvedKey, indent: Int, to output: inout OutputBuffer
  ) {
    output.writeSourceLine(source, step.line, indent: indent)
    output.writeIndent(indent)
    guard let condition = step.condition else { return writeAction(step, of: key, indent: indent, to: &output) }
    output.write(RuntimeName.migration)
    output.write("(\n")
    output.writeIndent(indent + 1)
    output.write(RuntimeName.conditionalMigration)
    output.write("(\n")
    output.writeIndent(indent + 2)
    output.write(RuntimeName.destinationKey)
    output.write("key, ")
    output.write(RuntimeName.condition)
    output.write(condition)
    output.write(",\n")
    output.writeIndent(indent + 2)
    output.write(RuntimeName.conditional)
    writeAction(step, of: key, indent: indent + 2, to: &output)
    output.write("))")
  }

  /// Writes `AnyStorageMigration(…)`. The indentation of its line has been written.
  private mutating func writeAction(
    _ step: ResolvedMigration.Step, of key: ResolvedKey, indent: Int, to output: inout OutputBuffer
  ) {
    output.write(RuntimeName.migration)
    output.write("(")
    if case .custom(let type) = step.action {
      output.write(type.text)
      // A custom migration of a family identifies the member by its key.
      output.write("(")
      if key.isFamily {
        output.write(RuntimeName.destinationKey)
        output.write("key")
      }
      output.write("), ")
      output.write(RuntimeName.customFor)
      return output.write("key)")
    }
    output.write("\n")
    arguments.removeAll()
    arguments.add { output in
      output.write(RuntimeName.destinationKey)
      output.write("key")
    }
    let callee = addSources(step.action, of: key)
    if step.onConflict == .remove { arguments.add { $0.write(RuntimeName.removesSources) } }
    if let function = step.action.function {
      arguments.add { $0.writeFunction(function, step.action, key) }
    }
    arguments.write(to: &output, callee: callee, indent: indent + 1)
    output.write(")")
  }

  /// Adds the arguments of the sources and returns the type whose initializer takes them.
  private mutating func addSources(_ action: ResolvedMigration.Action, of key: ResolvedKey) -> StaticString {
    switch action {
    case .move(let source):
      arguments.add { output in
        output.write(RuntimeName.sourceKey)
        output.write(RuntimeName.anyKeyOf)
        output.write("(")
        output.writeSource(source, of: key)
        output.write(")")
      }
      return RuntimeName.simpleMigration
    case .secureInPlace(let domain, let security):
      arguments.add { output in
        output.write(RuntimeName.sourceKey)
        output.write(RuntimeName.anyKeyOf)
        output.write("(")
        output.write(RuntimeName.key)
        output.write("(key, ")
        output.write(RuntimeName.familyDomain)
        output.writeDomain(domain)
        output.write(", ")
        output.write(RuntimeName.familySecurity)
        output.writeSecurity(security)
        output.write("))")
      }
      return RuntimeName.simpleMigration
    case .transform(let source, _):
      arguments.add { output in
        output.write(RuntimeName.sources)
        output.writeSource(source, of: key)
      }
      return RuntimeName.transformingMigration
    case .aggregate(let sources, _):
      for (index, source) in sources.enumerated() {
        arguments.add { output in
          if index == 0 { output.write(RuntimeName.sources) }
          output.writeSource(source, of: key)
        }
      }
      return RuntimeName.aggregatingMigration
    case .custom: return RuntimeName.migration
    }
  }
}

extension ResolvedMigration.Action {
  fileprivate var function: SwiftName? {
    switch self {
    case .transform(_, let function), .aggregate(_, let function): function
    case .move, .secureInPlace, .custom: nil
    }
  }
}
