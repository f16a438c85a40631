import LocalDataDocuments
import LocalDataModel
import LocalDataVocabulary
import Testing

/// The text form of the audit, for catalogs with records.
struct RecordAuditTextTests {
  @Test func aDatabaseAndARecordHaveAParagraphEach() {
    let text = String(decoding: AuditFormat.text.render(RecordSamples.packageRecords), as: UTF8.self)
    #expect(text.contains(": 0 keys, 2 records, 1 database, 2 reserved names.\n"), "\(text)")
    #expect(
      text.contains(
        """

        places, a database
          Values of tests.
          Stored name:    places
          Where:          fileSystem, applicationSupport
          Protection:     untilFirstUnlock
        """), "\(text)")
    #expect(
      text.contains(
        """

        PackageStay, a record
          A value that a test stores.
          Stored name:    PackageStay
          Database:       places
          Member:         packageStays
          Key:            id
          Sensitivity:    internal
          Owner:          WalletTeam
          Kept:           until removed
          Plain fields leave the device: backups (encrypted, unencrypted, iCloud): as it is
          Declared:       
        """), "\(text)")
    #expect(
      text.contains(
        """
          3: field visitID; stored name visitID; type String?; sensitivity internal; encrypted no; \
        refers to PackageVisit, setNull

        """), "\(text)")
    #expect(text.contains("\n  package_tour: database places; note Dropped | in \"1.4\".\n"), "\(text)")
    #expect(text.contains("; encrypted yes, blind index\n"), "\(text)")
  }

  @Test func theFunctionsOfFieldsAreNamed() {
    let text = String(decoding: AuditFormat.text.render(RecordSamples.transforms), as: UTF8.self)
    let markdown = String(decoding: AuditFormat.markdown.render(RecordSamples.transforms), as: UTF8.self)
    let json = String(decoding: AuditFormat.json.render(RecordSamples.transforms), as: UTF8.self)
    let sources = "from 18 ([Int]) by Set<Int>.init, or from 3 (Set<Int>?) by Trips.sizes"
    #expect(text.contains("; type Set<Int>; sensitivity internal; encrypted no; made \(sources)\n"), "\(text)")
    #expect(text.contains("made from 6 (Date, encrypted, in seconds) by Trips.next\n"), "\(text)")
    #expect(markdown.contains("| from 10 (Double?) by Trips.note |"), "\(markdown)")
    #expect(
      json.contains(
        #""from":[{"fields":[{"number":6,"type":"Date","encrypted":true,"wire":"seconds"}],"transform":"Trips.next"}]"#),
      "\(json)")
  }

  /// Each property of the language, changed in one record.
  static let changes: [(property: String, change: @Sendable (inout ResolvedCatalog) -> Void)] = [
    ("domain", { $0.databases[0].domain = .fileSystem(directory: .documents) }),
    ("movedFrom", { $0.databases[0].movedFrom = [.init(name: "old", domain: $0.databases[0].domain)] }),
    ("protection", { $0.databases[0].protection = .completeUnlessOpen }),
    ("sealing", { $0.databases[0].sealing = .encrypted(.init(algorithm: .aes256GCM)) }),
    ("backup", { $0.databases[0].isInBackup = false }), ("name", { $0.records[0].storedName = "Other" }),
    ("member", { $0.records[0].member = "others" }), ("indexes", { $0.records[0].indexes = [[1]] }),
    ("unique", { $0.records[0].unique = [[1]] }),
    ("existing", { ($0.records[0].unique, $0.records[0].existing) = ([[1]], [[1]: .keepFirst]) }),
    ("keepLast", { ($0.records[0].unique, $0.records[0].existing) = ([[1]], [[1]: .keepLast]) }),
    (
      "cascading",
      { ($0.records[0].unique, $0.records[0].existing) = ([[1]], [[1]: .init(kept: .keepLast, cascades: true)]) }
    ),
    ("retention", { $0.records[0].retention = .dated(by: "id", maxAge: 60, maxCount: 2) }),
    ("expires", { $0.records[0].expires = "id" }), ("onCorruption", { $0.records[0].skipsDamaged = true }),
    ("maxSize", { $0.records[0].maxSize = 77 }), ("sensitivity", { $0.records[0].sensitivity = .health }),
    ("privacy", { $0.records[0].privacy = ResolvedPrivacy(isCollected: false) }),
    ("deprecated", { $0.records[0].deprecation = .init(reason: "Unused.", renamedTo: nil) }),
    ("renamedTo", { $0.records[0].deprecation = .init(reason: "Unused.", renamedTo: "Other") }),
    ("reserved", { $0.records[0].reserved = [.init(numbers: [7], names: [], deletesValues: false)] }),
    ("cleanup", { $0.records[0].reserved = [.init(numbers: [7], names: [], deletesValues: true)] }),
    ("field name", { $0.records[0].fields[0].storedName = "other" }),
    ("default", { $0.records[0].fields[0].defaultValue = .new }),
    ("encrypted", { $0.records[0].fields[1].encryption = .none }),
    ("blind", { $0.records[0].fields[1].encryption = .blind }),
    ("wire", { $0.records[0].fields[1].isInSeconds = true }),
    ("onDelete", { $0.records[0].fields[1].reference = .init(record: "A", storedName: "A", onDelete: .cascade) }),
    (
      "from",
      {
        let source = ResolvedRecord.Source(number: 9, type: .scalar(.int), isEncrypted: true, isInSeconds: false)
        $0.records[0].fields[1].transforms = [.init(sources: [source], function: SwiftName("Other.made"))]
      }
    ),
    ("field sensitivity", { $0.records[0].fields[1].sensitivity = .health }),
    ("field privacy", { $0.records[0].fields[1].privacy = ResolvedPrivacy(isCollected: false) }),
    ("field description", { $0.records[0].fields[1].description = "Something else." }),
  ]

  /// No two of the properties are written alike.
  @Test(arguments: [AuditFormat.markdown, .json, .text]) func eachPropertyIsInTheAudit(_ format: AuditFormat) {
    var documents = [String(decoding: format.render(RecordSamples.packageRecords), as: UTF8.self): "none"]
    for (property, change) in Self.changes {
      var catalogs = RecordSamples.packageRecords
      for index in catalogs.indices where !catalogs[index].records.isEmpty { change(&catalogs[index]) }
      let document = String(decoding: format.render(catalogs), as: UTF8.self)
      let other = documents.updateValue(property, forKey: document)
      #expect(other == nil, "\(property) is written as \(other ?? "")")
    }
  }

  @Test func aCatalogWithoutRecordsIsAsBefore() {
    let text = String(decoding: AuditFormat.text.render([Samples.catalog(keys: [Samples.key("a")])]), as: UTF8.self)
    #expect(text.contains(": 1 key.\n") && !text.contains(", a record"), "\(text)")
  }
}
