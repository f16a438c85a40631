import LocalDataModel
import LocalDataVocabulary

/// The parts of the code that makes a key: its type, its serializer, its modifiers.
extension OutputBuffer {
  /// Writes, for example, `AccountCatalog.Deprecated.token`.
  mutating func writeDeprecatedReference(_ key: ResolvedKey, in catalog: ResolvedCatalog) {
    write(catalog.swiftName)
    write(".Deprecated.")
    write(key.descriptor.member)
  }

  /// Writes the type of a key, for example `StorageKey<String?>`.
  mutating func writeKeyType(_ key: ResolvedKey) {
    write(RuntimeName.key)
    write("<")
    writeValueType(key)
    write(">")
  }

  /// Writes the type that `get` returns. It is optional if the key has no default.
  mutating func writeValueType(_ key: ResolvedKey) {
    writeType(key.type)
    if key.defaultValue == nil { write("?") }
  }

  mutating func writeSerializer(_ serializer: SerializerKind, dates: DateForm? = nil) {
    write(".")
    write(serializer.kind.rawValue)
    if let dates { write("(dates: .\(dates.rawValue))") }
    guard case .custom(let type) = serializer else { return }
    write("(")
    write(type)
    write(".self)")
  }
}

/// Modifiers of a key.
extension OutputBuffer {
  /// Writes the options that few keys have as modifiers, one line each. An argument with a default takes compile time even
  /// if a call omits it; a modifier does not.
  mutating func writeModifiers(
    of key: ResolvedKey, in catalog: ResolvedCatalog, source: String, indent: Int, withMigration: Bool = true
  ) {
    if key.descriptor.isDecryptedForSync {
      writeLineStart(indent)
      write(RuntimeName.decrypted)
    }
    if key.descriptor.onCorruption != .throw {
      writeLineStart(indent)
      write(RuntimeName.onCorruption)
      write(key.descriptor.onCorruption.rawValue)
      write(")")
    }
    for form in key.reads { writeReadForm(form, as: key.type, source: source, indent: indent) }
    if let valid = key.valid {
      writeLineStart(indent)
      write(RuntimeName.valid)
      write("(\"\(valid.text)\") { \(valid.condition("$0")) }")
    }
    if key.descriptor.protection != .untilFirstUnlock {
      writeLineStart(indent)
      write(RuntimeName.protected)
      write(key.descriptor.protection.rawValue)
      write(")")
    }
    if key.descriptor.isKeptAtSignOut, !key.isFamily {
      writeLineStart(indent)
      write(RuntimeName.keptAtSignOut)
    }
    if let form = key.watchRepresentation { writeWatchRepresentation(form, source: source, indent: indent) }
    if !key.parts.isEmpty {
      writeLineStart(indent)
      writeParts(key.parts, indent: indent)
    }
    if key.isImported {
      writeLineStart(indent)
      write(RuntimeName.imported)
    }
    if withMigration, key.migration != nil {
      writeLineStart(indent)
      writeMigrationReference(key, in: catalog)
    }
    if !key.upgrades.isEmpty { writeUpgrades(key, source: source, indent: indent) }
  }

  /// Writes the representation for the watch, after a comment that names its line in the catalog.
  private mutating func writeWatchRepresentation(_ form: ResolvedKey.WatchRepresentation, source: String, indent: Int) {
    write("\n")
    writeSourceLine(source, form.line, indent: indent)
    writeIndent(indent)
    write(RuntimeName.watched)
    writeType(form.type)
    write(">")
    writeSerializer(form.serializer ?? .json)
    if form.schema != 1 { write(", schema: \(form.schema)") }
    write(RuntimeName.watchTransform)
    write(form.transform.text)
    write(") })")
  }

  /// Writes a further form of a read, after a comment that names its line in the catalog.
  private mutating func writeReadForm(
    _ form: ResolvedKey.ReadForm, as type: ValueType, source: String, indent: Int
  ) {
    write("\n")
    writeSourceLine(source, form.line, indent: indent)
    writeIndent(indent)
    write(RuntimeName.reading)
    writeType(form.type)
    write(">")
    writeSerializer(form.serializer, dates: form.dates)
    write(", ")
    write(RuntimeName.transform)
    write(form.transform?.text ?? form.type.conversion(to: type)?.closure(to: type) ?? "{ $0 }")
    write(")")
  }

  private mutating func writeLineStart(_ indent: Int) {
    write("\n")
    writeIndent(indent)
  }
}

/// Upgrades of earlier schemas.
extension OutputBuffer {
  /// Writes the chain of a key's upgrades as a modifier, with the line of the catalog beside each transform:
  ///
  ///     .upgrading(
  ///       by: SchemaUpgrades(
  ///         decoding: .json,
  ///         by: ProfileV1.upgraded  // Account.yaml:12
  ///       ).then(
  ///         …
  ///       ))
  mutating func writeUpgrades(_ key: ResolvedKey, source: String, indent: Int) {
    write("\n")
    writeIndent(indent)
    write(RuntimeName.upgrading)
    write("\n")
    for (index, upgrade) in key.upgrades.enumerated() {
      writeIndent(indent + 1)
      write(index == 0 ? RuntimeName.upgradeChain : RuntimeName.then)
      write("\n")
      writeIndent(indent + 2)
      write(RuntimeName.decoding)
      write(key.descriptor.serializer.ofUpgrades.rawValue)
      if let dates = key.descriptor.dates { write("(dates: .\(dates.rawValue))") }
      write(",\n")
      writeIndent(indent + 2)
      write(RuntimeName.transform)
      write(upgrade.transform.text)
      write("  ")
      writeSourceLine(source, upgrade.line, indent: 0)
    }
    writeIndent(indent + 1)
    write("))")
  }
}

extension SerializerKind {
  /// The serializer of the old values that a transform takes. It takes the bytes if only the app can decode them.
  fileprivate var ofUpgrades: Kind {
    switch kind {
    case .json, .propertyList, .jsonText, .data, .keyedArchive: kind
    case .custom: .data
    }
  }
}

extension ValueConversion {
  /// A closure in Swift that converts a value.
  fileprivate func closure(to type: ValueType) -> String {
    switch self {
    case .same: "{ $0 }"
    case .isNotZero: "{ $0 != 0 }"
    case .exactly: "{ \(type.swiftText)(exactly: $0) }"
    }
  }
}
