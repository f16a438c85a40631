import LocalDataAudit
import LocalDataVocabulary

/// A field of a resolved key, by its path in the language.
///
/// The path joins the names of fields. The name of a case is part of it only if the case holds one value without a name
/// (`{custom: Reports}`): the path of `{keychain: {service: S}}` is `domain.service`.
package enum ResolvedField: String, Sendable, CaseIterable {
  case catalog, member, name, type, `default`, access, parameters
  case validRange = "valid.range"
  case validCount = "valid.count"
  case domain
  case domainSuite = "domain.suite"
  case domainIdentifier = "domain.identifier"
  case domainService = "domain.service"
  case domainWithout = "domain.without"
  case domainAccessGroup = "domain.accessGroup"
  case domainSynchronizable = "domain.synchronizable"
  case domainDirectory = "domain.directory"
  case domainCustomDirectory = "domain.directory.custom"
  case domainPath = "domain.path"
  case security
  case accessibility = "security.accessibility"
  case accessControl = "security.accessControl"
  case algorithm = "security.algorithm"
  case keyDerivation = "security.keyDerivation"
  case iterations = "security.keyDerivation.iterations"
  case keySource = "security.keySource"
  case externalKeySource = "security.keySource.external"
  case serializer
  case customSerializer = "serializer.custom"
  case dates, reads
  case schema, upgrade, migration, legacy
  case availability, syncPolicy, sync
  case watchType = "watch.type"
  case watchTransform = "watch.transform"
  case watchSerializer = "watch.serializer"
  case watchSchema = "watch.schema"
  case owner, description, title, tags, sensitivity
  case maxAge = "retention.maxAge"
  case retainedUntil = "retention.until"
  case onCorruption, maxSize, backup, protection
  case secureEnclave, applicationTag, exportable, signOut
  case deprecationReason = "deprecated.reason"
  case renamedTo = "deprecated.renamedTo"
  case isCollected = "privacy.collected"
  case isLinked = "privacy.linked"
  case isTracking = "privacy.tracking"
  case dataType = "privacy.dataType"
  case purposes = "privacy.purposes"
  case reviewer = "review.by"
  case reviewedUntil = "review.until"

  /// The field as it is written: `domain.service`.
  package var path: String { rawValue }
}

extension ResolvedKey {
  /// The value of a field: what the key, its catalog's defaults or the language says.
  package subscript(field: ResolvedField) -> FieldValue {
    switch field {
    case .catalog: .text(catalog)
    case .member: .text(descriptor.member)
    case .name: .text(descriptor.name)
    case .type: .text(descriptor.valueType)
    case .default: defaultValue.map { FieldValue($0, text: descriptor.defaultValue) } ?? .absent
    case .access: .text(access.rawValue)
    case .parameters:
      parameters.isEmpty ? .absent : .map(parameters.map { .init($0.name, FieldValue($0)) })
    case .domainPath: FieldValue(descriptor.domain.isExact ? descriptor.name : nil)
    case .validRange: FieldValue(valid?.range?.text)
    case .validCount: FieldValue(valid?.count?.text)
    case .domainWithout: FieldValue(descriptor.domain.missingAttribute(name: descriptor.name)?.text)
    case .domain, .domainSuite, .domainIdentifier, .domainService, .domainAccessGroup, .domainSynchronizable,
      .domainDirectory, .domainCustomDirectory:
      descriptor.domain[field]
    case .security, .accessibility, .accessControl, .algorithm, .keyDerivation, .iterations, .keySource,
      .externalKeySource:
      descriptor.security[field]
    case .serializer: .text(descriptor.serializer.kind.rawValue)
    case .customSerializer: FieldValue(customSerializer?.text)
    case .dates: FieldValue(descriptor.dates?.rawValue)
    case .reads: reads.isEmpty ? .absent : .list(reads.map(\.facts))
    case .schema: .integer(descriptor.schema)
    case .upgrade:
      upgrades.isEmpty
        ? .absent
        : .list(
          upgrades.enumerated().map { index, upgrade in
            .map([.init("from", .integer(index + 1)), .init("transform", .text(upgrade.transform.text))])
          })
    case .migration: migration.map(FieldValue.init) ?? .absent
    case .legacy: .flag(descriptor.isLegacy)
    case .availability: .text(descriptor.availability.rawValue)
    case .syncPolicy: .text(descriptor.syncPolicy.rawValue)
    case .sync: descriptor.isDecryptedForSync ? .text(SyncTransfer.decrypted.rawValue) : .absent
    case .watchType: FieldValue(watchRepresentation?.type.swiftText)
    case .watchTransform: FieldValue(watchRepresentation?.transform.text)
    case .watchSerializer: watchRepresentation?.serializer.map(FieldValue.init) ?? .absent
    case .watchSchema: watchRepresentation.map { .integer($0.schema) } ?? .absent
    case .owner: .text(descriptor.owner)
    case .description: .text(descriptor.description)
    case .title: FieldValue(labels.title)
    case .tags: labels.tags.isEmpty ? .absent : .list(labels.tags.map(FieldValue.text))
    case .sensitivity: .text(descriptor.sensitivity.rawValue)
    case .maxAge, .retainedUntil: descriptor.retention?[field] ?? .absent
    // A snapshot of a release without the field says the same as one with the default of the language.
    case .onCorruption: descriptor.onCorruption == .throw ? .absent : .text(descriptor.onCorruption.rawValue)
    case .maxSize: .integer(descriptor.maxSize)
    case .backup: descriptor.domain.kind.isFile ? .flag(descriptor.backup) : .absent
    // As with `onCorruption`.
    case .protection:
      descriptor.protection == .untilFirstUnlock ? .absent : .text(descriptor.protection.rawValue)
    case .secureEnclave: FieldValue(descriptor.signing?.secureEnclave.rawValue)
    case .applicationTag: FieldValue(descriptor.signing?.applicationTag)
    case .exportable: descriptor.signing?.isExportable == true ? .flag(true) : .absent
    case .signOut: descriptor.staysAtSignOut ? .text(SignOutPolicy.keep.rawValue) : .absent
    case .deprecationReason: FieldValue(deprecation?.reason)
    case .renamedTo: FieldValue(deprecation?.renamedTo)
    case .isCollected, .isLinked, .isTracking, .dataType, .purposes: privacy?[field] ?? .absent
    case .reviewer: FieldValue(review?.by)
    case .reviewedUntil: FieldValue(review?.until.text)
    }
  }
}

