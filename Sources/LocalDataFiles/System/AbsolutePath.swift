/// An absolute path without links, `.` and `..`, as its components.
package struct AbsolutePath: Equatable {
  package var components: [String]

  /// Resolves the links of a path as far as it exists. Returns nil if not even the working folder can be resolved.
  package init?(resolving path: String) {
    if let resolved = DiskFile.resolved(path) {
      self.init(absolute: resolved)
      return
    }
    var parts = path.split(separator: "/").map(String.init)
    let root = path.hasPrefix("/") ? "/" : "."
    var rest: [String] = []
    while let last = parts.popLast() {
      rest.insert(last, at: 0)
      let parent = (root == "/" ? "/" : "./") + parts.joined(separator: "/")
      guard let resolved = DiskFile.resolved(parent) else { continue }
      self.init(absolute: resolved)
      append(rest)
      return
    }
    return nil
  }

  /// Resolves the links of the folder that a file is in, but not the file if it is a link.
  package init?(resolvingFolderOf path: String) {
    guard let slash = path.lastIndex(of: "/") else {
      self.init(resolving: ".")
      append([path])
      return
    }
    self.init(resolving: slash == path.startIndex ? "/" : String(path[..<slash]))
    append([String(path[path.index(after: slash)...])])
  }

  /// Makes the path absolute, and removes `.` and `..` without a look at the disk. Returns nil if there is no working
  /// folder.
  package init?(asWritten path: String) {
    guard let start = path.hasPrefix("/") ? AbsolutePath(absolute: "/") : AbsolutePath(resolving: ".") else {
      return nil
    }
    self = start.appending(path)
  }

  /// The path and the folders above it, without the root: the outermost first.
  var ancestors: [AbsolutePath] {
    components.indices.map { index in
      var folder = self
      folder.components = Array(components[...index])
      return folder
    }
  }

  /// The folder that the path is in. The root is in itself.
  package var parent: AbsolutePath { appending("..") }

  private init(absolute path: String) { components = path.split(separator: "/").map(String.init) }

  private mutating func append(_ parts: [String]) {
    for part in parts where part != "." {
      if part == ".." { _ = components.popLast() } else { components.append(part) }
    }
  }

  package var text: String { "/" + components.joined(separator: "/") }

  /// Returns a Boolean value that indicates whether the path is `folder` or in it, at any depth.
  package func isIn(_ folder: AbsolutePath) -> Bool { components.starts(with: folder.components) }

  /// Returns the path as one that starts at `folder`.
  package func relative(to folder: AbsolutePath) -> String {
    let common = zip(components, folder.components).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: folder.components.count - common)
    return (up + components[common...]).joined(separator: "/")
  }

  /// Returns the path that `relative` names, starting here.
  func appending(_ relative: String) -> AbsolutePath {
    var path = self
    path.append(relative.split(separator: "/").map(String.init))
    return path
  }
}

extension AbsolutePath {
  /// A Boolean value that indicates whether the folder is that of a package, or has a project file.
  var isPackage: Bool {
    ["Package.swift", ProjectFile.name].contains { DiskFile.kind("\(text)/\($0)") == .file }
  }
}
