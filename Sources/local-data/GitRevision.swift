import LocalDataFiles
import LocalDataModel
import LocalDataSyntax

/// The catalogs that a revision of the repository contains.
struct GitRevision {
  /// The revision as the user wrote it.
  let name: String

  /// Returns the catalogs of a target, as the revision has them; none if it has none.
  func catalogs(_ target: Project.Target) throws -> [SourceFile] {
    guard !name.isEmpty, !name.hasPrefix("-"), !name.contains("\0") else {
      throw ToolFailure(.wrongUse, "'\(name)' is not a revision", help: "name a branch, a tag or a commit")
    }
    var sources: [SourceFile] = []
    for argument in try target.catalogs.isEmpty ? CatalogFinder.defaultFolders() : target.catalogs {
      let isFolder = DiskFile.kind(argument) == .folder
      let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
      let parent = parts.dropLast().joined(separator: "/")
      let folder = isFolder ? argument : parent.isEmpty ? (argument.hasPrefix("/") ? "/" : ".") : parent
      let objects = GitObjects(folder: folder)
      for entry in try files(of: try commit(in: objects), in: objects) {
        guard isFolder ? CatalogFinder.isCatalog(entry.path, in: folder) : entry.path == parts.last.map(String.init)
        else { continue }
        let path = (folder == "." ? "" : "\(folder)/") + entry.path
        if target.exclude.contains(where: { "\(path)/".hasPrefix($0.hasSuffix("/") ? $0 : "\($0)/") }) { continue }
        sources.append(SourceFile(path: "\(name):\(path)", bytes: try objects.read(["cat-file", "blob", entry.id])))
      }
    }
    return sources.sorted { ($0.baseName, $0.path) < ($1.baseName, $1.path) }
  }

  private func commit(in objects: GitObjects) throws -> String {
    let result = try objects.attempt(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"])
    if result.code == 0 { return String(decoding: result.output, as: UTF8.self).filter { !$0.isWhitespace } }
    let shallow = try objects.attempt(["rev-parse", "--is-shallow-repository"])
    try objects.checkOwner(of: shallow)
    guard shallow.code == 0 else {
      throw ToolFailure(
        .wrongUse,
        "'\(name)' is no release, file or folder, and '\(objects.folder)' is in no Git repository: \(shallow.reason)",
        help: "name a release of the folder Releases, a snapshot, a catalog or a folder of catalogs")
    }
    let isShallow = String(decoding: shallow.output, as: UTF8.self).hasPrefix("true")
    throw ToolFailure(
      .wrongUse, "there is no release, file, folder or revision '\(name)'",
      help: isShallow
        ? "the clone is shallow: run `git fetch --unshallow`, or check out with the full history"
        : "name a branch, a tag or a commit that was fetched")
  }

  /// The files below a folder, without links and submodules.
  private func files(of commit: String, in objects: GitObjects) throws -> [(path: String, id: String)] {
    let output = try objects.read(["ls-tree", "-r", "-z", commit])
    return output.split(separator: 0).compactMap { line in
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      let head = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
      guard head.count == 3, head[0].hasPrefix("100"), head[1] == "blob" else { return nil }
      return (String(decoding: line[line.index(after: tab)...], as: UTF8.self), String(head[2]))
    }
  }
}
