import LocalDataFoundation
import LocalDataStores
import LocalDataVocabulary

extension Serializer {
  /// The bytes of NSKeyedArchiver, on Apple's platforms.
  ///
  /// Apps have archived lists and maps with dates, data, addresses and identifiers. It takes `String`, `Int`, `Double`, `Bool`,
  /// `Data`, `Date`, `URL`, `UUID`, and lists and maps by text of them. For a class of the app, write a ``CustomSerializer``. On
  /// other platforms, a call throws ``StorageProblem/Code/notAvailableOnPlatform``.
  ///
  /// ```swift
  /// extension StorageKey where Value == [String: Date]? {
  ///   static let visits = StorageKey(
  ///     name: "visits", domain: .userDefaults(), security: .none, serializer: .keyedArchive, owner: "AppTeam",
  ///     description: "When each page was opened.")
  /// }
  /// ```
  public static var keyedArchive: Self {
    Self(kind: .keyedArchive) { value in
      #if canImport(Darwin)
        try KeyedArchive.bytes(of: value)
      #else
        throw StorageProblem.notAvailableOnPlatform
      #endif
    } decode: { bytes in
      #if canImport(Darwin)
        guard let value = try KeyedArchive.value(in: bytes) as? Value else { throw StorageProblem.cannotDecode }
        return value
      #else
        throw StorageProblem.notAvailableOnPlatform
      #endif
    }
  }
}

extension SerializerKind {
  /// A Boolean value that indicates whether the platform has the serializer.
  var isAvailable: Bool {
    #if canImport(Darwin)
      true
    #else
      self != .keyedArchive
    #endif
  }
}
