package import LocalDataModel

/// The folders in which a package or an Xcode project has its catalogs, if the arguments name none: `Catalogs`, the same folder in
/// the targets of a package (`Sources/Shop/Catalogs`), and in the targets of an Xcode project (`Shop/Catalogs`).
///
/// `init` writes catalogs to these folders, and the plugins read them there.
package enum PackageLayout {
  /// Returns the folders that have catalogs or releases, and the folder `Catalogs` if it exists.
  ///
  /// - Parameter root: The folder of the package, as a path that is empty or ends with a slash.
  package static func folders(in root: String = "") throws -> [String] {
    let targets = try folders(below: root + "Sources/") + folders(below: root)
    let own = root + CatalogFinder.defaultFolder
    return (DiskFile.kind(own) == .folder ? [own] : [])
      + (try targets.map { "\($0)/\(CatalogFinder.defaultFolder)" }.filter { folder in
        guard DiskFile.kind(folder) == .folder else { return false }
        let found = try CatalogFinder.find([folder])
        return !found.paths.isEmpty || !found.releases.isEmpty
      })
  }

  /// Returns the targets of a package without a project file: one for each folder of catalogs. The outputs of a target are in
  /// its folder `Generated`.
  package static func targets() throws -> [Project.Target] {
    let folders = try folders()
    // The verbs report that there is no folder.
    guard folders != [CatalogFinder.defaultFolder], !folders.isEmpty else { return [Project.Target()] }
    return folders.map { folder in
      var target = Project.Target(catalogs: [folder])
      target.output = folder.dropLast(CatalogFinder.defaultFolder.count) + "Generated"
      return target
    }
  }

  /// Returns the folder of the package or Xcode project that a folder is in, or nil if there is none.
  package static func root(of folder: String) throws -> AbsolutePath? {
    guard var place = AbsolutePath(resolving: folder) else { return nil }
    while !place.components.isEmpty {
      if try place.isPackage || names(in: place.text).contains(where: { $0.hasSuffix(".xcodeproj") }) { return place }
      place = place.parent
    }
    return nil
  }

  private static func folders(below root: String) throws -> [String] {
    try names(in: root.isEmpty ? "." : root).filter { !$0.hasPrefix(".") && $0 != "Tests" }.map { root + $0 }
  }

  /// Returns the names in a folder; none if it cannot be read, because then nothing in it is a part of the package.
  private static func names(in folder: String) throws -> [String] {
    let path = try CheckedPath(folder)
    do throws(DiskFile.Failure) { return try DiskFile.names(in: path) } catch { return [] }
  }
}
