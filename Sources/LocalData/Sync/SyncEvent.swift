/// Something that happened to a key on its way to or from the paired device, or to the record of versions. No event
/// contains a value, or a parameter of a family.
public enum SyncEvent: Sendable, Hashable {
  /// The latest value, or its removal, was handed to the transport.
  case sent(StorageError.Subject)
  /// It was to be sent and was not. What is stored here, and what was sent before, stays.
  case notSent(StorageError.Subject, SendingProblem)
  /// A newer value, or its removal, arrived and is stored.
  case received(StorageError.Subject)
  /// Something arrived that was not stored. What is stored here stays.
  ///
  /// The subject is without a key where none of the registered ones is meant.
  case ignored(StorageError.Subject, ReceivingProblem)
  /// A value was changed here, and its version could not be recorded. It is sent with the next sync.
  case notRecorded(StorageError.Subject, StorageError)
  /// The record of versions was damaged, or was written by a later version of the app. It was set aside, and this device
  /// asks the paired device for all of its values.
  case recordSetAside
  /// Another device uses the identifier of this one, or an earlier state of this device was restored. This device has a
  /// new identifier now, and asks the paired device for all of its values.
  case deviceRenewed
  /// The app on the paired device is of the first release. Its changes are applied; it refuses those that are sent from
  /// here until it is updated.
  case peerIsOfFirstRelease

  /// Why a value was not sent.
  public enum SendingProblem: Sendable, Hashable {
    /// There is no transport, or its session is not activated, paired and installed.
    case unavailable
    /// The value has more bytes than ``SyncConfiguration/maxAutoSyncSize``.
    case tooLarge(limit: Int)
    /// The value, and what the paired device has not acknowledged yet, have more bytes than a payload may have. It is sent
    /// when there is room.
    case payloadFull(limit: Int)
    /// The transport refused the payload.
    case transportFailed
    /// The value could not be read.
    case failed(StorageError)
  }

  /// Why something that arrived was not stored.
  public enum ReceivingProblem: Sendable, Hashable {
    /// No registered key has this name and domain.
    case unknownKey
    /// The key's policy is never.
    case policyNever
    /// The key's availability keeps it on one device.
    case notAvailable
    /// The key is secured, and its catalog does not allow its value to leave the device decrypted: `sync: decrypted`.
    case notDecrypted
    /// The key is sent to the watch as a smaller representation, which is not sent back from there.
    case watchRepresentation
    /// The value was written under a newer schema than the key's.
    case newerSchema
    /// The value was written under an older schema than the key's, and the key has no upgrade from it.
    case olderSchema
    /// The value has more bytes than the key allows, or than ``SyncConfiguration/maxAutoSyncSize``.
    case tooLarge
    /// The bytes are no value of the key's type.
    case wrongType
    /// The value's version is one that no device can have given.
    case counterOutOfRange
    /// The bytes are no payload: they are damaged, cut short, or come from another program.
    case malformedPayload
    /// The payload is of a later form than this version knows.
    case unknownPayloadVersion
    /// The payload has more bytes than one may have.
    case payloadTooLarge
    /// The value could not be stored; it is applied when it arrives again.
    case failed(StorageError)
  }
}
