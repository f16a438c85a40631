import LocalDataModel
import LocalDataVocabulary

/// Emits keys and families as static members of the runtime's types.
///
/// A key is a member of an extension that fixes its `Value`, so that `router.get(.theme)` infers the type. Consecutive keys
/// of one type share an extension.
struct SwiftKeyEmitter: ~Copyable {
  let catalog: ResolvedCatalog
  let source: String
  private let values: SwiftValueStyle
  private var arguments = ArgumentList()

  init(_ catalog: ResolvedCatalog, source: String) {
    self.catalog = catalog
    self.source = source
    values = SwiftValueStyle(checker: catalog.swiftName)
  }

  mutating func writeKeys(to output: inout OutputBuffer) {
    let keys = catalog.keys.filter { !$0.isSigningKey }
    for index in keys.indices {
      if index > 0, keys[index].hasSameValue(as: keys[index - 1]) {
        output.write("\n")
      } else {
        if index > 0 { output.write("}\n") }
        output.write("\nnonisolated extension ")
        output.write(RuntimeName.key)
        output.write(" where ")
        output.write(RuntimeName.keyValue)
        output.write(" == ")
        output.writeValueType(keys[index])
        output.write(" {\n")
      }
      write(keys[index], to: &output)
    }
    if !keys.isEmpty { output.write("}\n") }
  }

  mutating func writeFamilies(to output: inout OutputBuffer) {
    var isFirst = true
    for key in catalog.keys where key.isFamily {
      if isFirst {
        output.write("\nnonisolated extension ")
        output.write(RuntimeName.family)
        output.write(" {\n")
      } else {
        output.write("\n")
      }
      isFirst = false
      output.writeHeader(key, source: source)
      output.write("static var ")
      output.writeIdentifier(key.descriptor.member)
      output.write(": Self {\n")
      writeFamilyCall(key, "Self", indent: 2, to: &output)
      output.write("\n  }\n")
    }
    if !isFirst { output.write("}\n") }
  }

  /// Writes the deprecated keys and families again, without the attribute, for the lists of the catalog.
  mutating func writeDeprecated(to output: inout OutputBuffer) {
    guard catalog.keys.contains(where: { $0.deprecation != nil }) else { return }
    output.write("\nnonisolated extension ")
    output.write(catalog.swiftName)
    output.write(" {\n  /// The deprecated keys, without a warning, for the lists of this catalog.\n")
    output.write("  fileprivate nonisolated enum Deprecated {\n")
    for key in catalog.keys where key.deprecation != nil {
      if key.isFamily {
        output.write("    static var ")
        output.writeIdentifier(key.descriptor.member)
        output.write(": ")
        output.write(RuntimeName.family)
        output.write(" {\n")
        writeFamilyCall(key, ".init", indent: 3, to: &output)
      } else {
        output.write("    static var ")
        output.writeIdentifier(key.descriptor.member)
        output.write(": ")
        output.writeKeyType(key)
        output.write(" {\n")
        writeKeyCall(key, ".init", indent: 3, to: &output)
      }
      output.write("\n    }\n")
    }
    output.write("  }\n}\n")
  }

  private mutating func write(_ key: ResolvedKey, to output: inout OutputBuffer) {
    output.writeHeader(key, source: source)
    output.write(key.isFamily ? "static func " : "static var ")
    output.writeIdentifier(key.descriptor.member)
    if key.isFamily {
      output.write("(")
      SwiftParameters(key).writeDeclarations(to: &output)
      output.write(") -> Self {\n")
    } else {
      output.write(": Self {\n")
    }
    if !key.isFamily, key.deprecation != nil {
      output.write("    ")
      output.writeDeprecatedReference(key, in: catalog)
    } else {
      writeKeyCall(key, "Self", indent: 2, to: &output)
    }
    output.write("\n  }\n")
  }

  private mutating func writeKeyCall(
    _ key: ResolvedKey, _ callee: StaticString, indent: Int, isAnyMember: Bool = false, to output: inout OutputBuffer
  ) {
    arguments.removeAll()
    if key.isFamily {
      arguments.add { output in
        if key.deprecation != nil {
          output.writeDeprecatedReference(key, in: catalog)
        } else {
          output.write(".")
          output.write(key.descriptor.member)
        }
      }
      arguments.add { output in
        if isAnyMember {
          output.write(RuntimeName.familyMember)
        } else {
          SwiftParameters(key).writeName(key.nameParts, key.parameters, to: &output)
        }
      }
    } else {
      arguments.add { $0.writeLiteral(key.descriptor.name) }
      arguments.add { $0.writeDomain(key.descriptor.domain) }
      arguments.add { $0.writeSecurity(key.descriptor.security) }
    }
    arguments.add { $0.writeSerializer(key.descriptor.serializer, dates: key.descriptor.dates) }
    if let value = key.defaultValue {
      arguments.add { output in
        output.write(RuntimeName.defaultValue)
        output.writeValue(value, of: key.type, values)
      }
    }
    addOptions(key)
    arguments.write(to: &output, callee: callee, indent: indent)
    // The parameters of a member that is only known by its stored name are unknown, and its migration needs them.
    output.writeModifiers(of: key, in: catalog, source: source, indent: indent + 1, withMigration: !isAnyMember)
  }

