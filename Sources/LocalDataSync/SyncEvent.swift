public import LocalData

/// An event of the sync of a key, or of the history of versions. No event contains a value or a parameter of a family.
public enum SyncEvent: Sendable, Hashable {
  /// The latest value, or its removal, was passed to the transport.
  case sent(StorageError.Subject)
  /// The latest value, or its removal, could not be sent. The stored value, and values that were sent before, do not change.
  case notSent(StorageError.Subject, SendingProblem)
  /// A newer value, or its removal, was received and stored.
  case received(StorageError.Subject)
  /// A received value was not stored. The stored value does not change.
  ///
  /// The subject has no key if the received value belongs to no registered key.
  case ignored(StorageError.Subject, ReceivingProblem)
  /// A value was changed on this device, and its version could not be noted. The value is sent with the next sync.
  case versionNotNoted(StorageError.Subject, StorageError)
  /// The history of versions was damaged, or was written by a later version of the app. It was set aside, and this device
  /// asks the paired device for all of its values.
  case historySetAside
  /// Another device uses the identifier of this one, or an earlier state of this device was restored. This device has a
  /// new identifier now, and asks the paired device for all of its values.
  case deviceRenewed

  /// The reason for which a value was not sent.
  public enum SendingProblem: Sendable, Hashable {
    /// There is no transport, or its session is not activated, paired and installed.
    case unavailable
    /// The value has more bytes than ``SyncConfiguration/maxAutoSyncSize``.
    case tooLarge(limit: Int)
    /// The value and the changes that the paired device has not acknowledged yet have more bytes than a payload may have. The
    /// value is sent when there is room.
    case payloadFull(limit: Int)
    /// The transport refused the payload.
    case transportFailed
    /// The value could not be read.
    case failed(StorageError)
  }

  /// The reason for which a received value was not stored.
  public enum ReceivingProblem: Sendable, Hashable {
    /// No registered key has this name and domain.
    case unknownKey
    /// The key's policy is never.
    case policyNever
    /// The key's availability is limited to one device.
    case notAvailable
    /// The key is secured, and its catalog does not allow its value to leave the device decrypted: `sync: decrypted`.
    case notDecrypted
    /// The key has a smaller representation for the watch. Such a value is never sent back from the watch.
    case watchRepresentation
    /// The value was written under a newer schema than the key's.
    case newerSchema
    /// The value was written under an older schema than the key's, and the key has no upgrade from it.
    case olderSchema
    /// The value contains a case of an enum that this version of the app does not have. It is requested again after an update
    /// that adds the case.
    case newerValue
    /// The value has more bytes than the key allows, or than ``SyncConfiguration/maxAutoSyncSize``.
    case tooLarge
    /// The bytes are no value of the key's type.
    case wrongType
    /// The counter of the value's version, or of the whole payload, is more than 278 years ahead of this device's clock.
    case counterOutOfRange
    /// The bytes are not a payload: they are damaged, incomplete, or from another program.
    case malformedPayload
    /// The payload has a later format than this version of the library supports.
    case unknownPayloadVersion
    /// The payload has more bytes than the format allows.
    case payloadTooLarge
    /// The value could not be stored now. It is stored when it is received again.
    case failed(StorageError)
  }
}
