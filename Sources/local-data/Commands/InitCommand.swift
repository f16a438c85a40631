import LocalDataFiles
import ArgumentParser
import LocalDataSyntax

/// `init`: writes a package that works, or the first catalog of a package that exists.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract:
      "Write a package with a catalog, the build plugin and a passing test, or a catalog for an existing package.",
    discussion: "No existing file is changed.")

  @Argument(help: "The folder of the package.", completion: .directory)
  var folder = "."

  @Option(help: "The name of the target and of its catalog (default: the name of the folder).")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "The checkout of LocalData that the package depends on.",
      discussion: "The option is required, because LocalData has no published address yet.", valueName: "folder"),
    completion: .directory)
  var packagePath: String?

  func validate() throws {
    guard !folder.isEmpty else { throw ValidationError("The folder needs a path, for example: init Shop") }
    if let name, !NewPackage.isName(name) {
      throw ValidationError("'\(SafeText.escaped(name))' is not the name of a Swift module, for example: Shop")
    }
    guard let packagePath else {
      throw ValidationError(
        "LocalData has no published address yet: name a checkout with '--package-path', "
          + "for example: --package-path ../LocalData")
    }
    guard !packagePath.isEmpty else {
      throw ValidationError("'--package-path' needs a path, for example: --package-path ../LocalData")
    }
  }

  func run() throws {
    guard let place = AbsolutePath(resolving: try CheckedPath(folder).text) else {
      throw ToolFailure(.cannotReadOrWrite, "cannot read the folder '\(folder)'")
    }
    guard let name = name ?? NewPackage.name(from: place.components.last ?? "") else {
      throw ToolFailure(
        .wrongUse, "'\(place.components.last ?? "/")' cannot become the name of a Swift module",
        help: "name the target, for example: --name Shop")
    }
    let package = NewPackage(name: name, dependency: try dependency(in: place))
    let isAddition = DiskFile.kind(place.text + "/Package.swift") != nil
    let hasTarget = DiskFile.kind(place.text + "/Sources/" + name) == .folder
    var files = isAddition ? package.additions(hasTarget: hasTarget) : package.files
    // The schema of an earlier run is as good.
    files.removeAll { $0.path == NewPackage.schema.path && DiskFile.kind(place.text + "/" + $0.path) == .file }
    for file in files where DiskFile.kind(place.text + "/" + file.path, followingLinks: false) != nil {
      throw ToolFailure(
        .wrongUse, "'\(file.path)' exists already, and nothing was written",
        help: "choose another name with --name, or an empty folder")
    }
    let paths = try files.map { try CheckedPath(place.text + "/" + $0.path, isIn: place) }
    for (path, file) in zip(paths, files) { try write(file, to: path) }
    try Terminal.write(
      files.map { "wrote \(SafeText.escaped($0.path))\n" }.joined()
        + (isAddition ? package.instructions : "next: swift test\n"))
  }

  /// Returns the path of the checkout, as the new package names it.
  private func dependency(in place: AbsolutePath) throws -> String {
    guard let packagePath, DiskFile.kind(packagePath + "/Package.swift") == .file,
      let checkout = AbsolutePath(resolving: packagePath)
    else {
      throw ToolFailure(
        .wrongUse, "'\(packagePath ?? "")' is not a package", help: "name the folder of a checkout of LocalData")
    }
    return packagePath.hasPrefix("/") ? checkout.text : checkout.relative(to: place)
  }

  private func write(_ file: NewPackage.File, to path: CheckedPath) throws {
    do {
      try DiskFile.create(path, Array(file.text.utf8))
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot write '\(path.text)': \(error.text)")
    }
  }
}
