import LocalDataAudit
import LocalDataVocabulary

/// Domains and policies as Swift source. Arguments that are equal to their default are omitted.
extension OutputBuffer {
  mutating func writeDomain(_ domain: StorageDomain) {
    write(".")
    write(domain.kind.rawValue)
    write("(")
    var isFirst = true
    switch domain {
    case .userDefaults(let suite): writeArgument(RuntimeName.suite, suite, &isFirst)
    case .appGroupUserDefaults(let identifier): writeArgument(RuntimeName.identifier, identifier, &isFirst)
    case .keychain(let service, let accessGroup, let synchronizable):
      writeArgument(RuntimeName.service, service, &isFirst)
      writeArgument(RuntimeName.accessGroup, accessGroup, &isFirst)
      if synchronizable {
        if !isFirst { write(", ") }
        write(RuntimeName.synchronizable)
      }
    case .fileSystem(let directory), .encryptedFileSystem(let directory): writeDirectory(directory)
    case .appGroupFileSystem(let identifier, let directory):
      writeArgument(RuntimeName.identifier, identifier, &isFirst)
      if !isFirst { write(", ") }
      writeDirectory(directory)
    }
    write(")")
  }

  private mutating func writeArgument(_ label: StaticString, _ text: String?, _ isFirst: inout Bool) {
    guard let text else { return }
    if !isFirst { write(", ") }
    isFirst = false
    write(label)
    writeContainer(text)
  }

  /// Writes the name of a container, or `StorageDomain.configured("statistics", like: "*.statistics")`.
  mutating func writeContainer(_ text: String) {
    guard let configured = ConfiguredName(text: text) else { return writeLiteral(text) }
    write(RuntimeName.configured)
    writeLiteral(configured.name)
    if let pattern = configured.pattern {
      write(RuntimeName.like)
      writeLiteral(pattern)
    }
    write(")")
  }

  private mutating func writeDirectory(_ directory: FileDirectory) {
    write(RuntimeName.directory)
    write(".")
    write(directory.kind.rawValue)
    guard let text = directory.text else { return }
    write("(")
    if directory.exact == nil { writeLiteral(text) } else { write("." + text) }
    write(")")
  }

  mutating func writeSecurity(_ security: SecurityPolicy) {
    write(".")
    write(security.kind.rawValue)
    switch security {
    case .none, .recommended: break
    case .keychain(let accessibility, let accessControl):
      write("(")
      write(RuntimeName.accessibility)
      write(accessibility.rawValue)
      if let accessControl {
        write(", ")
        write(RuntimeName.accessControl)
        write(accessControl.rawValue)
      }
      write(")")
    case .encrypted(let policy):
      write("(")
      writeEncryption(policy)
      write(")")
    }
  }

  /// Writes, for example, `.aes256GCM()`, which uses the master key.
  private mutating func writeEncryption(_ policy: SecurityPolicy.EncryptionPolicy) {
    write(".")
    write(policy.algorithm.rawValue)
    write("(")
    if policy.keyDerivation != .hkdf { writeDerivation(policy.keyDerivation) }
    if case .external(let source) = policy.keySource {
      if policy.keyDerivation != .hkdf { write(", ") }
      write(RuntimeName.keySource)
      write(policy.keySource.kind.rawValue)
      write("(")
      write(RuntimeName.keyMaterial)
      writeLiteral(source.id)
      write("))")
    }
    write(")")
  }

  private mutating func writeDerivation(_ derivation: KeyDerivation) {
    write(RuntimeName.keyDerivation)
    write(derivation.kind.rawValue)
    guard case .pbkdf2(let iterations) = derivation else { return }
    write("(")
    write(RuntimeName.iterations)
    writeGrouped(String(iterations))
    write(")")
  }

  mutating func writeRetention(_ retention: Retention) {
    write(RuntimeName.retention)
    switch retention {
    case .maxAge(let seconds):
      write(RuntimeName.maxAge)
      writeGrouped(String(seconds))
      write(")")
    case .untilRelaunch: write(RuntimeName.untilRelaunch)
    case .untilReinstall: write(RuntimeName.untilReinstall)
    }
  }

  /// Writes digits, and groups of three if there are more than four: `600_000`.
  mutating func writeGrouped(_ digits: String) {
    let isNegative = digits.utf8.first == UInt8(ascii: "-")
    let count = digits.utf8.count - (isNegative ? 1 : 0)
    for (index, digit) in digits.utf8.enumerated() {
      let left = digits.utf8.count - index
      if count > 4, left.isMultiple(of: 3), left < count { write("_") }
      write(digit)
    }
  }
}
