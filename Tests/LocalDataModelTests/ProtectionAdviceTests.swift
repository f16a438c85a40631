import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary
import Testing

/// Findings about the protection of values: what they advise is enough, and can be allowed where it is not wanted.
@Suite struct ProtectionAdviceTests {
  private static let header =
    "localdata: 1\ncatalog: Test\ndefaults: {owner: Team, domain: userDefaults, security: none}\n"

  private static func key(_ accessibility: String, _ sensitivity: Sensitivity) -> String {
    """
    \(header)keys:
      item:
        type: String
        domain: keychain
        security: {keychain: {accessibility: \(accessibility)}}
        sensitivity: \(sensitivity.rawValue)
        description: What the server knows the user by.

    """
  }

  /// Checks that all findings about an accessibility give one advice, and that it leaves no finding.
  @Test(arguments: KeychainAccessibility.allCases, Sensitivity.allCases)
  func oneAdviceIsEnough(_ accessibility: KeychainAccessibility, _ sensitivity: Sensitivity) throws {
    let helps = try Run(Self.key(accessibility.rawValue, sensitivity)).diagnostics.compactMap(\.help)
    let advised = helps.compactMap { $0.firstMatch(of: /`accessibility: ([A-Za-z]+)`/).map { String($0.1) } }
    #expect(advised.count == helps.count)
    #expect(Set(advised).count <= 1, "\(helps)")
    if let advised = advised.first {
      #expect(try Run(Self.key(advised, sensitivity)).findings == "")
    }
  }

  /// A key can have the member of a database: each accepts its own findings.
  @Test func aDatabaseAcceptsItsOwnFindings() throws {
    func catalog(database: String = "", key: String = "") -> String {
      """
      \(Self.header)databases:
        notes:
          domain: {fileSystem: {directory: applicationSupport}}
          description: What the user writes down.
      \(database)
      records:
        Note:
          description: A note of the user.
          allow: [{rule: personal-data-in-plain-store, reason: The search needs it.}]
          sensitivity: personal
          fields: {id: {type: UUID, number: 1}, text: {type: String, number: 2}}
      keys:
        notes:
          type: Int
          description: How many notes the user has.
      \(key)

      """
    }
    let entry = "    allow: [{rule: database-protection, reason: The widget shows them.}]"
    #expect(try Run(catalog()).diagnostics.map(\.rule) == ["database-protection"])
    #expect(try Run(catalog(database: entry)).findings == "")
    #expect(try Run(catalog(key: entry)).diagnostics.map(\.rule) == ["database-protection", "stale-suppression"])
  }

  @Test func aTypeAcceptsItsOwnFindings() throws {
    let keys = "keys: {count: {type: Int, description: How often the app was opened.}}\n"
    func catalog(_ allow: String) -> String { "\(Self.header)\(keys)types:\n  Mode: {enum: [a, b]\(allow)}\n" }
    #expect(try Run(catalog("")).diagnostics.map(\.rule) == ["unused-type"])
    #expect(try Run(catalog(", allow: [{rule: unused-type, reason: The widget has it.}]")).findings == "")
    let stale = try Run(catalog(", allow: [{rule: terse-description, reason: It is short.}]"))
    #expect(stale.diagnostics.map(\.rule) == ["unused-type", "stale-suppression"])
  }

  /// A field of a record is named like a credential as a key is.
  @Test(arguments: [
    ("accessToken: {type: String, number: 2}", true), ("secret: {type: \"String?\", number: 2}", true),
    ("passwords: {type: \"[String]\", number: 2}", true), ("pin: {type: Int, number: 2}", true),
    ("code: {type: String, number: 2, name: login_token}", true),
    ("accessToken: {type: String, number: 2, encrypted: true}", false),
    ("accessToken: {type: String, number: 2, sensitivity: internal}", false),
    ("token: {type: Int, number: 2}", false), ("title: {type: String, number: 2}", false),
  ])
  func aPlainFieldIsNamedLikeACredential(_ field: String, _ isFound: Bool) throws {
    let run = try Run(
      """
      \(Self.header)databases:
        main: {domain: {fileSystem: {directory: applicationSupport}}, description: What the app keeps.}
      records:
        Login:
          description: A login of the user.
          fields:
            id: {type: UUID, number: 1}
            \(field)

      """)
    #expect(run.diagnostics.map(\.rule) == (isFound ? ["credential-outside-keychain"] : []), "\(run.findings)")
    #expect(run.diagnostics.allSatisfy { $0.severity == .warning && $0.key == "Login" })
    #expect(run.catalogs.count == 1, "a warning only")
  }
}
