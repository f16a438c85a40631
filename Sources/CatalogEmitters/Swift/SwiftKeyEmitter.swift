import CatalogModel
import StorageVocabulary

/// Keys and families as members of the runtime's types.
///
/// A key is a computed member of an extension that says its `Value`, so that `router.get(.theme)` infers its type.
/// Neighbours of one type share an extension.
struct SwiftKeyEmitter: ~Copyable {
  let catalog: ResolvedCatalog
  let source: String
  private var arguments = ArgumentList()

  init(_ catalog: ResolvedCatalog, source: String) {
    self.catalog = catalog
    self.source = source
  }

  mutating func writeKeys(to output: inout OutputBuffer) {
    let keys = catalog.keys
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
      writeHeader(key, to: &output)
      output.write("static var ")
      output.writeIdentifier(key.descriptor.member)
      output.write(": Self {\n")
      writeFamilyCall(key, "Self", indent: 2, to: &output)
      output.write("\n  }\n")
    }
    if !isFirst { output.write("}\n") }
  }

  /// The deprecated keys and families once more, undeprecated, for the catalog's own list.
  mutating func writeDeprecated(to output: inout OutputBuffer) {
    guard catalog.keys.contains(where: { $0.deprecation != nil }) else { return }
    output.write("\nnonisolated extension ")
    output.writeCatalogName(catalog)
    output.write(" {\n  /// What this catalog lists and new code should not name.\n")
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
    writeHeader(key, to: &output)
    output.write(key.isFamily ? "static func " : "static var ")
    output.writeIdentifier(key.descriptor.member)
    if key.isFamily {
      output.write("(")
      for (index, parameter) in key.parameters.enumerated() {
        if index > 0 { output.write(", ") }
        output.writeParameter(parameter)
      }
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

  private func writeHeader(_ key: ResolvedKey, to output: inout OutputBuffer) {
    output.writeSourceLine(source, key.line, indent: 1)
    output.writeDocComment(key.descriptor.description, indent: 1)
    if let deprecation = key.deprecation {
      output.write("  @available(*, deprecated, message: ")
      output.writeLiteral(deprecation.reason)
      if let renamed = deprecation.renamedTo {
        output.write(", renamed: ")
        output.writeLiteral(renamed)
      }
      output.write(")\n")
    }
    output.write("  ")
    output.writeAccess(key.access)
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
        if isAnyMember { output.write(RuntimeName.familyMember) } else { output.writeMemberName(key.nameParts) }
      }
    } else {
      arguments.add { $0.writeLiteral(key.descriptor.name) }
      arguments.add { $0.writeDomain(key.descriptor.domain) }
      arguments.add { $0.writeSecurity(key.descriptor.security) }
    }
    arguments.add { $0.writeSerializer(key.descriptor.serializer) }
    if let value = key.defaultValue {
      arguments.add { output in
        output.write(RuntimeName.defaultValue)
        output.writeValue(value)
      }
    }
    addOptions(key)
    arguments.write(to: &output, callee: callee, indent: indent)
    // A member that is known by its name alone does not know its parameters.
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
      output.writeLiteral(key.descriptor.name)
    }
    arguments.add { output in
      output.write(RuntimeName.familyDomain)
      output.writeDomain(key.descriptor.domain)
    }
    if key.descriptor.security != .recommended {
      arguments.add { output in
        output.write(RuntimeName.familySecurity)
        output.writeSecurity(key.descriptor.security)
      }
    }
    arguments.write(to: &output, callee: callee, indent: indent)
    if key.descriptor.syncPolicy != .never { writeMembers(key, indent: indent, to: &output) }
    if let migration = key.migration { writeMigratingMembers(key, migration, indent: indent, to: &output) }
  }

  /// The families of the sources, and the key of a member by its parameters: a run over all keys finds it by the name that
  /// its value has there.
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
    output.write("]) {\n")
    for parameter in key.parameters {
      output.writeIndent(indent + 2)
      output.write("let ")
      output.writeParameter(parameter)
      output.write(" = ")
      output.write(RuntimeName.parameterValue)
      output.writeLiteral(parameter.name)
      output.write(")\n")
    }
    output.writeIndent(indent + 2)
    output.write("return ")
    output.writeKeyType(key)
    output.write("\n")
    writeKeyCall(key, ".init", indent: indent + 3, to: &output)
    output.write("\n")
    output.writeIndent(indent + 1)
    output.write("}")
  }

  /// The key of a member by its stored name: what arrives for it says no more.
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

extension ResolvedKey {
  var isFamily: Bool { !parameters.isEmpty }

  /// Whether `get` returns the same type for both.
  fileprivate func hasSameValue(as other: ResolvedKey) -> Bool {
    type == other.type && (defaultValue == nil) == (other.defaultValue == nil)
  }
}

extension OutputBuffer {
  /// `AccountCatalog`
  mutating func writeCatalogName(_ catalog: ResolvedCatalog) {
    write(catalog.name)
    write("Catalog")
  }

  /// `AccountCatalog.Deprecated.token`
  mutating func writeDeprecatedReference(_ key: ResolvedKey, in catalog: ResolvedCatalog) {
    writeCatalogName(catalog)
    write(".Deprecated.")
    write(key.descriptor.member)
  }

  /// `"draft_\(documentID)"`, which the runtime escapes.
  mutating func writeMemberName(_ parts: [ResolvedKey.NamePart]) {
    write("\"")
    for part in parts {
      switch part {
      case .text(let text): writeLiteralPart(text)
      case .parameter(let name):
        write("\\(")
        writeIdentifier(name)
        write(")")
      }
    }
    write("\"")
  }

  /// `documentID: UUID`
  mutating func writeParameter(_ parameter: ResolvedKey.Parameter) {
    writeIdentifier(parameter.name)
    write(": ")
    write(parameter.type.swiftText)
  }

  /// `StorageKey<String?>`
  mutating func writeKeyType(_ key: ResolvedKey) {
    write(RuntimeName.key)
    write("<")
    writeValueType(key)
    write(">")
  }

  /// What `get` returns: without a default an optional.
  mutating func writeValueType(_ key: ResolvedKey) {
    writeType(key.type)
    if key.defaultValue == nil { write("?") }
  }

  mutating func writeSerializer(_ serializer: SerializerKind) {
    write(".")
    write(serializer.kind.rawValue)
    guard case .custom(let type) = serializer else { return }
    write("(")
    write(type)
    write(".self)")
  }
}
