package import LocalDataEmission

/// A file to write, and the path of the catalog that it comes from.
package struct Output {
  package var file: GeneratedFile
  package var source: String

  package init(file: GeneratedFile, source: String) {
    self.file = file
    self.source = source
  }
}

/// The changes that bring an output folder up to date.
package struct OutputPlan {
  /// Files that are new or have changed.
  package var written: [GeneratedFile] = []
  /// Outputs whose catalogs are gone.
  package var removed: [String] = []
  /// Outputs whose catalogs are gone, but which somebody has edited since. They are left alone.
  var edited: [String] = []
  /// Outputs whose new names differ from the old ones in case only, on a disk that ignores case.
  var renamed: [(old: String, new: String)] = []
  var oldManifest: OutputManifest
  package var newManifest: OutputManifest
  package var isManifestChanged = false
  /// Catalogs of earlier outputs that are gone.
  package var lost: [AbsolutePath] = []

  package var isEmpty: Bool { written.isEmpty && removed.isEmpty && renamed.isEmpty && !isManifestChanged }

  /// The numbers of files that change, in words.
  package var summary: String {
    var parts: [String] = []
    if !written.isEmpty { parts.append("\(Quantity.text(written.count, "file")) written") }
    if !removed.isEmpty { parts.append("\(removed.count) removed") }
    return parts.isEmpty ? "up to date" : parts.joined(separator: ", ")
  }
}

extension OutputPlan {
  /// Files of an earlier run that this one does not produce, divided into those to remove and those to rename.
  ///
  /// On a disk that ignores case, `account.swift` and `Account.swift` are one file: to remove the old name would remove
  /// the new file.
  ///
  /// - Parameter identity: The identity of a file, or nil if there is none.
  static func divide(
    stale: [String], produced: [String], identity: (String) throws -> DiskFile.Identity?
  ) rethrows -> (removed: [String], renamed: [(old: String, new: String)]) {
    guard !stale.isEmpty else { return ([], []) }
    var names: [DiskFile.Identity: String] = [:]
    for path in produced {
      if let identity = try identity(path) { names[identity] = path }
    }
    var removed: [String] = []
    var renamed: [(old: String, new: String)] = []
    for path in stale {
      guard let identity = try identity(path) else { continue }
      if let name = names[identity] { renamed.append((path, name)) } else { removed.append(path) }
    }
    return (removed, renamed)
  }
}

/// A count and what is counted.
package enum Quantity {
  package static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
