@_exported public import StorageVocabulary

extension StoragePlatform {
  /// The platform of this process: the watch on watchOS, the phone elsewhere.
  public static var current: StoragePlatform {
    #if os(watchOS)
      .watch
    #else
      .phone
    #endif
  }
}
