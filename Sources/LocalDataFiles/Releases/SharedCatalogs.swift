package import LocalDataModel
package import LocalDataSyntax

/// The catalogs that the other targets of a project have in the folders of a target.
///
/// A snapshot records all catalogs of its folder. If a target has only some of them, the others are not removed catalogs. A
/// snapshot does not record which target a catalog belonged to, so the first target that has catalogs in the folder reports a
/// removed one.
package struct SharedCatalogs {
  /// The checked catalogs.
  package private(set) var catalogs: [ResolvedCatalog] = []
  /// Their files.
  package private(set) var sources: [SourceFile] = []
  /// The folders in which a run does not report catalogs that are gone.
  private var silent: Set<String> = []

  package init() {}

  /// Reads the catalogs of other targets.
  ///
  /// If the target is none of the project, because a run names its catalogs, the catalogs beside them are not read, and
  /// nothing is said about catalogs that are gone.
  package static func read(
    besides selection: CatalogSelection, of target: Project.Target, _ project: Project
  ) throws -> SharedCatalogs {
    let folders = SnapshotFolder.all(of: selection)
    var shared = SharedCatalogs()
    guard let position = project.targets.firstIndex(of: target) else {
      let partial = try folders.filter { try !$0.catalogs(notIn: selection).isEmpty }
      shared.silent = Set(partial.map(place))
      return shared
    }
    for (index, other) in project.targets.enumerated() where index != position {
      let others = try CatalogFinder.find(other.catalogs, excluding: other.exclude)
      let common = folders.filter { folder in others.paths.contains(where: folder.describes) }
      guard !common.isEmpty else { continue }
      let found = try PairedCatalogs.checked(others)
      if index < position || found.catalogs == nil { shared.silent.formUnion(common.map(place)) }
      shared.add(found, selection, in: common)
    }
    return shared
  }

  private mutating func add(_ found: PairedCatalogs, _ selection: CatalogSelection, in folders: [SnapshotFolder]) {
    let known = Set(catalogs.map(\.path))
    let new = (found.catalogs ?? []).filter { catalog in
      !known.contains(catalog.path) && folders.contains { $0.describes(catalog.path) }
        && DiskFile.identityIfKnown(catalog.path).map { !selection.identities.contains($0) } ?? true
    }
    catalogs += new
    let paths = Set(new.map(\.path))
    sources += found.sources.filter { paths.contains($0.path) }
  }

  /// Returns the catalogs of a release about which a run reports nothing: those of other targets, and those that are gone if
  /// another run reports them.
  package func unread(_ released: Set<String>, in folder: SnapshotFolder, own: [ResolvedCatalog]) -> Set<String> {
    let others = silent.contains(Self.place(folder)) ? released : Set(catalogs.map(\.name))
    return others.subtracting(own.map(\.name))
  }

  private static func place(_ folder: SnapshotFolder) -> String {
    DiskFile.resolved(folder.catalogs) ?? folder.catalogs
  }
}