  private mutating func addOptions(_ key: ResolvedKey) {
    if key.descriptor.availability != .all {
      arguments.add { output in
        output.write(RuntimeName.availability)
        output.write(key.descriptor.availability.rawValue)
      }
    }
    if key.descriptor.syncPolicy != .never {
      arguments.add { output in
        output.write(RuntimeName.syncPolicy)
        output.write(key.descriptor.syncPolicy.rawValue)
      }
    }
    if let retention = key.descriptor.retention {
      arguments.add { $0.writeRetention(retention) }
    }
    if key.descriptor.maxSize != key.descriptor.domain.kind.defaultMaxSize {
      arguments.add { output in
        output.write(RuntimeName.maxSize)
        output.writeGrouped(String(key.descriptor.maxSize))
      }
    }
    if !key.descriptor.backup { arguments.add { $0.write(RuntimeName.noBackup) } }
    if key.descriptor.isLegacy { arguments.add { $0.write(RuntimeName.legacy) } }
  }

  private mutating func writeFamilyCall(
    _ key: ResolvedKey, _ callee: StaticString, indent: Int, to output: inout OutputBuffer
  ) {
    arguments.removeAll()
    arguments.add { output in
      output.write(RuntimeName.familyName)
      output.writeLiteral(key.parameters.runtimeName(key.descriptor.name, in: key.descriptor.domain))
    }
    arguments.add { output in
      output.write(RuntimeName.familyDomain)
      output.writeDomain(key.descriptor.domain)
    }
    if key.itemSecurity != .recommended {
      arguments.add { output in
        output.write(RuntimeName.familySecurity)
        output.writeSecurity(key.itemSecurity)
      }
    }
    arguments.write(to: &output, callee: callee, indent: indent)
    if key.descriptor.staysAtSignOut {
      output.write("\n")
      output.writeIndent(indent + 1)
      output.write(RuntimeName.keptAtSignOut)
    }
    if key.descriptor.syncPolicy != .never { writeMembers(key, indent: indent, to: &output) }
    if let migration = key.migration, !key.descriptor.isLegacy {
      writeMigratingMembers(key, migration, indent: indent, to: &output)
    }
  }

  /// Writes the families of the sources, and a closure that returns the key of a member for its parameters. A migration of
  /// all keys finds the members by their stored names in these families.
  private mutating func writeMigratingMembers(
    _ key: ResolvedKey, _ migration: ResolvedMigration, indent: Int, to output: inout OutputBuffer
  ) {
    output.write("\n")
    output.writeIndent(indent + 1)
    output.write(RuntimeName.familyMigrating)
    for source in migration.sourceFamilies(of: key) {
      output.write("\n")
      output.writeIndent(indent + 2)
      output.writeFamily(source)
      output.write(",")
    }
    output.write("\n")
    output.writeIndent(indent + 1)
    output.write("]")
    let shared = migration.sharedSources
    for (index, source) in shared.enumerated() {
      output.write(index == 0 ? RuntimeName.familyParts : ", ")
      guard case .declared(let declared) = source else { continue }
      output.write(RuntimeName.anyKeyOf)
      output.write("(")
      output.write(RuntimeName.key)
      output.write("<")
      output.write(RuntimeName.anyValue)
      output.write("?>.")
      output.write(declared.member)
      output.write(")")
    }
    output.write(shared.isEmpty ? ") {\n" : "]) {\n")
    SwiftParameters(key).writeConstants(indent: indent + 2, to: &output)
    output.writeIndent(indent + 2)
    output.write("return ")
    output.writeKeyType(key)
    output.write("\n")
    writeKeyCall(key, ".init", indent: indent + 3, to: &output)
    output.write("\n")
    output.writeIndent(indent + 1)
    output.write("}")
    writeCustomMigrations(of: key, migration, indent: indent + 1, to: &output)
  }

  /// Writes the custom migrations of a family, which list and remove its members. The compiler checks that they do.
  private func writeCustomMigrations(
    of key: ResolvedKey, _ migration: ResolvedMigration, indent: Int, to output: inout OutputBuffer
  ) {
    for step in migration.steps {
      guard case .custom(let type) = step.action else { continue }
      output.write("\n")
      output.writeSourceLine(source, step.line, indent: indent)
      output.writeIndent(indent)
      output.write(RuntimeName.familyCustom)
      output.write(type.text)
      output.write(".self, for: ")
      output.writeKeyType(key)
      output.write(".self)")
    }
  }

  /// Writes a closure that returns the key of a member for its stored name. A synced value arrives with nothing else.
  private mutating func writeMembers(_ key: ResolvedKey, indent: Int, to output: inout OutputBuffer) {
    output.write("\n")
    output.writeIndent(indent + 1)
    output.write(RuntimeName.familyMembers)
    output.write(" {\n")
    output.writeIndent(indent + 2)
    output.write(RuntimeName.key)
    output.write("<")
    output.writeValueType(key)
    output.write(">\n")
    writeKeyCall(key, ".init", indent: indent + 3, isAnyMember: true, to: &output)
    output.write("\n")
    output.writeIndent(indent + 1)
    output.write("}")
  }
}

extension OutputBuffer {
  /// Writes what stands before the declaration of a key: its line in the catalog, its description, a deprecation, its access.
  mutating func writeHeader(_ key: ResolvedKey, source: String) {
    writeSourceLine(source, key.line, indent: 1)
    writeDocComment(key.descriptor.description, indent: 1)
    if let deprecation = key.deprecation {
      write("  @available(*, deprecated, message: ")
      writeLiteral(deprecation.reason)
      if let renamed = deprecation.renamedTo {
        write(", renamed: ")
        writeLiteral(renamed)
      }
      write(")\n")
    }
    write("  ")
    writeAccess(key.access)
  }
}

extension ResolvedKey {
  package var isFamily: Bool { !parameters.isEmpty }

  /// Returns true if `get` returns the same type for both keys.
  fileprivate func hasSameValue(as other: ResolvedKey) -> Bool {
    type == other.type && (defaultValue == nil) == (other.defaultValue == nil)
  }
}
