/// A file in memory, by its path below the output folder.
package struct GeneratedFile: Sendable, Hashable {
  package var path: String
  package var bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
