/// The audit of what an app persists.
///
/// The generator's text audit and the one an app prints at run time are this same code.
public enum StorageAuditReport {
  /// The text audit of descriptors, a paragraph a key.
  public static func renderText(for descriptors: [StorageKeyDescriptor]) -> String {
    descriptors.map { $0.auditText }.joined(separator: "\n")
  }
}

extension StorageKeyDescriptor {
  var auditText: String { "\(member)  \(name)\n" }
}
