import LocalDataSyntax

/// A backup of `backupFiles` on its way from nodes.
struct BackupFileDraft: Sendable {
  var recordNodes: [SyntaxNode] = []
  var keyNodes: [SyntaxNode] = []
  var privateKeyNodes: [SyntaxNode] = []
  var isEncrypted = true
  var isPersonalData = false
  var allowances: [Allowance] = []
  var description = ""
}

extension Language {
  /// The fields of a backup, in the order in which `fmt` writes them.
  static let backupFile = FieldTable<BackupFileDraft>(
    "a backup", what: "a map of the fields of a backup", example: "full: {records: [Credential], …}",
    [
      Field(
        "records", .names("a list of records"), .optional("none"),
        "The records that the file contains. They are of one database.", example: "[Credential, SharingHistory]"
      ) { $0.recordNodes = $1 },
      Field(
        "keys", .names("a list of keys"), .optional("none"),
        "The keys whose values the file contains. None of them has the sensitivity `credential`.", example: "[theme]"
      ) { $0.keyNodes = $1 },
      Field(
        "privateKeys", .names("a list of keys"), .optional("none"),
        "The keys of sensitivity `credential` and the exportable pairs that the file contains, and then nothing else. The "
          + "file is always sealed.",
        example: "[seed]"
      ) { $0.privateKeyNodes = $1 },
      Field(
        "encrypted", .flag, .optional("true"),
        "True if the file is sealed with a passphrase of the user. False if it is a plain document.", example: "false"
      ) { $0.isEncrypted = $1 },
      Field(
        "personalData", .flag, .optional("false"),
        "True if the file is a plain document with everything of the run whose sensitivity is `personal`, `health` or "
          + "`financial`. It is for the user, and cannot be restored.",
        example: "true"
      ) { $0.isPersonalData = $1 },
      Field(
        "allow", .allowances, .optional("none"), "Findings that the backup accepts, each with a reason.",
        example: "[{rule: backup-secrets-plain, reason: The user asked for a file that other programs read.}]"
      ) { $0.allowances = $1 },
      Field(
        "description", .sentence, .required, "A sentence of two words or more that says what the file is for.",
        example: "All but the private keys."
      ) { $0.description = $1 },
    ])
}

extension ValueShape where Value == [SyntaxNode] {
  /// A list of names, each once.
  fileprivate static func names(_ what: String) -> Self {
    Self(what: what, shape: .list(of: .identifier)) { node, entry, context in
      guard context.sequence(node, what, example: entry.written) else { return nil }
      var names: [SyntaxNode] = []
      var known: Set<String> = []
      for child in node.children {
        guard context.scalar(child, "a name", example: entry.written) != nil else { return nil }
        guard known.insert(child.text).inserted else {
          context.findings.report(
            .duplicateEntry, "'\(child.text)' is listed twice", at: child, help: "remove one of the two")
          continue
        }
        names.append(child)
      }
      return names
    }
  }
}
