// swift-tools-version: 6.2
import PackageDescription

// An app whose keystore has its key in the keyring of the desktop. Its tests need a session bus with a Secret Service. It has no
// passphrases, so it leaves out the trait of PBKDF2, which is a default.
let package = Package(
  name: "SecretService",
  platforms: [.iOS(.v17), .watchOS(.v10), .macOS(.v14)],
  dependencies: [.package(name: "LocalData", path: "../../..", traits: ["SecretService"])],
  targets: [
    .testTarget(
      name: "SecretServiceTests",
      dependencies: [
        .product(name: "LocalData", package: "LocalData"),
        .product(name: "LocalDataMaintenance", package: "LocalData"),
        .product(name: "LocalDataSecretService", package: "LocalData"),
      ])
  ]
)
