public import Foundation
import StorageVocabulary

extension StorageError {
  /// The key and kind of domain that the error is about.
  public var subject: Subject {
    switch self {
    case .notFound(let subject), .unregistered(let subject), .legacyKey(let subject),
      .notAvailableOnPlatform(let subject), .invalidAppGroupIdentifier(let subject), .invalidName(let subject),
      .invalidCatalog(let subject, _), .configurationConflict(let subject), .cannotEncode(let subject),
      .cannotDecode(let subject), .valueTooLarge(let subject, _), .tooLargeToSync(let subject, _),
      .syncUnavailable(let subject), .locked(let subject), .accessDenied(let subject),
      .missingEntitlement(let subject), .invalidated(let subject), .userCancelled(let subject), .busy(let subject),
      .outOfSpace(let subject), .io(let subject, _),
      .corrupted(let subject), .authenticationFailed(let subject), .keyMaterialMissing(let subject),
      .unknownFormatVersion(let subject), .newerSchema(let subject), .migrationFailed(let subject):
      subject
    }
  }
}

/// Where it happened, what it means and what to do, in one line without a value.
extension StorageError: CustomStringConvertible {
  /// One line: the subject, what happened, what to do.
  public var description: String { "\(subject): \(explanation)" }

  private var explanation: String {
    switch self {
    case .notFound: "nothing is stored. Set it first, or give the key a default."
    case .unregistered: "the key is in no registered catalog. Add it to one, or register its catalog."
    case .legacyKey: "the key is legacy, a source of migrations only. Read the key that replaces it."
    case .notAvailableOnPlatform: "the key does not exist on this platform. See its availability."
    case .invalidAppGroupIdentifier:
      "the app group is missing, malformed, or not among the app's entitlements. Check its identifier."
    case .invalidName: "the stored name, suite or directory cannot be one. Check the declaration and configuration."
    case .invalidCatalog(_, let problem): problem.explanation
    case .configurationConflict:
      "the configuration differs from the one in use or from what is stored. Configure before the first use, "
        + "and keep recorded locations as they were."
    case .cannotEncode: "the value cannot be serialized. Check the serializer and the value's Encodable conformance."
    case .cannotDecode: "the stored bytes are whole but not a value of this type. Check type and serializer."
    case .valueTooLarge(_, let limit): "the value is larger than \(limit) bytes. Raise maxSize, or store less."
    case .tooLargeToSync(_, let limit): "the value is larger than the \(limit) bytes that may be sent."
    case .syncUnavailable:
      "no paired device can be reached now, or the key is not one that is sent. See its syncPolicy, availability and "
        + "`sync: resecure`, and try again later."
    case .locked: "the device or keychain is locked. Try again once it is unlocked."
    case .accessDenied: "access is refused. Check permissions, volume and entitlements."
    case .missingEntitlement:
      "this process has no keychain entitlement for the key's access group (-34018). Sign the app with the entitlement "
        + "keychain-access-groups that lists the group. In unsigned tools and in `swift test`, use "
        + "StorageRouter.inMemory()."
    case .invalidated:
      "the enrolled fingers or faces changed after the value was stored, so the system no longer gives it out. Ask the "
        + "user to sign in again, then set the value anew or remove it."
    case .userCancelled: "the user declined."
    case .busy: "another process holds the store. Try again."
    case .outOfSpace: "no space is left on the volume. What was stored before is still there."
    case .io(_, let errno): "a system call failed with errno \(errno)."
    case .corrupted: "the stored bytes are damaged."
    case .authenticationFailed: "the stored value does not open: sealed under another key, or changed since."
    case .keyMaterialMissing: "the key that sealed the value is not available. Restore it, or register its provider."
    case .unknownFormatVersion: "the stored bytes have a format that this version does not know. Update the app."
    case .newerSchema: "the stored value was written by a newer version of the app. Update the app."
    case .migrationFailed: "a migration or an upgrade did not succeed. What is stored is untouched."
    }
  }
}

extension StorageError.Subject: CustomStringConvertible {
  /// `'user_token' in keychain`.
  public var description: String {
    switch (key, domain) {
    case (let key?, let domain?): "'\(key.escapedForDisplay)' in \(domain.rawValue)"
    case (let key?, nil): "'\(key.escapedForDisplay)'"
    case (nil, let domain?): "storage in \(domain.rawValue)"
    case (nil, nil): "storage"
    }
  }
}

extension StorageError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension StorageError.CatalogProblem {
  fileprivate var explanation: String {
    switch self {
    case .duplicateKey: "another registered key lies in the same place. Rename one of the two."
    case .missingOwner: "the key has no owner. Say who answers for it."
    case .missingDescription: "the key has no description. Say what it is."
    case .transformInPlace:
      "a migration transforms the value at the key's own address. Use a new name, or upgrade the key's schema."
    case .sharedSource:
      "two migration sources have one address. Give one of the keys a custom migration that leaves the source."
    case .migratingSource:
      "the migration of a source cannot be followed. List the source's own sources as steps of the key."
    case .alreadyRegistered: "the catalog is registered already. Register it once, at launch."
    }
  }
}

extension String {
  /// Control and format characters as `\u{…}`: a name that comes from a catalog must not steer a terminal.
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
