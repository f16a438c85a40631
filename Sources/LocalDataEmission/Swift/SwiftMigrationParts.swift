package import LocalDataModel
import LocalDataVocabulary

/// The parts of the code that makes a migration.
extension OutputBuffer {
  /// Writes the modifier that names the migration: a function, or in a family a closure that passes the parameters on.
  mutating func writeMigrationReference(_ key: ResolvedKey, in catalog: ResolvedCatalog) {
    write(RuntimeName.migrating)
    write(key.isFamily ? " { " : "(")
    write(catalog.swiftName)
    write(".KeyMigrations.")
    write(key.descriptor.member)
    guard key.isFamily else { return write(")") }
    write("($0, ")
    SwiftParameters(key).writeArguments(to: &self)
    write(") }")
  }

  mutating func writeSource(_ source: ResolvedMigration.Source, of key: ResolvedKey) {
    write(RuntimeName.key)
    write("<")
    writeType(source.type)
    write("?>")
    switch source {
    case .declared(let declared) where declared.field != nil: writePart(declared, of: key)
    case .declared(let declared):
      write(".")
      write(declared.member)
      guard key.isFamily else { return }
      write("(")
      SwiftParameters(key).writeArguments(to: &self)
      write(")")
    case .inline(let inline): writeInline(inline, of: key)
    }
  }

  /// Writes `([.name("users"), .parameter("userID")], ["userID": "\(userID)"], of: .oldSettings)`.
  private mutating func writePart(_ source: ResolvedMigration.Declared, of key: ResolvedKey) {
    write("(")
    writeField(source.field?.names ?? [], key.parameters)
    if key.isFamily {
      write(", [")
      for (index, parameter) in key.parameters.enumerated() {
        if index > 0 { write(", ") }
        writeLiteral(parameter.name)
        write(": ")
        SwiftParameters(key).writeName([.parameter(parameter.name)], to: &self)
      }
      write("]")
    }
    write(", ")
    write(RuntimeName.partOf)
    write(source.member)
    write(")")
  }

  /// Writes the modifier of a legacy key that lists the keys that take parts of its value.
  mutating func writeParts(_ parts: [ResolvedMigration.Part], indent: Int) {
    write(RuntimeName.shared)
    write("\n")
    for (index, part) in parts.enumerated() {
      writeIndent(indent + 1)
      write(".init(")
      writeLiteral(part.parameters.runtimeName(part.name, in: part.domain))
      write(", ")
      writeDomain(part.domain)
      if let field = part.field {
        write(", ")
        writeField(field.names, part.parameters)
      }
      if part.availability != .all {
        write(", ")
        write(RuntimeName.availability)
        write(part.availability.rawValue)
      }
      write(index + 1 < parts.count ? "),\n" : ")\n")
    }
    writeIndent(indent)
    write("])")
  }

  /// Writes the path of a field, for example `[.name("users"), .parameter("userID", isUUID: true)]`.
  private mutating func writeField(_ names: [ResolvedKey.NamePart], _ parameters: [ResolvedKey.Parameter]) {
    for (index, name) in names.enumerated() {
      write(index == 0 ? "[" : ", ")
      switch name {
      case .text(let text):
        write(".name(")
        writeLiteral(text)
      case .parameter(let name):
        write(".parameter(")
        writeLiteral(name)
        if parameters.first(where: { $0.name == name })?.type == .uuid { write(", isUUID: true") }
      }
      write(")")
    }
    write("]")
  }

  private mutating func writeInline(_ inline: ResolvedMigration.Inline, of key: ResolvedKey) {
    write("(")
    if inline.nameParts.isEmpty {
      writeLiteral(inline.name)
      write(", ")
      writeDomain(inline.domain)
      write(", ")
      writeSecurity(inline.security)
    } else {
      writeFamily(inline.parameters.runtimeName(inline.name, in: inline.domain), inline.domain, inline.security)
      write(", ")
      SwiftParameters(key).writeName(inline.nameParts, inline.parameters, to: &self)
    }
    write(", ")
    writeSerializer(inline.serializer, dates: inline.dates)
    // The source accepts values as large as the key's.
    if key.descriptor.maxSize > inline.domain.kind.defaultMaxSize {
      write(", ")
      write(RuntimeName.maxSize)
      writeGrouped(String(key.descriptor.maxSize))
    }
    write(", ")
    write(RuntimeName.legacy)
    write(")")
  }

