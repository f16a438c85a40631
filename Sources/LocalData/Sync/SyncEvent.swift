/// What happened to a key on its way to or from the paired device. No event holds a value, or a parameter of a family.
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

  /// Why a value was not sent.
  public enum SendingProblem: Sendable, Hashable {
    /// There is no transport, or its session is not activated, paired and installed.
    case unavailable
    /// The value has more bytes than ``SyncConfiguration/maxAutoSyncSize``.
    case tooLarge(limit: Int)
    /// All that was ever sent and this value together have more bytes than a payload may have.
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
    /// The key is secured, and nothing says that it may travel: `sync: resecure`.
    case notResecured
    /// The key is sent to the watch in a smaller form, and does not come back from there.
    case watchForm
    /// The value was written under a newer schema than the key's.
    case newerSchema
    /// The value was written under an older schema than the key's.
    case olderSchema
    /// The value has more bytes than the key allows, or than ``SyncConfiguration/maxAutoSyncSize``.
    case tooLarge
    /// The bytes are no value of the key's type.
    case wrongType
    /// The value's version is further ahead than any device's can be.
    case counterOutOfRange
    /// What arrived is no payload: damaged, cut short, or not ours.
    case malformedPayload
    /// The payload is of a later form than this version knows.
    case unknownPayloadVersion
    /// The payload has more bytes than one may have.
    case payloadTooLarge
    /// The value could not be stored; it is applied when it arrives again.
    case failed(StorageError)
  }
}
