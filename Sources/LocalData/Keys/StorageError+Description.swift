public import LocalDataFoundation
import LocalDataStores

extension StorageError: CustomStringConvertible {
  /// One line that names the subject, the problem and the solution.
  public var description: String {
    // Records have no `replacing`.
    let explanation =
      code == .alreadyStored && subject.isField
      ? "another record has this value, and no two records may. To replace the record with the same key, call save(_:). To "
        + "keep both, give the record another value. To keep the new one only, delete the other record first."
      : explanation(of: code.name)
    let product =
      explanation.contains("router.maintenance")
      ? " router.maintenance is in the product LocalDataMaintenance." : ""
    return "\(subject): \(explanation)\(product)"
  }

  private var sourceName: String { (keyMaterialSource?.id ?? "").escapedForDisplay }

  private func explanation(of name: Code.Name) -> String {
    switch name {
    case .notFound: "nothing is stored. Set a value first, or give the key a default."
    case .unregistered:
      "the key, record or database is in no registered catalog. Add it to a catalog, or register its catalog at launch."
    case .differsFromRegistration:
      "a key of this name is registered with another type, serializer, security or domain. Use the key of the "
        + "registered catalog, or make both declarations the same."
    case .legacyKey: "the key is legacy: only migrations read it. Read the key that replaces it."
    case .needsWaiting: waitingReason?.explanation ?? "the call would wait. Use `await router.get` or `router.set`."
    case .cannotJoinTransaction:
      "a transaction cannot change the value together with the others. Use keys of one suite of preferences or, on Linux, "
        + "of one keychain service, migrate them before, and use a transaction only within its closure."
    case .notAvailableOnPlatform:
      "the key does not exist on this platform. Check its availability. "
        + "The serializer keyedArchive is for Apple's platforms."
    case .invalidAppGroupIdentifier:
      "the app group's identifier is malformed. It has letters, digits, dots, hyphens and underscores, for example "
        + "group.com.example.app."
    case .appGroupNotConfigured:
      "no app group is named. Name it in the key's domain, or call updateStorageConfiguration("
        + "StorageConfiguration(defaultAppGroupIdentifier: \"group.com.example.app\")) before the first use."
    case .appGroupNotEntitled:
      "the app has no container for the app group. Add the group's identifier to the entitlement "
        + "com.apple.security.application-groups of every target that uses it."
    case .invalidName:
      problem.container.map(unnamedContainer)
        ?? "the stored name, suite or directory is empty, too long or not allowed. Correct the declaration or the configuration, "
        + "or pass shorter parameters to a family. Two choices of verbatim parameters must not have one stored name."
    case .invalidCatalog: catalogProblem?.explanation ?? "the catalog cannot be registered. Correct the key."
    case .alreadyStored:
      "a value is stored for the key. Remove it first, or pass `replacing: true` to replace it."
    case .missingReference:
      "the record refers to a record that does not exist. Save that record first, in the same transaction."
    case .stillReferenced: "other records refer to the record. Delete them first, in the same transaction."
    case .accessGroupChanged:
      "values are stored in the keychain access group \(recorded ?? ""), and the app's default group is "
        + "\(current ?? "") now. Nothing was read or changed. Call updateStorageConfiguration("
        + "StorageConfiguration(defaultKeychainAccessGroup: \"\(recorded ?? "")\")) before the first use, and keep the group "
        + "in the entitlement keychain-access-groups."
    case .configurationConflict:
      "the configuration differs from the one in use or from the one that values were stored with. Configure before the "
        + "first use, and do not change where values are stored. If FileStorageConfiguration.subDirectory must change, stop "
        + "the app, copy what the old sub-directory of documents, application support and caches contains to the new one, "
        + "delete .files.location in the app's folder of data, and start the app with the new configuration."
    case .cannotEncode:
      "the value cannot be serialized. Check the serializer and the value's Encodable conformance. In a record, a number is not "
        + "NaN, a date is finite, and a date with `wire: seconds` has whole seconds."
    case .invalidValue:
      "the value is not one that `valid` allows: \((problem.text ?? "").escapedForDisplay). Pass another value."
    case .cannotDecode:
      "the stored bytes are complete but not a value of this type, or not one that `valid` allows. Check the type, the "
        + "serializer and `valid`."
    case .valueTooLarge:
      limit.map { "the value is larger than \($0) bytes. Raise maxSize, or store less." }
        ?? "the value is larger than the system stores. Store less."
    case .queryTooLarge:
      "the condition has more than 500 comparisons, 20 levels or 30,000 values. Split the query."
    case .invalidQuery:
      "the query cannot be run: \((queryProblem ?? "").escapedForDisplay). Correct the SQL, and pass values as parameters."
    case .tooLargeToSync: "the value is larger than the \(limit ?? 0) bytes that can be sent. Store less."
    case .syncUnavailable:
      "no paired device can be reached now, or the key is not sent. Check its syncPolicy, availability and "
        + "`sync: decrypted`, and try again later."
    case .locked: "the device or the keychain is locked. Try again after it is unlocked."
    case .folderUnavailable:
      "the folder of the values cannot be reached: a symbolic link on its path leads nowhere, or the marker file of the "
        + "configured folders does not exist. Nothing was read or changed. Mount the volume, or correct the link or the "
        + "configured folders, and start the app again."
    case .accessDenied: "access is refused. Check permissions, volume and entitlements."
    case .missingEntitlement:
      "this process has no keychain entitlement for the key's access group (-34018). Sign the app with the entitlement "
        + "keychain-access-groups that lists the group. In unsigned tools and in `swift test`, use "
        + "StorageRouter.inMemory()."
    case .invalidated:
      "the enrolled fingers or faces changed after the value was stored, so it can no longer be read. Ask the user to "
        + "sign in again, then set the value again or remove it."
    case .secureEnclaveUnavailable:
      "the key pair must be in the Secure Enclave, and this device has none. Declare `secureEnclave: preferred`, or do without "
        + "the pair on this device."
    case .userCancelled: "the user cancelled the authentication. Ask again when the user wants it."
    case .busy:
      "other calls or another process used the store for too long, or the app is about to be suspended. Try again."
    case .reentrantCall:
      "the call was made in a closure of another call that changes the same store. Make it before or after that call."
    case .forkedProcess:
      "the process was forked after it had opened the store. Fork before the first use of storage, or start another "
        + "program in the child."
    case .outOfSpace: "no space is left on the volume. What was stored before is still there. Free space and try again."
    case .preferencesFull:
      "all preferences together would become larger than the system stores. What was stored before is still there. Remove "
        + "preferences that are no longer needed, or store large values in the domain fileSystem."
    case .io: "cannot \((operation ?? .read).words): \(systemProblem(errno ?? 0))"
    case .corrupted:
      "the stored bytes are damaged, or another release of the app stored them with another security, for example before an "
        + "update was undone. That release still reads them. Otherwise set the value anew or remove it."
    case .locationsDamaged:
      "the library's record of where values are stored is damaged. The values are not damaged: do not "
        + "change them, and call router.maintenance.setAsideDamaged(_:) with the key's domain."
    case .quarantinedFileDamaged:
      "the file of a value that was moved aside is damaged, so that the value cannot be restored. Restore the file from a "
        + "backup, or call router.maintenance.removeQuarantined(_:) with the value."
    case .quarantineFull:
      "the stored bytes do not decode, and the quarantine is full (256 values). Set the value anew, or call "
        + "router.maintenance.removeQuarantined(_:) with values that are no longer needed."
    case .databaseDamaged:
      "the database of the value cannot be opened: it is damaged, empty or another program's. Restore it from a backup, "
        + "or call router.maintenance.setAsideDamaged(_:) with the domain of the key or database. Values that can still be read stay; set the "
        + "others anew."
    case .containerDamaged:
      "a database that may contain encrypted values cannot be opened: it is damaged, empty or another program's. Restore it "
        + "from a backup, or call router.maintenance.setAsideDamaged(\(damagedDomain?.call ?? "_:")), and try again."
    case .keyMaterialDamaged:
      "the keystore's key file or credential, its root key, or the record of a master key is damaged. Restore the "
        + "keystore and its key from a backup. Without one, call router.maintenance.setAsideDamaged(_:) with the domain "
        + "keychain, abandonKeystores() and abandonEncryptedData(), in this order. Each moves only unusable data "
        + "aside. If the record of a provider's key is damaged, call forgetKeyMaterial(of:)."
    case .keyMaterialExposed:
      "other users can read or replace the key file of the keystore. Run `chmod 600` on keystore.key and `chmod 700` on its "
        + "folder. If another user may have read the key, set the secrets anew."
    case .retiredKeyInUse:
      "a retired master key is still needed. Call router.maintenance.rotateKeys() until it is complete, then try again. If "
        + "it never completes because a value is damaged, call router.maintenance.abandonEncryptedData(includingDamaged: true)."
    case .overlappingRoots:
      "two folders of the configuration contain the same files. Give data, caches, groups and documents folders of which "
        + "none contains another, for example different XDG_DATA_HOME and XDG_CACHE_HOME."
    case .locationChanged:
      "the app's folder of data does not exist, and '\((recorded ?? "").escapedForDisplay)' contains values of the app: HOME or "
        + "XDG_DATA_HOME has changed. Start the app with the earlier environment, or move the folder to the new place. To begin "
        + "with no values, create the new folder."
    case .rootKeySourceConflict:
      "the root key of the keystore is encrypted with the source '\((recorded ?? "").escapedForDisplay)', and the configured source is "
        + "another one. Configure the recorded rootKeySource, or call router.maintenance.changeRootKeySource(from:)."
    case .wrongRootKey:
      "the configured rootKeySource gives another key than the one that encrypted the keystore's root key. Ask for the "
        + "passphrase again, or restore the key file or credential. If the key is lost, call "
        + "router.maintenance.abandonKeystores()."
    case .authenticationFailed:
      "the stored value cannot be decrypted: it was encrypted with another key, or changed since. Set it anew or remove it. "
        + "If a provider gives another key than before, correct it, or call router.maintenance.forgetKeyMaterial(of:). "
        + "If no registered key owns it, call router.maintenance.abandonEncryptedData(includingDamaged: true)."
    case .keyMaterialMissing:
      "the key that encrypted the value is not available. Restore the keychain, or the keystore's key file or credential. If "
        + "the key is lost for good, call router.maintenance.abandonEncryptedData(). If the keystore's own key is lost, call "
        + "abandonKeystores() before it."
    case .noKeyMaterialProvider:
      "no provider is registered for the key source '\(sourceName)'. Call "
        + "registerKeyMaterialProvider(_:for:) at launch."
    case .keyMaterialProviderFailed:
      "the provider of the key source '\(sourceName)' threw an error. Try again when it can answer."
    case .keyMaterialTooShort:
      "the provider of the key source '\(sourceName)' returned too few bytes: HKDF needs 32 random bytes, "
        + "PBKDF2 a passphrase that is not empty."
    case .unknownFormatVersion: "the stored bytes have a format that this version does not know. Update the app."
    case .newerSchema:
      "the stored value was written by a newer version of the app. Update the app. If the error names a field of a record and "
        + "there is no newer version, the declaration of the field has changed: give it the next number."
    case .newerValue:
      "a newer version of the app stored a value that this version does not know, for example a new case of an enum, or a "
        + "field of a record has a value that `valid` does not allow. The value is not damaged, and stays. Update the app, "
        + "or widen `valid`."
    case .migrationFailed:
      "a migration or schema upgrade failed; the stored value is unchanged. Debug the transform, which threw the error's "
        + "`underlyingError`. If the error is about a database, there are files at its present address and at an earlier "
        + "one: move the file away whose rows are not needed."
    }
  }
}

