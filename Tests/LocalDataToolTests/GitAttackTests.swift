import Foundation
import TestSupport
import Testing

@testable import local_data

/// `diff --against REVISION` in a repository or a folder that somebody else has written: whatever its configuration names,
/// no program is run.
@Suite struct GitAttackTests {
  /// A repository with a planted program, `$FOLDER/planted`, which creates the file `ran`.
  struct Attack: CustomTestStringConvertible {
    var name: String
    /// Lines of the shell that plant it. `GIT` has a user name.
    var plant: String
    /// A command of Git that runs the program without protection. If nil, no command does so without a terminal.
    var trigger: String?
    var revision = "HEAD"
    /// Whether the revision can still be read.
    var isReadable = true

    var testDescription: String { name }
  }

  private static let partial = """
    git config core.repositoryFormatVersion 1; git config extensions.partialClone origin
    git config remote.origin.promisor true
    rm -f .git/objects/$(git rev-parse HEAD:Catalogs/Account.yaml | sed 's|^..|&/|')

    """
  private static let missing = "git cat-file blob HEAD:Catalogs/Account.yaml"

  static let attacks = [
    Attack(
      name: "a bare repository of ordinary files",
      plant: """
        mkdir -p Catalogs/objects Catalogs/refs/heads; echo 'ref: refs/heads/main' > Catalogs/HEAD
        echo 1111111111111111111111111111111111111111 > Catalogs/refs/heads/main
        printf '[core]\\nrepositoryFormatVersion = 1\\nbare = true\\n[extensions]\\npartialClone = origin\\n' > Catalogs/config
        printf '[remote "origin"]\\npromisor = true\\nurl = .\\nuploadpack = %s/planted\\n' "$FOLDER" >> Catalogs/config
        """,
      trigger: "git -C Catalogs cat-file -p HEAD", isReadable: false),
    Attack(
      name: "a missing object of a partial clone",
      plant: partial + "git config remote.origin.url .; git config remote.origin.uploadpack \"$FOLDER/planted\"",
      trigger: missing, isReadable: false),
    Attack(
      name: "a remote of ssh",
      plant: partial + "git config remote.origin.url ssh://host/path; git config core.sshCommand \"$FOLDER/planted\"",
      trigger: missing, isReadable: false),
    Attack(
      name: "a remote that is a command",
      plant: partial + "git config remote.origin.url \"ext::$FOLDER/planted\"; git config protocol.ext.allow always",
      trigger: missing, isReadable: false),
    Attack(
      name: "a protocol that the repository allows",
      plant: partial
        + "git config remote.origin.url .; git config remote.origin.uploadpack \"$FOLDER/planted\"\n"
        + "git config protocol.allow always; git config protocol.file.allow always",
      trigger: missing, isReadable: false),
    Attack(
      name: "a file system monitor", plant: "git config core.fsmonitor \"$FOLDER/planted\"", trigger: "git status"),
    Attack(
      name: "a file system monitor of the index",
      plant: "git config core.fsmonitor \"$FOLDER/planted\"; git status; rm -f ran",
      trigger: "git status", revision: ":0:Catalogs/Account.yaml", isReadable: false),
    Attack(
      name: "an included file",
      plant: "printf '[core]\\nfsmonitor = %s/planted\\n' \"$FOLDER\" > more; git config include.path ../more",
      trigger: "git status"),
    Attack(
      name: "hooks",
      plant:
        "mkdir hooks; for hook in post-index-change reference-transaction post-checkout; do cp planted hooks/$hook; done\n"
        + "git config core.hooksPath \"$FOLDER/hooks\"",
      trigger: "git add hooks"),
    Attack(
      name: "an external diff",
      plant: "git config diff.external \"$FOLDER/planted\"; echo '#' >> Catalogs/Account.yaml",
      trigger: "git diff"),
    Attack(
      name: "a text conversion",
      plant: "echo '*.yaml diff=planted' > .gitattributes; git config diff.planted.textconv \"$FOLDER/planted\"",
      trigger: "git show HEAD"),
    Attack(
      name: "a filter",
      plant: "echo '*.yaml filter=planted' > .gitattributes\n"
        + "for kind in smudge clean; do git config filter.planted.$kind \"$FOLDER/planted\"; done",
      trigger: "rm Catalogs/Account.yaml; git checkout -- Catalogs"),
    Attack(
      name: "a filter that is a process",
      plant: "echo '*.yaml filter=planted' > .gitattributes; git config filter.planted.process \"$FOLDER/planted\"",
      trigger: "rm Catalogs/Account.yaml; git checkout -- Catalogs"),
    Attack(
      name: "aliases",
      plant: "for alias in planted cat-file ls-tree rev-parse; do git config alias.$alias \"!$FOLDER/planted\"; done",
      trigger: "git planted"),
    Attack(
      name: "a program for signatures",
      plant:
        "git config gpg.program \"$FOLDER/planted\"; git config log.showSignature true; git config commit.gpgSign true",
      trigger: "git commit --allow-empty -m Two"),
    Attack(
      name: "a helper for credentials", plant: "git config credential.helper \"!$FOLDER/planted\"",
      trigger: "printf 'protocol=https\\nhost=example.com\\n\\n' | git credential fill"),
    Attack(
      name: "a pager",
      plant:
        "for part in core.pager pager.cat-file pager.ls-tree pager.rev-parse; do git config $part \"$FOLDER/planted\"; done"
    ),
    Attack(
      name: "references of an alternate",
      plant: "git init -q --bare other; echo \"$FOLDER/other/objects\" > .git/objects/info/alternates\n"
        + "git config core.alternateRefsCommand \"$FOLDER/planted\"",
      trigger: "git init -q third; cd third; git commit -q --allow-empty -m Third; cd ..; git fetch ./third"),
  ]

