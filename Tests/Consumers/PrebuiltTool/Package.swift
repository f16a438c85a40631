// swift-tools-version: 6.1
import PackageDescription

// An app whose keys a compiled tool generates while the app is built. `.ci/bundle .build/bundle-check` writes LocalDataPlugins.
let package = Package(
  name: "PrebuiltTool",
  platforms: [.iOS(.v17), .watchOS(.v10), .macOS(.v14)],
  dependencies: [
    .package(name: "LocalData", path: "../../.."), .package(path: "../../../.build/bundle-check/LocalDataPlugins"),
  ],
  targets: [
    .executableTarget(
      name: "App", dependencies: [.product(name: "LocalData", package: "LocalData")],
      plugins: [.plugin(name: "PrebuiltLocalDataBuildPlugin", package: "LocalDataPlugins")])
  ]
)
