import CatalogEmitters
import CatalogModel
import Testing

/// The text form of the audit, for catalogs with records.
struct RecordAuditTextTests {
  @Test func aDatabaseAndARecordHaveAParagraphEach() {
    let text = String(decoding: AuditFormat.text.render(RecordSamples.packageRecords), as: UTF8.self)
    #expect(text.contains("0 keys, 2 records, 1 database, 2 reserved names\n"), "\(text)")
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
          Key:            id
          Sensitivity:    internal
          Owner:          WalletTeam
          Kept:           until removed
          Field:          1 id: UUID; internal
          Field:          2 place: PackagePlace; internal
          Field:          3 visitID: String?; internal; refers to PackageVisit, setNull

        Reserved records
          PackageTrip (places): rows are kept.
          package_tour (places): rows are kept. Dropped | in "1.4".

        """), "\(text)")
    #expect(text.contains("; encrypted: yes, blind index\n"), "\(text)")
  }

  @Test func aCatalogWithoutRecordsIsAsBefore() {
    let text = String(decoding: AuditFormat.text.render([Samples.catalog(keys: [Samples.key("a")])]), as: UTF8.self)
    #expect(text.contains("\n1 key\n") && !text.contains("record"), "\(text)")
  }
}