  private func tool(_ attack: Attack) throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    try tool.write("planted", "#!/bin/sh\n: > '\(tool.folder.path)/ran'\n")
    let end = try run("chmod +x planted; git init -q -b main; git add .; git commit -q -m One\n" + attack.plant, tool)
    try #require(end.code == 0, "\(end.output)")
    return tool
  }

  private func run(_ lines: String, _ tool: Tool) throws -> ChildProcess.End {
    let user =
      "export GIT_AUTHOR_NAME=T GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@example.com"
    return try tool.shell("exec 2>&1 </dev/null; \(user)\n\(lines)")
  }

  @Test(arguments: attacks)
  func noPlantedProgramRuns(_ attack: Attack) throws {
    let tool = try tool(attack)
    let result = try tool.run("diff", "--against", attack.revision)
    #expect(!tool.files().contains("ran"))
    #expect(result.code == 0 || !attack.isReadable, "\(result.errors)")
    #expect(result.code != 0 || attack.isReadable, "\(result.output)")
    // The attack is one: a command of Git that is not protected runs the program.
    guard let trigger = attack.trigger else { return }
    let end = try run(trigger, tool)
    #expect(tool.files().contains("ran"), "\(end.output)")
  }

  /// A pull request that runs in a hook, or a shell with other variables, does not lead Git elsewhere.
  @Test func variablesOfAnotherRepositoryAreNotPassedOn() {
    let variables = GitObjects.environment(of: [
      "PATH=/bin", "GIT_DIR=/elsewhere", "GIT_INDEX_FILE=index", "GIT_SSH_COMMAND=run", "GIT_EXTERNAL_DIFF=run",
      "GIT_ALLOW_PROTOCOL=file", "GIT_CONFIG_GLOBAL=/dev/null",
    ])
    #expect(
      variables == [
        "PATH=/bin", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",
        "GIT_NO_REPLACE_OBJECTS=1", "GIT_TERMINAL_PROMPT=0",
      ])
  }
}
