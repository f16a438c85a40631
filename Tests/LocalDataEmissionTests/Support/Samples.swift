import LocalDataModel
import LocalDataVocabulary

/// Catalogs built by hand, for what tests ask of the emitters alone.
enum Samples {
  static func catalog(
    _ name: String = "Sample", access: AccessLevel = .public, imports: [String] = [], types: [ResolvedType] = [],
    keys: [ResolvedKey] = [], reserved: [ResolvedReservedName] = []
  ) -> ResolvedCatalog {
    ResolvedCatalog(
      name: name, path: "Catalogs/\(name).yaml", baseName: name, access: access, imports: imports, types: types,
      keys: keys, reserved: reserved)
  }

  static func key(
    _ member: String, _ type: ValueType = .scalar(.string), name: String? = nil, line: Int = 7,
    access: AccessLevel = .public, domain: StorageDomain = .userDefaults(), security: SecurityPolicy = .none,
    default defaultValue: DefaultValue? = nil, description: String = "A value that a test stores.",
    deprecation: ResolvedKey.Deprecation? = nil, change: (inout StorageKeyDescriptor) -> Void = { _ in }
  ) -> ResolvedKey {
    var descriptor = StorageKeyDescriptor(
      member: member, name: name ?? member, valueType: "String", domain: domain, security: security, owner: "Tests",
      description: description)
    change(&descriptor)
    return ResolvedKey(
      line: line, access: access, type: type, defaultValue: defaultValue, descriptor: descriptor,
      deprecation: deprecation)
  }

  static func family(
    _ member: String, _ type: ValueType = .scalar(.string), _ parameters: [ResolvedKey.Parameter],
    domain: StorageDomain = .fileSystem(directory: .caches), default defaultValue: DefaultValue? = nil,
    deprecation: ResolvedKey.Deprecation? = nil
  ) -> ResolvedKey {
    let name = ([member] + parameters.map { "{\($0.name)}" }).joined(separator: "_")
    let parts = parameters.flatMap { [ResolvedKey.NamePart.text("_"), .parameter($0.name)] }
    return ResolvedKey(
      line: 9, access: .public, type: type, defaultValue: defaultValue,
      descriptor: StorageKeyDescriptor(
        member: member, name: name, valueType: "String", domain: domain, owner: "Tests",
        description: "One value of many.", parameters: parameters.map { .init(name: $0.name, type: "String") }),
      parameters: parameters, nameParts: [.text(member)] + parts, deprecation: deprecation)
  }

  /// Text that tries to leave every place where it is written.
  static let hostile = [
    "*/ /* a comment", "first\nlet x = 1\r\nlast", "\"\"\"# \\#(evil) \"#", "\\(1 + 1) and \\u{41}",
    "`code` and ``Symbol``",
    "<script>alert(1)</script> & &lt;b&gt;", "a | b || c", "\u{202E}reversed\u{202C} \u{2028}line\u{2029}par",
    "[link](javascript:alert(1)) ![image](x) www.example.com https://example.com", "- Parameter x: no", "# Heading",
    "1. list", "@Metadata { }", "> quote", "\u{0}\u{7}\u{1B}[31mred", "zero\u{200B}width\u{FEFF}", "trailing \\",
    "*bold* _italic_ snake_case __x__ ~~gone~~", "    indented", "tag\u{E0041}\u{E007F}", "Ünïcode ✓ 漢字 👩‍👩‍👧",
  ]
}
