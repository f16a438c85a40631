import LocalDataVocabulary

/// The reason for which a key cannot have its corruption policy.
struct CorruptionProblem {
  var message: String
  var help: String
  /// The field that the policy does not fit.
  var field: KeyField

  /// Returns true if a key can have the policy that its `defaults` write.
  ///
  /// - Parameter isListOfEnums: True if the type of the key is a list or a set of an enum.
  static func allows(_ draft: KeyDraft, isListOfEnums: Bool) -> Bool {
    var descriptor = draft.descriptor
    descriptor.domain = draft.domain?.domain ?? .userDefaults()
    descriptor.security = draft.security?.policy ?? .recommended
    return !descriptor.isLegacy
      && of(
        descriptor, draft.type ?? .scalar(.string), hasDefault: draft.defaultNode != nil, hasEnumElements: isListOfEnums
      ) == nil
  }

  /// Returns why a key cannot have its policy, or nil if it can.
  static func of(
    _ key: StorageKeyDescriptor, _ type: ValueType, hasDefault: Bool, hasEnumElements: Bool
  ) -> CorruptionProblem? {
    switch key.onCorruption {
    case .throw: return nil
    case .useDefault:
      if key.security != .none {
        return CorruptionProblem(
          message: "'\(key.onCorruption.text)' is for values that are not secured",
          help: key.security.kind == .keychain
            ? "remove `onCorruption`" : "write `onCorruption: \(CorruptionPolicy.quarantine.text)`", field: .security)
      }
      if !hasDefault {
        return CorruptionProblem(
          message: "'\(key.onCorruption.text)' needs a default, and '\(key.member)' has none",
          help: "add a `default`, or write `onCorruption: \(CorruptionPolicy.quarantine.text)`", field: .default)
      }
    case .quarantine:
      if key.security.kind == .keychain {
        return CorruptionProblem(
          message: "'\(key.onCorruption.text)' moves the bytes to a file, where the keychain does not protect them",
          help: "remove `onCorruption`, or write `security: recommended`", field: .security)
      }
      if key.retention != nil {
        return CorruptionProblem(
          message: "'\(key.onCorruption.text)' would keep the bytes longer than the retention allows",
          help: "remove `onCorruption` or `retention`", field: .retention)
      }
      if key.syncPolicy != .never {
        return CorruptionProblem(
          message: "'\(key.onCorruption.text)' would look like a removal to the paired device",
          help: "remove `onCorruption`, or write `syncPolicy: never`", field: .syncPolicy)
      }
    case .skipElements:
      if !hasEnumElements {
        return CorruptionProblem(
          message: "'\(key.onCorruption.text)' is for lists and sets of an enum, and not for '\(type.swiftText)'",
          help: "remove `onCorruption`", field: .type)
      }
      if key.security.isEncrypted {
        return CorruptionProblem(
          message: "'\(key.onCorruption.text)' is for values that are not encrypted", help: "remove `onCorruption`",
          field: .security)
      }
      if key.serializer.kind == .custom {
        return CorruptionProblem(
          message: "'\(key.onCorruption.text)' needs a serializer that has elements", help: "remove `onCorruption`",
          field: .serializer)
      }
    }
    // In preferences, other code of the app may have stored something that is no Data.
    guard type == .scalar(.data), key.serializer == .data, !key.domain.kind.isPreferences || key.security != .none
    else { return nil }
    return CorruptionProblem(
      message: "'onCorruption' has no effect: all bytes are a value of Data", help: "remove `onCorruption`",
      field: .serializer)
  }
}
