import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary

/// A catalog in YAML that has a text in every free-text field of the language.
struct InjectionCatalog {
  /// A field that takes any text, or any text with a few exceptions.
  enum Field: String, CaseIterable, Sendable {
    case file, catalogOwner, enumDescription, raw, caseDescription, structDescription, fieldDescription, fieldText
    case fieldData, fieldMapKey, fieldMapValue
    case storedName, keyDefault, owner, description, reason
    case listElement, setElement, mapKey, mapValue, data, address
    case suite, group, service, accessGroup, folder, fileGroup, keySource
    case familyName, familyReason, sourceName, sourceSuite, reservedName, reservedNote, reservedSuite
  }

  /// A number that makes the names of this catalog unique.
  let number: Int
  let text: String
  /// The fields that have the text. The others have a harmless one.
  var hostile: Set<Field>

  static let harmless = "harmless"

  func source() -> SourceFile {
    let name = hostile.contains(.file) ? text.replacing("/", with: "|") : Self.harmless
    return SourceFile(path: "\(name) \(number).yaml", bytes: Array(yaml.utf8))
  }

  /// The catalog, or nil if a rule refuses it.
  func resolve() -> ResolvedCatalog? {
    guard let tree = CatalogReader.read(source()).0 else { return nil }
    let (catalogs, diagnostics) = CatalogResolver.resolve([tree])
    return diagnostics.contains { $0.severity == .error } ? nil : catalogs.first
  }

  /// The messages of the rules that refuse the catalog.
  var refusals: [String] {
    let (tree, diagnostics) = CatalogReader.read(source())
    guard let tree else { return diagnostics.map(\.message) }
    return CatalogResolver.resolve([tree]).1.filter { $0.severity == .error }.map(\.message)
  }

  private func value(_ field: Field) -> String { hostile.contains(field) ? text : Self.harmless }

  /// A scalar between quotes. A suffix makes a name unique, and words make a sentence.
  private func scalar(_ field: Field, suffix: String = "") -> String { Self.quoted(value(field) + suffix) }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case " "..."~": result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return result + "\""
  }

  private func base64(_ field: Field) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(value(field).utf8)
    var result = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        if position <= group.count { result.append(alphabet[bits >> (18 - 6 * position) & 63]) } else { result += "=" }
      }
    }
    return result
  }

  private var yaml: String {
    let n = number
    let sentence = " and some more words."
    return """
      localdata: 1
      catalog: Injection\(n)
      access: public
      defaults: {owner: \(scalar(.catalogOwner)), domain: userDefaults, security: none}
      types:
        Kind\(n):
          description: \(scalar(.enumDescription, suffix: sentence))
          enum:
            first: {raw: \(scalar(.raw)), description: \(scalar(.caseDescription, suffix: sentence))}
            second: second
        Form\(n):
          description: \(scalar(.structDescription, suffix: sentence))
          fields:
            text: {type: String, default: \(scalar(.fieldText)), description: \(scalar(.fieldDescription, suffix: sentence))}
            data: {type: Data, default: \(base64(.fieldData))}
            bytes: {type: Data, default: AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v}
            map: {type: "[String: String]", default: {\(scalar(.fieldMapKey)): \(scalar(.fieldMapValue))}}
      keys:
        text\(n):
          name: \(scalar(.storedName, suffix: " text\(n)"))
          type: String
          default: \(scalar(.keyDefault))
          owner: \(scalar(.owner))
          description: \(scalar(.description, suffix: sentence))
        old\(n):
          type: String
          deprecated: {reason: \(scalar(.reason, suffix: sentence)), renamedTo: text\(n)}
          description: A key that is deprecated.
        list\(n): {type: "[String]", default: [\(scalar(.listElement))], description: A list of texts.}
        set\(n): {type: "Set<String>", default: [\(scalar(.setElement))], description: A set of texts.}
        map\(n): {type: "[String: String]", default: {\(scalar(.mapKey)): \(scalar(.mapValue))}, description: A map of texts.}
        data\(n): {type: Data, default: \(base64(.data)), description: Some bytes of text.}
        address\(n): {type: URL, default: \(Self.quoted("https://example.com/?" + value(.address))), description: An address with a text.}
        suite\(n): {type: String, domain: {userDefaults: {suite: \(scalar(.suite))}}, description: A key in a suite.}
        group\(n): {type: String, domain: {appGroupUserDefaults: {identifier: \(scalar(.group))}}, description: A key in a group.}
        service\(n):
          type: String
          domain: {keychain: {service: \(scalar(.service)), accessGroup: \(scalar(.accessGroup))}}
          security: {keychain: {}}
          description: A key in a keychain.
        folder\(n): {type: String, domain: {fileSystem: {directory: {custom: \(scalar(.folder))}}}, description: A key in a folder.}
        fileGroup\(n):
          type: String
          domain: {appGroupFileSystem: {identifier: \(scalar(.fileGroup)), directory: documents}}
          description: A key in a folder of a group.
        sealed\(n):
          type: String
          domain: {encryptedFileSystem: {directory: documents}}
          security: {encrypted: {keySource: {external: \(scalar(.keySource))}}}
          description: A key in a sealed file.
        family\(n):
          type: String
          name: \(scalar(.familyName, suffix: " family\(n) {id}"))
          parameters: {id: String}
          deprecated: {reason: \(scalar(.familyReason, suffix: sentence))}
          description: A family of keys.
        moved\(n):
          type: String
          migration: {from: {name: \(scalar(.sourceName, suffix: " moved\(n)")), domain: {userDefaults: {suite: \(scalar(.sourceSuite))}}}}
          description: A key with a migration.
      reserved:
        - {name: \(scalar(.reservedName, suffix: " reserved\(n)")), domain: {userDefaults: {suite: \(scalar(.reservedSuite))}}, note: \(scalar(.reservedNote))}

      """
  }
}