extension StorageDomain {
  /// The expression that names the domain of a database, for example `.userDefaults(suite: "old")`.
  fileprivate var call: String {
    let argument =
      fields.suite.map { "suite: \"\($0.escapedForDisplay)\"" }
      ?? fields.identifier.map { "identifier: \"\($0.escapedForDisplay)\"" }
    return kind.isFile ? "_:" : ".\(kind.rawValue)(\(argument ?? ""))"
  }
}

extension StorageError.Operation {
  fileprivate var words: String {
    switch self {
    case .read: "read the value"
    case .write: "write the value"
    case .migrate: "migrate the value"
    case .sync: "keep the history of synced values"
    }
  }
}

/// Returns what the app does not say about a container whose name differs by build.
private func unnamedContainer(_ configured: ConfiguredName) -> String {
  let name = configured.name.escapedForDisplay
  let form = configured.pattern.map { " like '\($0.escapedForDisplay)'" } ?? ""
  return "StorageConfiguration.containers gives no name\(form) for '\(name)'. Call updateStorageConfiguration("
    + "StorageConfiguration(containers: [\"\(name)\": …])) before the catalog is registered."
}

/// Returns what a failed call of the system means, and what to do.
private func systemProblem(_ errno: Int32) -> String {
  let advice =
    switch errno {
    case EISDIR, ENOTDIR, ELOOP:
      "A folder, a link or another file is in the place of one of the app's files or folders of storage. Move it away, or "
        + "correct the configured folders."
    case EMFILE:
      "Close files that the app no longer needs, or raise the limit. Each suite of preferences that is in use needs about "
        + "seven files on Linux."
    case ENOMEM: "Free memory, then try again."
    default: "Check the volume and the permissions of the app's folders."
    }
  return "\(systemText(errno)). \(advice)"
}

