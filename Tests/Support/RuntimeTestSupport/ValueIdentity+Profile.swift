package import LocalData

extension ValueIdentity {
  package static let profile = ValueIdentity(
    domain: .encryptedFileSystem, container: .directory(.documents), name: "profile")
}