extension StorageDomain {
  fileprivate subscript(field: ResolvedField) -> FieldValue {
    let fields = fields
    return switch field {
    case .domain: .text(kind.rawValue)
    case .domainSuite: FieldValue(container: fields.suite)
    case .domainIdentifier: FieldValue(container: fields.identifier)
    case .domainService: FieldValue(container: fields.service == "" ? nil : fields.service)
    case .domainAccessGroup: FieldValue(container: fields.accessGroup)
    case .domainSynchronizable: kind == .keychain ? .flag(fields.synchronizable == true) : .absent
    case .domainDirectory: FieldValue((fields.directory?.exact?.rawValue ?? fields.directory?.kind.rawValue))
    case .domainCustomDirectory: FieldValue(fields.directory?.customPath)
    default: .absent
    }
  }
}

extension SecurityPolicy {
  fileprivate subscript(field: ResolvedField) -> FieldValue {
    switch (field, self) {
    case (.security, _): .text(kind.rawValue)
    case (.accessibility, .keychain(let accessibility, _)): .text(accessibility.rawValue)
    case (.accessControl, .keychain(_, let accessControl)): FieldValue(accessControl?.rawValue)
    case (.algorithm, .encrypted(let policy)): .text(policy.algorithm.rawValue)
    case (.keyDerivation, .encrypted(let policy)): .text(policy.keyDerivation.kind.rawValue)
    case (.iterations, .encrypted(let policy)):
      if case .pbkdf2(let iterations) = policy.keyDerivation { .integer(iterations) } else { .absent }
    case (.keySource, .encrypted(let policy)): .text(policy.keySource.kind.rawValue)
    case (.externalKeySource, .encrypted(let policy)):
      if case .external(let source) = policy.keySource { .text(source.id) } else { .absent }
    default: .absent
    }
  }
}

extension Retention {
  fileprivate subscript(field: ResolvedField) -> FieldValue {
    switch (field, self) {
    case (.maxAge, .maxAge(let seconds)): .text(Self.text(seconds: seconds))
    case (.retainedUntil, .untilRelaunch): .text(End.relaunch.rawValue)
    case (.retainedUntil, .untilReinstall): .text(End.reinstall.rawValue)
    default: .absent
    }
  }
}

extension ResolvedPrivacy {
  fileprivate subscript(field: ResolvedField) -> FieldValue {
    switch field {
    case .isCollected: .flag(isCollected)
    case .isLinked where isCollected: .flag(isLinked)
    case .isTracking where isCollected: .flag(isTracking)
    case .dataType: FieldValue(dataType?.rawValue)
    case .purposes where isCollected: .list(purposes.map { .text($0.rawValue) })
    default: .absent
    }
  }
}

extension ResolvedKey.ReadForm {
  /// The form as a catalog writes it, complete.
  fileprivate var facts: FieldValue {
    .map(present: [
      .init("type", .text(type.swiftText)), .init("serializer", FieldValue(serializer)),
      .init("dates", FieldValue(dates?.rawValue)), .init("transform", FieldValue(transform?.text)),
    ])
  }
}