extension InjectionCatalog {
  /// The same catalog with the text in every field that takes it.
  init(number: Int, acceptedOf text: String) {
    self.init(number: number, text: text, hostile: [])
    hostile = Set(
      Field.allCases.filter { InjectionCatalog(number: number, text: text, hostile: [$0]).resolve() != nil })
  }

  /// Texts that end, escape or reinterpret every syntax that they are written in.
  static let payloads = [
    // Swift: literals, interpolation, comments and declarations.
    "\"", "\"\"\"", "\"#", "\"\"\"#", "\"\"\"##", "#\"", "\\", "\\\\", "\\\"", "trailing \\", "\\(evil)", "\\#(evil)",
    "\\##(evil)", "\\u{41}", "\\n", "\\0", "*/ public let evil = 1 /*", "/* open", "// comment", "`evil`", "```",
    "\"; public let evil = 1; let x = \"", "\") }\npublic let evil = 1\nfunc f() { (\"", "#if false",
    "#sourceLocation(file: \"x\", line: 1)",
    "@available(*, unavailable)", "$0 %@ %n",
    // Ends of lines, controls and characters that are not seen.
    "a\nb", "a\r\nb", "a\rb", "a\u{0B}b\u{0C}c", "a\u{85}b", "a\u{2028}b\u{2029}c", "tab\there", "nul \u{0} end",
    "bell \u{7} escape \u{1B}[31m", "\u{7F}delete", "\u{202E}reversed\u{202C}", "\u{2066}isolated\u{2069}",
    "\u{61C}mark",
    "zero\u{200B}width\u{FEFF}", "tag\u{E0041}\u{E007F}", "\u{FFFE}\u{FFFF}",
    // Markdown and DocC.
    "# heading", "## heading", "===", "---", "***", "- item", "+ item", "* item", "1. item", "1) item", "> quote",
    "    code", "\tcode", "~~~", "| a | b |", "|---|---|", "[link](javascript:evil)", "![image](evil)", "[x]: evil",
    "[^1]: note", "**bold** _italic_ ~~gone~~", "$evil$", ":smile: text", "- Parameter x: evil", "@Metadata { }",
    "``Symbol``",
    "https://example.com www.example.com",
    // HTML.
    "<script>alert(1)</script>", "<!-- comment", "<br>", "</td></tr></table>", "&lt; &#60; &amp;", "<?php", "<![CDATA[",
    // JSON.
    "\"},{\"evil\":1,\"x\":{\"", "]}", "\",\n\"evil\":1", "\\u0022", "{\"a\":1}", "null",
    // YAML, paths and others.
    "{id}", "{", "}", "../evil", "/etc/passwd", "~", "%2e%2e", "group.evil", "a: b", "- a", "'", "''", "\u{0301}accent",
    "Ünïcode ✓ 漢字 👩‍👩‍👧", "$(evil) `evil` ; rm", String(repeating: "long words ", count: 40),
  ]
}