  /// Writes a family from which a migration of members takes values.
  mutating func writeFamily(_ family: ResolvedMigration.SourceFamily) {
    switch family {
    case .declared(let member):
      write(".")
      writeIdentifier(member)
    case .described(let name, let domain, let security): writeFamily(name, domain, security)
    }
  }

  /// Writes `StorageKeyFamily(name: "draft_{id}", domain: .userDefaults(), security: .none)`.
  private mutating func writeFamily(_ name: String, _ domain: StorageDomain, _ security: SecurityPolicy) {
    write(RuntimeName.family)
    write("(")
    write(RuntimeName.familyName)
    writeLiteral(name)
    write(", ")
    write(RuntimeName.familyDomain)
    writeDomain(domain)
    write(", ")
    write(RuntimeName.familySecurity)
    writeSecurity(security)
    write(")")
  }

  /// Writes the name of a function. The function of an aggregate is cast to its type, because the compiler's message for
  /// one with wrong parameters would not be understandable.
  mutating func writeFunction(
    _ function: SwiftName, _ action: ResolvedMigration.Action, _ key: ResolvedKey
  ) {
    write(RuntimeName.function)
    write(function.text)
    guard case .aggregate(let sources, _) = action else { return }
    write(" as (")
    for (index, source) in sources.enumerated() {
      if index > 0 { write(", ") }
      writeType(source.type)
      write("?")
    }
    write(") throws -> ")
    writeValueType(key)
  }

  /// Writes, for example, `below(2, 0, 0)`.
  package mutating func write(_ condition: ResolvedMigration.VersionCondition) {
    switch condition.comparison {
    case .less: write("below(")
    case .atMost: write("atMost(")
    case .equal: write("exactly(")
    case .atLeast: write("atLeast(")
    case .greater: write("above(")
    }
    for (index, part) in condition.version.enumerated() {
      if index > 0 { write(", ") }
      writeGrouped(String(part))
    }
    write(")")
  }
}

extension ResolvedMigration {
  /// The legacy keys in whose values the migration of a family finds its members.
  var sharedSources: [Source] {
    steps.compactMap { step in
      switch step.action {
      case .move(let source), .transform(let source, _):
        if case .declared(let declared) = source, declared.field != nil { source } else { nil }
      case .aggregate, .secureInPlace, .custom: nil
      }
    }
  }

  /// A family from which a migration of members takes values.
  enum SourceFamily {
    /// A declared family, by its member.
    case declared(String)
    case described(name: String, StorageDomain, SecurityPolicy)
  }

  /// Returns the families in whose stored names a migration finds the members. A custom migration or a migration in place
  /// finds them by the names of the family itself.
  func sourceFamilies(of key: ResolvedKey) -> [SourceFamily] {
    var families: [SourceFamily] = []
    var isOwnAdded = false
    func add(_ source: Source) {
      switch source {
      case .declared(let declared):
        if declared.field == nil { families.append(.declared(declared.member)) }
      case .inline(let inline):
        families.append(
          .described(
            name: inline.parameters.runtimeName(inline.name, in: inline.domain), inline.domain, inline.security))
      }
    }
    for step in steps {
      switch step.action {
      case .move(let source), .transform(let source, _): add(source)
      case .aggregate(let sources, _): for source in sources { add(source) }
      case .secureInPlace, .custom:
        let descriptor = key.descriptor
        if !isOwnAdded {
          let name = key.parameters.runtimeName(descriptor.name, in: descriptor.domain)
          families.append(.described(name: name, descriptor.domain, descriptor.security))
        }
        isOwnAdded = true
      }
    }
    return families
  }
}
