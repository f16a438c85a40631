import Foundation
import StorageVocabulary

/// What sync needs to know of a key, whatever its `Value`. Made for keys alone that have a sync policy.
struct KeySyncing: Sendable {
  /// Whether the key is secured and its value may travel all the same.
  let isResecured: Bool
  /// The smaller form that the watch gets, or `nil` if it gets the key's own bytes.
  let watchForm: WatchEncoding?
  /// Throws where serialized bytes are no value of the key.
  let check: @Sendable (Data) throws(StorageFault) -> Void

  init?<Value>(_ key: StorageKey<Value>) {
    guard key.syncPolicy != .never else { return nil }
    isResecured = key.traits.isResecured
    watchForm = key.traits.watchForm
    let coding = key.coding
    check = { (bytes) throws(StorageFault) in
      _ = try coding.deserialize(OpenedValue(bytes: bytes, schema: coding.schema))
    }
  }

  /// The serialized bytes that travel.
  func outgoing(_ bytes: Data) throws(StorageFault) -> Data {
    guard let watchForm else { return bytes }
    return try watchForm.encode(bytes)
  }
}

extension AnyStorageKey {
  /// Which key is meant on the other device.
  var syncKey: SyncKey { SyncKey(name: name, domain: domain) }

  /// Why the key takes no part in sync on a platform; `nil` where it does.
  func syncRefusal(on platform: StoragePlatform) -> SyncEvent.ReceivingProblem? {
    guard let syncing else { return .policyNever }
    switch availability {
    case .phoneOnly, .watchOnly: return .notAvailable
    case .all, .phoneWithWatchSync: break
    }
    guard !traits.isLegacy else { return .notAvailable }
    guard security == .none || syncing.isResecured else { return .notResecured }
    guard syncing.watchForm == nil || platform == .phone else { return .watchForm }
    return nil
  }
}

/// A smaller form of a value, which is what the watch gets: `watch: {type: ProfileGlance, transform: ProfileGlance.init}`.
@_spi(Generated) public struct WatchForm<Value: Sendable>: Sendable {
  let encode: @Sendable (Value) throws -> Data

  /// A value on its way into a smaller form.
  public struct Source: Sendable {
    let value: Value

    /// What `transform` makes of it. Always throwing, so that generated code reads the same for every function; not
    /// `@Sendable`, since Swift 5 does not see that a function's name can be sent.
    public func map<Form>(_ transform: (Value) throws -> Form) throws -> Form { try transform(value) }
  }

  /// The form that `make` makes, as `serializer` writes it.
  public init<Form: Sendable>(_ serializer: Serializer<Form>, _ make: @escaping @Sendable (Source) throws -> Form) {
    encode = { try serializer.encode(make(Source(value: $0))) }
  }

  /// Serialized bytes to those that travel. What a transform or a serializer throws may quote the value, so it goes no
  /// further.
  func bytes<Stored>(
    of coding: KeyCoding<Stored>, _ unwrap: @escaping @Sendable (Stored) -> Value?
  ) -> WatchEncoding {
    WatchEncoding { [encode] (bytes) throws(StorageFault) in
      let stored = try coding.deserialize(OpenedValue(bytes: bytes, schema: coding.schema))
      guard let value = unwrap(stored) else { throw .cannotDecode }
      do { return try encode(value) } catch { throw .cannotEncode }
    }
  }
}

/// A function from a key's serialized bytes to those of the form that the watch gets.
///
/// It is a type because comparing an optional function that has a typed error with `nil` needs iOS 18.
struct WatchEncoding: Sendable {
  let encode: @Sendable (Data) throws(StorageFault) -> Data
}
