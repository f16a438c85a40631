import CatalogModel
import StorageVocabulary

/// The vocabulary as JSON, in the form that its `Codable` reads.
extension OutputBuffer {
  mutating func writeFieldName(_ name: StaticString, isFirst: Bool = false) {
    write(isFirst ? "\"" : ",\"")
    write(name)
    write("\":")
  }

  mutating func writeField(_ name: StaticString, _ text: String, isFirst: Bool = false) {
    writeFieldName(name, isFirst: isFirst)
    writeJSON(text)
  }

  mutating func writeJSON(_ domain: StorageDomain) {
    switch domain {
    case .userDefaults(nil), .appGroupUserDefaults(nil), .keychain(nil, nil, false):
      return writeJSON(domain.kind.rawValue)
    default: break
    }
    write("{")
    writeJSON(domain.kind.rawValue)
    write(":{")
    switch domain {
    case .userDefaults(let suite): if let suite { writeField("suite", suite, isFirst: true) }
    case .appGroupUserDefaults(let identifier):
      if let identifier { writeField("identifier", identifier, isFirst: true) }
    case .keychain(let service, let accessGroup, let synchronizable):
      if let service { writeField("service", service, isFirst: true) }
      if let accessGroup { writeField("accessGroup", accessGroup, isFirst: service == nil) }
      if synchronizable {
        writeFieldName("synchronizable", isFirst: service == nil && accessGroup == nil)
        write("true")
      }
    case .fileSystem(let directory), .encryptedFileSystem(let directory): writeDirectory(directory, isFirst: true)
    case .appGroupFileSystem(let identifier, let directory):
      if let identifier { writeField("identifier", identifier, isFirst: true) }
      writeDirectory(directory, isFirst: identifier == nil)
    }
    write("}}")
  }

  private mutating func writeDirectory(_ directory: FileDirectory, isFirst: Bool) {
    writeFieldName("directory", isFirst: isFirst)
    guard case .custom(let path) = directory else { return writeJSON(directory.kind.rawValue) }
    writeCase(directory.kind.rawValue, path)
  }

  private mutating func writeCase(_ name: String, _ text: String) {
    write("{")
    writeJSON(name)
    write(":")
    writeJSON(text)
    write("}")
  }

  mutating func writeJSON(_ security: SecurityPolicy) {
    switch security {
    case .none, .recommended: writeJSON(security.kind.rawValue)
    case .keychain, .encrypted: writeExplicitJSON(security)
    }
  }

  /// Writes every part of a policy, including the parts of ``SecurityPolicy/recommended``.
  mutating func writeExplicitJSON(_ security: SecurityPolicy) {
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

  mutating func writeJSON(_ serializer: SerializerKind) {
    guard case .custom(let name) = serializer else { return writeJSON(serializer.kind.rawValue) }
    writeCase(serializer.kind.rawValue, name)
  }

  mutating func writeJSON(_ retention: Retention) {
    switch retention {
    case .maxAge(let seconds): writeCase(Retention.Kind.maxAge.rawValue, Retention.text(seconds: seconds))
    case .untilRelaunch: writeCase(Retention.Kind.until.rawValue, Retention.End.relaunch.rawValue)
    case .untilReinstall: writeCase(Retention.Kind.until.rawValue, Retention.End.reinstall.rawValue)
    }
  }

  /// Writes the fields of a key that most keys do not have.
  ///
  /// - Parameter isExplicit: True for a document, which has the steps of a migration. The runtime has them in words.
  mutating func writeRest(_ key: ResolvedKey, isExplicit: Bool) {
    if !key.descriptor.parameters.isEmpty {
      writeFieldName("parameters")
      for (index, parameter) in key.descriptor.parameters.enumerated() {
        write(index == 0 ? "[{" : ",{")
        writeField("name", parameter.name, isFirst: true)
        writeField("type", parameter.type)
        write("}")
      }
      write("]")
    }
    if let value = key.descriptor.defaultValue { writeField("default", value) }
    if key.descriptor.schema != 1 {
      writeFieldName("schema")
      write(key.descriptor.schema)
    }
    if isExplicit {
      if let migration = key.migration { writeMigration(migration) }
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
  }
}
