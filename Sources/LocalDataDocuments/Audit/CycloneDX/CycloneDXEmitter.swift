import LocalDataModel
import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// Writes catalogs as a CycloneDX 1.6 document (ECMA-424) in JSON: a data component for each key, each record and each
/// declaration of unmanaged data, the cryptographic assets that protect them, and what depends on what.
///
///     {"type": "data", "bom-ref": "key/Account/theme", "name": "theme", "data": [{"type": "dataset", …}], …}
///     {"type": "cryptographic-asset", "bom-ref": "algorithm/AES-256-GCM", …}
///     {"ref": "key/Account/theme", "dependsOn": ["algorithm/AES-256-GCM", "dataKey/…"]}
///
/// The document has neither a serial number nor a date, which are optional: equal catalogs give equal bytes.
struct CycloneDXEmitter {
  private var components: [String] = []
  private var dependencies: [(ref: String, on: [String])] = []
  private var assets = CryptographicAssets()

  static func emit(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    var emitter = CycloneDXEmitter()
    let databases = catalogs.flatMap(\.databases)
    for catalog in catalogs {
      for key in catalog.keys { emitter.add(key, of: catalog) }
      for record in catalog.records {
        emitter.add(record, in: databases.first { $0.member == record.database }, of: catalog)
      }
      for data in catalog.unmanaged { emitter.add(data, of: catalog) }
    }
    return Array(emitter.document.utf8)
  }

  private var document: String {
    let dependencies = (dependencies + assets.dependencies).map { ref, on in
      JSONText.object([("ref", JSONText.quoted(ref)), ("dependsOn", Self.list(on.map(JSONText.quoted)))])
    }
    func lines(_ objects: [String]) -> String {
      objects.isEmpty ? "" : "\n    " + objects.joined(separator: ",\n    ") + "\n  "
    }
    return """
      {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"tools": {"components": [{"type": "application", "name": "local-data"}]}},
        "components": [\(lines(components + assets.components))],
        "dependencies": [\(lines(dependencies))]
      }

      """
  }

  // MARK: Data

  private mutating func add(_ key: ResolvedKey, of catalog: ResolvedCatalog) {
    let descriptor = key.descriptor
    let data = Self.data(
      descriptor.name, description: nil, descriptor.sensitivity, key.privacy, owner: descriptor.owner)
    let properties =
      [
        ("type", descriptor.valueType), ("domain", descriptor.domain.auditText),
        ("security", descriptor.security.auditText), ("serializer", descriptor.serializer.auditText),
        ("availability", descriptor.availability.rawValue), ("sync", descriptor.syncPolicy.rawValue),
        ("kept", descriptor.keptText), ("backup", descriptor.backupText),
      ] + (descriptor.signing.map { [("privateKey", $0.enclaveText)] } ?? [])
    let ref = "key/\(catalog.name)/\(descriptor.member)"
    add(
      ref, descriptor.member, descriptor.description, [data],
      properties + Self.properties(key.review, of: catalog, line: key.line))
    dependencies.append((ref, assets.protecting(descriptor.security, in: descriptor.domain.kind)))
  }

  private mutating func add(_ record: ResolvedRecord, in database: ResolvedDatabase?, of catalog: ResolvedCatalog) {
    let data = record.fields.map { field in
      Self.data(
        field.storedName, description: field.description, field.sensitivity, field.privacy, owner: record.owner)
    }
    let properties = [
      ("database", record.database), ("storedName", record.storedName), ("domain", database?.whereText ?? ""),
      ("fileProtection", database?.protection.rawValue ?? ""),
      ("encryptedFields", record.sealedFields.map(\.name).joined(separator: ", ")),
      ("kept", record.retention?.auditText ?? "until removed"),
      ("backup", database.map { $0.isInBackup ? "included" : "excluded" } ?? ""),
    ]
    let ref = "record/\(catalog.name)/\(record.name)"
    add(
      ref, record.name, record.description, data,
      properties + Self.properties(record.review, of: catalog, line: record.line))
    guard let database, !record.sealedFields.isEmpty else { return dependencies.append((ref, [])) }
    let index = record.fields.contains { $0.encryption == .blind } ? [assets.blindIndex()] : []
    dependencies.append((ref, assets.protecting(database.sealing, in: database.domain.kind) + index))
  }

  private mutating func add(_ data: ResolvedUnmanaged, of catalog: ResolvedCatalog) {
    let descriptor = data.descriptor
    let properties = [
      ("unmanaged", data.kindText), ("where", data.whereText), ("security", descriptor.security.auditText),
      ("fileProtection", data.file == nil ? "" : data.protection.rawValue), ("kept", descriptor.periodText),
      ("backup", descriptor.backupText),
    ]
    let ref = "\(ResolvedUnmanaged.section)/\(catalog.name)/\(data.member)"
    let stored = Self.data(
      data.storedName.isEmpty ? data.member : data.storedName, description: nil, descriptor.sensitivity,
      data.key.privacy, owner: descriptor.owner)
    add(
      ref, data.member, descriptor.description, [stored],
      properties + Self.properties(nil, of: catalog, line: data.key.line))
    dependencies.append((ref, assets.protecting(descriptor.security, in: descriptor.domain.kind)))
  }

  private mutating func add(
    _ ref: String, _ name: String, _ description: String, _ data: [String], _ properties: [(String, String)]
  ) {
    let properties = properties.filter { !$0.1.isEmpty }.map { name, value in
      JSONText.object([("name", JSONText.quoted("local-data:\(name)")), ("value", JSONText.quoted(value))])
    }
    components.append(
      JSONText.object([
        ("type", "\"data\""), ("bom-ref", JSONText.quoted(ref)), ("name", JSONText.quoted(name)),
        ("description", JSONText.quoted(description)), ("data", Self.list(data)), ("properties", Self.list(properties)),
      ]))
  }

  private static func properties(
    _ review: ResolvedReview?, of catalog: ResolvedCatalog, line: Int
  ) -> [(String, String)] {
    [("review", review?.auditText ?? ""), ("source", "\(catalog.sourceName), line \(line)")]
  }

  private static func data(
    _ name: String, description: String?, _ sensitivity: Sensitivity, _ privacy: ResolvedPrivacy?, owner: String
  ) -> String {
    var fields: [JSONText.Field] = [
      ("type", "\"dataset\""), ("name", JSONText.quoted(name)),
      ("classification", JSONText.quoted(sensitivity.rawValue)),
    ]
    // The type of the data says more than its sensitivity.
    let kind = privacy?.dataType?.rawValue ?? ([.public, .internal].contains(sensitivity) ? nil : sensitivity.rawValue)
    if let kind { fields.append(("sensitiveData", list([JSONText.quoted(kind)]))) }
    if let description { fields.append(("description", JSONText.quoted(description))) }
    let organization = JSONText.object([("name", JSONText.quoted(owner))])
    let owners = list([JSONText.object([("organization", organization)])])
    fields.append(("governance", JSONText.object([("owners", owners)])))
    return JSONText.object(fields)
  }

  private static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }
}
