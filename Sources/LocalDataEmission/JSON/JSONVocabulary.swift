package import LocalDataModel
package import LocalDataVocabulary

/// The vocabulary as JSON, in the form that its `Codable` reads.
extension OutputBuffer {
  package mutating func writeFieldName(_ name: StaticString, isFirst: Bool = false) {
    write(isFirst ? "\"" : ",\"")
    write(name)
    write("\":")
  }

  package mutating func writeField(_ name: StaticString, _ text: String, isFirst: Bool = false) {
    writeFieldName(name, isFirst: isFirst)
    writeJSON(text)
  }

  /// Writes a value of the language in the form in which a catalog writes it.
  package mutating func writeJSON(_ value: FieldValue) {
    switch value {
    case .absent: write("null")
    case .flag(let flag): write(flag ? "true" : "false")
    case .integer(let number): write(number)
    case .text(let text): writeJSON(text)
    case .list(let elements): writeArray(elements) { $0.writeJSON($1) }
    case .map(let entries):
      write("{")
      for (index, entry) in entries.enumerated() {
        if index > 0 { write(",") }
        writeJSON(entry.name)
        write(":")
        writeJSON(entry.value)
      }
      write("}")
    }
  }

  package mutating func writeJSON(_ domain: StorageDomain) { writeJSON(FieldValue(domain)) }

  private mutating func writeCase(_ name: String, _ text: String) {
    write("{")
    writeJSON(name)
    write(":")
    writeJSON(text)
    write("}")
  }

  package mutating func writeJSON(_ security: SecurityPolicy) {
    switch security {
    case .none, .recommended: writeJSON(security.kind.rawValue)
    case .keychain, .encrypted: writeExplicitJSON(security)
    }
  }

  /// Writes every part of a policy, including the parts of ``SecurityPolicy/recommended``.
  package mutating func writeExplicitJSON(_ security: SecurityPolicy) {
    switch security {
    case .none: writeJSON(security.kind.rawValue)
    case .keychain(let accessibility, let accessControl):
      write("{\"keychain\":{")
      writeField("accessibility", accessibility.rawValue, isFirst: true)
      if let accessControl { writeField("accessControl", accessControl.rawValue) }
      write("}}")
    case .encrypted(let policy):
      write("{\"encrypted\":{")
      writeField("algorithm", policy.algorithm.rawValue, isFirst: true)
      writeFieldName("keyDerivation")
      switch policy.keyDerivation {
      case .hkdf: writeJSON(policy.keyDerivation.kind.rawValue)
      case .pbkdf2(let iterations):
        write("{\"pbkdf2\":{\"iterations\":")
        write(iterations)
        write("}}")
      }
      writeFieldName("keySource")
      switch policy.keySource {
      case .masterKey: writeJSON(policy.keySource.kind.rawValue)
      case .external(let source): writeCase(policy.keySource.kind.rawValue, source.id)
      }
      write("}}")
    }
  }

  package mutating func writeJSON(_ serializer: SerializerKind) { writeJSON(FieldValue(serializer)) }

  package mutating func writeJSON(_ retention: Retention) {
    switch retention {
    case .maxAge(let seconds): writeCase(Retention.Kind.maxAge.rawValue, Retention.text(seconds: seconds))
    case .untilRelaunch: writeCase(Retention.Kind.until.rawValue, Retention.End.relaunch.rawValue)
    case .untilReinstall: writeCase(Retention.Kind.until.rawValue, Retention.End.reinstall.rawValue)
    }
  }

  /// Writes the fields of a key that most keys do not have.
  private mutating func writeSigning(_ signing: StorageSigningDescriptor) {
    writeFieldName("signing")
    write("{")
    writeField("secureEnclave", signing.secureEnclave.rawValue, isFirst: true)
    if let tag = signing.applicationTag { writeField("applicationTag", tag) }
    if signing.isExportable {
      writeFieldName("exportable")
      write("true")
    }
    if signing.isKeptAtSignOut { writeField("signOut", SignOutPolicy.keep.rawValue) }
    write("}")
  }

  mutating func writeRest(_ key: ResolvedKey, _ writeMigration: ((inout OutputBuffer, ResolvedMigration) -> Void)?) {
    if !key.descriptor.parameters.isEmpty {
      writeFieldName("parameters")
      for (index, parameter) in key.descriptor.parameters.enumerated() {
        write(index == 0 ? "[{" : ",{")
        writeField("name", parameter.name, isFirst: true)
        writeField("type", parameter.type)
        if let encoding = parameter.encoding { writeField("encoding", encoding.rawValue) }
        write("}")
      }
      write("]")
    }
    if let value = key.descriptor.defaultValue { writeField("default", value) }
    if key.descriptor.schema != 1 {
      writeFieldName("schema")
      write(key.descriptor.schema)
    }
    if let writeMigration {
      if let migration = key.migration { writeMigration(&self, migration) }
    } else if let migration = key.descriptor.migration {
      writeField("migration", migration)
    }
    if key.descriptor.isLegacy {
      writeFieldName("legacy")
      write("true")
    }
    if let deprecation = key.descriptor.deprecation { writeField("deprecated", deprecation) }
    if key.descriptor.isDecryptedForSync { writeField("sync", SyncTransfer.decrypted.rawValue) }
    if let form = key.descriptor.watchRepresentation { writeField("watch", form) }
    if key.descriptor.onCorruption != .throw { writeField("onCorruption", key.descriptor.onCorruption.rawValue) }
    if key.descriptor.protection != .untilFirstUnlock { writeField("protection", key.descriptor.protection.rawValue) }
    if key.descriptor.isKeptAtSignOut { writeField("signOut", SignOutPolicy.keep.rawValue) }
    if let signing = key.descriptor.signing { writeSigning(signing) }
  }
}