/// Returns the system's text of an `errno`, or names a status of Keychain Services.
private func systemText(_ code: Int32) -> String {
  if code < 0 { return "the keychain answered with status \(code)" }
  return "\(String(cString: strerror(code))) (errno \(code))"
}

extension StorageError.Subject: CustomStringConvertible {
  /// `'user_token' in keychain`, or with the container `'user_token' in keychain (service 'com.example.app')`.
  public var description: String {
    var words = shortDescription
    if let container { words += " (\(container))" }
    if let sourceOf { words += ", a source of '\(sourceOf.escapedForDisplay)'" }
    return words
  }

  /// `'user_token' in keychain`.
  package var shortDescription: String {
    (key.map { $0.isEmpty ? "the item without an account" : "'\($0.escapedForDisplay)'" } ?? "storage")
      + (domain.map { " in \($0.rawValue)" } ?? "")
  }
}

extension StorageContainer {
  /// The parts of a container that its domain does not name, for errors; `nil` if there are none.
  var words: String? {
    let fields = domain.fields
    let texts = [
      ("suite", fields.suite), ("app group", fields.identifier), ("service", fields.service),
      ("access group", fields.accessGroup),
    ]
    let words =
      texts.compactMap { label, text in text.map { $0.isEmpty ? "no \(label)" : "\(label) '\($0.escapedForDisplay)'" } }
      + (fields.directory.map { ["directory \($0.words)"] } ?? [])
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

extension FileDirectory {
  fileprivate var words: String {
    text.map { "'\($0.escapedForDisplay)'" } ?? kind.rawValue
  }
}

extension StorageError: CustomReflectable {
  /// The code and the subject. The ``underlyingError`` may quote a value.
  public var customMirror: Mirror { Mirror(self, children: ["code": code, "subject": subject]) }
}

extension StorageError: LocalizedError {
  /// The text of `description`.
  public var errorDescription: String? { description }
}

extension StorageError.WaitingReason {
  fileprivate var explanation: String {
    switch self {
    case .notPlainPreference:
      "the key is not a plain preference: it is stored in another domain, is encrypted or has a retention, or a custom "
        + "migration uses it. Use `await router.get`, `await router.set` and `await router.remove`."
    case .migrationPending:
      "the key's migration has not run yet. Call `await router.migrations.migrateAll()` at launch, or use `await router.get` "
        + "and `await router.set`."
    case .changeIsRecorded:
      "the log of the key's migration must record the change. Use `await router.set` or `await router.remove`."
    }
  }
}

extension StorageError.CatalogProblem {
  fileprivate var explanation: String {
    switch self {
    case .duplicateKey: "another registered key is stored at the same address. Rename one of the two."
    case .missingOwner: "the key has no owner. Name the team or person who is responsible for it."
    case .missingDescription: "the key has no description. Describe its value in a sentence."
    case .transformInPlace:
      "a migration transforms the value at the key's own address. Use a new name, or upgrade the key's schema."
    case .sharedSource:
      "two migration sources have one address. In a catalog, let each key take a `field` or a `transform` of one legacy key."
    case .migratingSource:
      "the migration of a source cannot be followed. List the source's own sources as steps of the key."
    case .synchronizableMasterKey:
      "the item is synchronizable, but its value is encrypted with this device's master key. Use the security .keychain(), "
        + "or a key source that the other devices have too."
    case .ineffectiveSecurity:
      "the security protects nothing in this domain. `.keychain` is for the domain keychain, and encryptedFileSystem needs "
        + "`.recommended` or `.encrypted`. If an earlier release stored the value, migrate it from a legacy key."
    case .keyDerivation:
      "PBKDF2 needs from \(KeyDerivation.iterations.lowerBound) to \(KeyDerivation.iterations.upperBound) iterations. On Linux "
        + "it also needs the trait Passphrases: enable it for the package LocalData in Package.swift."
    case .corruptionPolicy:
      "the key cannot have its onCorruption. `useDefault` needs a default and the security `.none`; `quarantine` needs a key "
        + "that is not synced, has no retention, and is not secured by the keychain alone; `skipElements` needs a list or a set "
        + "of an enum that is not encrypted."
    case .missingSyncFeature:
      "the key is synced, and no registered catalog names the feature. Register the key's catalog. If it is generated, generate "
        + "it again; if it is written by hand, add the product LocalDataSync to the target, `import LocalDataSync`, and add "
        + "`static let features: [StorageFeature] = [.sync]` to the catalog."
    case .alreadyRegistered: "the catalog is registered already. Register it once, at launch."
    }
  }
}

extension String {
  /// The text with control and format characters as `\u{…}`. A name from a catalog must not control a terminal.
  var escapedForDisplay: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
