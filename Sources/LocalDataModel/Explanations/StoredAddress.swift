package import LocalDataVocabulary

/// The places where a key's value is stored, by platform, with the standard folders of the library.
///
/// `StorageLocations` of the runtime is the layout; a test compares the two.
package struct StoredAddress: Sendable, Equatable {
  /// The container and the name on Apple's platforms.
  package var apple: String
  /// The same on Linux.
  package var linux: String

  /// The part that the app's bundle identifier or name replaces.
  package static let app = "<app>"

  package init(_ key: ResolvedKey) { self.init(key.descriptor.domain, name: key.descriptor.name) }

  package init(_ domain: StorageDomain, name: String) {
    switch domain {
    case .userDefaults(let suite):
      let configured = ConfiguredName(text: suite)?.place
      apple = "Library/Preferences/\(configured ?? suite ?? Self.app).plist, key '\(name)'"
      let database = configured ?? suite.map { Self.fileName($0, foldsCase: false) } ?? "standard"
      linux = "\(Self.linuxData)/preferences/\(database).db, key '\(name)'"
    case .appGroupUserDefaults(let identifier):
      let group = Self.group(identifier)
      apple = "\(Self.appleGroup(group))/Library/Preferences/\(group).plist, key '\(name)'"
      linux = "\(Self.linuxGroup(group))/preferences/standard.db, key '\(name)'"
    case .keychain(let service, let accessGroup, let synchronizable):
      var text = "a generic password "
      text += service == "" ? "without a service" : "of the service '\(Self.named(service) ?? "<configured service>")'"
      text += name.isEmpty ? ", without an account" : ", account '\(name)'"
      if let accessGroup = Self.named(accessGroup) { text += ", access group '\(accessGroup)'" }
      if synchronizable { text += ", synchronizable" }
      apple = text
      linux = "\(Self.linuxData)/keystore.db, the same item"
    case .fileSystem(.exact(let directory)):
      apple = "\(Self.appleFolder(directory))/\(name)"
      linux = "\(Self.linuxFolder(directory))/\(name)"
    case .appGroupFileSystem(let identifier, .exact(let directory)):
      let group = Self.group(identifier)
      let folder = directory == .container ? "" : "\(Self.appleFolder(directory))/"
      apple = "\(Self.appleGroup(group))/\(folder)\(name)"
      linux = "\(Self.linuxGroup(group))/\(name)"
    case .fileSystem(let directory), .encryptedFileSystem(let directory):
      apple = "\(Self.appleFolder(directory))/\(Self.fileName(name, foldsCase: true))"
      linux = "\(Self.linuxFolder(directory))/\(Self.fileName(name, foldsCase: false))"
    case .appGroupFileSystem(let identifier, let directory):
      let group = Self.group(identifier)
      let folder = Self.groupFolder(directory)
      apple = "\(Self.appleGroup(group))/LocalData/\(folder)/\(Self.fileName(name, foldsCase: true))"
      linux = "\(Self.linuxGroup(group))/\(folder)/\(Self.fileName(name, foldsCase: false))"
    }
  }

  private static func named(_ text: String?) -> String? { ConfiguredName(text: text)?.place ?? text }

  private static func group(_ identifier: String?) -> String { named(identifier) ?? "<configured app group>" }

  private static let linuxData = "$XDG_DATA_HOME/\(app)"

  private static func linuxGroup(_ identifier: String) -> String {
    "$XDG_DATA_HOME/local-data-groups/\(identifier)"
  }

  private static func appleGroup(_ identifier: String) -> String { "<container of \(identifier)>" }

  private static func appleFolder(_ directory: FileDirectory) -> String {
    switch directory {
    case .documents: "Documents/LocalData/\(app)"
    case .applicationSupport: "Library/Application Support/LocalData/\(app)/support"
    case .caches: "Library/Caches/LocalData/\(app)"
    case .custom(let path): "Library/Application Support/LocalData/\(app)/support/\(path)"
    case .exact(let directory): appleFolder(directory)
    }
  }

  /// The folder of a file with a path.
  private static func appleFolder(_ directory: ForeignDirectory) -> String {
    switch directory {
    case .documents: "Documents"
    case .applicationSupport: "Library/Application Support"
    case .library: "Library"
    case .caches: "Library/Caches"
    case .container: "<container>"
    }
  }

  /// The folder of a file with a path.
  private static func linuxFolder(_ directory: ForeignDirectory) -> String {
    switch directory {
    case .documents: "\(linuxData)/documents"
    case .caches: "$XDG_CACHE_HOME/\(app)"
    case .applicationSupport, .library, .container: linuxData
    }
  }

  private static func linuxFolder(_ directory: FileDirectory) -> String {
    switch directory {
    case .documents: "\(linuxData)/documents"
    case .applicationSupport: "\(linuxData)/support"
    case .caches: "$XDG_CACHE_HOME/\(app)"
    case .custom(let path): "\(linuxData)/support/\(path)"
    case .exact(let directory): linuxFolder(directory)
    }
  }

  private static func groupFolder(_ directory: FileDirectory) -> String {
    switch directory {
    case .documents: "documents"
    case .applicationSupport: "support"
    case .caches: "caches"
    case .custom(let path): "support/\(path)"
    case .exact(let directory): directory.rawValue
    }
  }

  /// Returns a stored name as the name of a file. A parameter of a family stays between its braces.
  static func fileName(_ name: String, foldsCase: Bool) -> String {
    var result = ""
    var isParameter = false
    for (index, byte) in name.utf8.enumerated() {
      if byte == UInt8(ascii: "{") { isParameter = true }
      defer { if byte == UInt8(ascii: "}") { isParameter = false } }
      let isPlain: Bool
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
        UInt8(ascii: "-"), UInt8(ascii: "{"), UInt8(ascii: "}"):
        isPlain = true
      case UInt8(ascii: "."): isPlain = index > 0
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): isPlain = !foldsCase || isParameter
      default: isPlain = false
      }
      if isPlain {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }
}

extension ConfiguredName {
  /// The name in a path.
  fileprivate var place: String { "<configured \(name)>" }
}
