import LocalDataVocabulary

extension ConfiguredName {
  /// `statistics (configured, like *.statistics)`.
  fileprivate var words: String { "\(name) (configured\(pattern.map { ", like \($0)" } ?? ""))" }
}

extension String {
  /// The text of a part of a domain, with a configured name in words.
  package var containerText: String { ConfiguredName(text: self)?.words ?? self }

  /// A Boolean value that indicates whether an access group of the keychain is that of an app group.
  package var isAppGroup: Bool { (ConfiguredName(text: self)?.pattern ?? self).hasPrefix("group.") }
}
