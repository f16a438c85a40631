/// Limits of what is sent to the paired device, and taken from it.
public struct SyncConfiguration: Sendable, Hashable {
  /// The most bytes of a value as serialized that is sent, by itself or when asked, and that is taken; 100,000 unless
  /// set. What is sent together has at most 245,760 bytes, whatever this says.
  public var maxAutoSyncSize: Int

  /// A configuration by its limit.
  public init(maxAutoSyncSize: Int = 100_000) { self.maxAutoSyncSize = maxAutoSyncSize }
}
