/// The version of the package. `--version` prints it, generated code names it, and the tag of a release is it.
package enum PackageVersion {
  package static let current: StaticString = "0.2.0"
}
