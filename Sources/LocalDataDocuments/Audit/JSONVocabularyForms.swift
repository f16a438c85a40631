import LocalDataModel
import LocalDataSyntax
import LocalDataEmission
import LocalDataAudit
import LocalDataVocabulary

/// The forms of what keys, databases and records have in common. The vocabulary is written as its `Codable` reads it.
extension JSONForm<StorageDomain> {
  static let domain = Self(schema: .reference("domain")) { $0.writeJSON($1) }
}

extension JSONForm<String> {
  /// The name of a container.
  static let container = Self(schema: .reference("container")) { $0.writeJSON(FieldValue(container: $1)) }
}

extension JSONForm<SecurityPolicy> {
  static let security = Self(schema: .reference("security")) { $0.writeExplicitJSON($1) }
}

extension JSONForm<ResolvedPrivacy> {
  static let privacy = Self.object([
    .required("collected", .flag, \.isCollected),
    .optional("linked", .flag) { $0.isCollected ? $0.isLinked : nil },
    .optional("tracking", .flag) { $0.isCollected ? $0.isTracking : nil },
    .optional("dataType", .word) { $0.isCollected ? $0.dataType : nil },
    .optional("purposes", .list(of: .word)) { $0.isCollected ? $0.purposes : nil },
  ])
}

extension JSONForm<ResolvedReview> {
  static let review = Self.object([.required("by", .text, \.by), .required("until", .text, \.until.text)])
}

extension JSONForm<ResolvedReservedName> {
  static let reservedName = Self(schema: .reference("reservedName")) { $0.writeReservedName($1) }
}
