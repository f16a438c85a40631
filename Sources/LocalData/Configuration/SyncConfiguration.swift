/// Limits of what is sent to the paired device.
public struct SyncConfiguration: Sendable, Hashable {
  /// The most bytes of a value that is sent by itself; 100,000 unless set.
  public var maxAutoSyncSize: Int

  /// A configuration by its limit.
  public init(maxAutoSyncSize: Int = 100_000) { self.maxAutoSyncSize = maxAutoSyncSize }
}
