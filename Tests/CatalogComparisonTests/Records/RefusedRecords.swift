import CatalogComparison
import CatalogModel
import StorageVocabulary

/// Changes of a released catalog that have findings, and those findings: line, rule, message and help.
enum RefusedRecords {
  typealias Case = RecordFindingTests.Case

  static let cases: [RecordFindingTests.Case] = [
    Case(
      "RemovedField",
      """
      20 [released-field-removed] release 1.0 stored 'logo' (5) of 'History', and nothing declares or reserves \
      the number now; write `reserved: [{numbers: [12], names: [old], cleanup: delete}, {numbers: [5]}]` in \
      'History', or declare the field again with `number: 5`
      """
    ) { $0.history.fields.remove(at: 4) },
    Case(
      "RemovedReservation",
      """
      20 [released-field-removed] release 1.0 reserved the number 12 of 'History', and nothing declares or \
      reserves the number now; write `reserved: {numbers: [12]}` in 'History', or declare the field again with \
      `number: 12`
      """
    ) { $0.history.reserved = [] },
    Case(
      "ReusedNumber",
      """
      25 [released-number-reused] release 1.0 stored 'logo' (URL?) with the number 5, and 'icon' (Data?) has \
      it now; write `number: 13` at 'icon', and write `reserved: [{numbers: [12], names: [old], cleanup: \
      delete}, {numbers: [5]}]` in 'History'
      """
    ) { $0.history.fields[4] = RecordCatalog.field("icon", 5, .optional(.scalar(.data)), line: 25) },
    Case(
      "ReusedReservation",
      """
      27 [released-number-reused] release 1.0 reserved the number 12 of 'History', and 'icon' has it now; \
      write `number: 13` at 'icon', and write `reserved: {numbers: [12]}` in 'History'
      """
    ) {
      $0.history.reserved = []
      $0.history.fields.append(RecordCatalog.field("icon", 12, .optional(.scalar(.data)), line: 27))
    },
    Case(
      "ChangedType",
      """
      23 [released-field-type-changed] release 1.0 stored 'count' (3) of 'History' as 'Int32', and it is read \
      as 'String' now; write `type: Int32` again; or write `number: 13` at 'count' and write `reserved: \
      [{numbers: [12], names: [old], cleanup: delete}, {numbers: [3]}]` in 'History': the stored values are \
      not read any more
      """
    ) { $0.history["count"].type = .scalar(.string) },
    Case(
      "NarrowerInteger",
      """
      23 [released-field-type-changed] release 1.0 stored 'count' (3) of 'History' as 'Int32', and it is read \
      as 'Int16'; write `type: Int32` again; or write `number: 13` at 'count' and write `reserved: [{numbers: \
      [12], names: [old], cleanup: delete}, {numbers: [3]}]` in 'History': the stored values are not read any \
      more
      """
    ) { $0.history["count"].type = .scalar(.int16) },
    Case(
      "ChangedList",
      """
      24 [released-field-type-changed] release 1.0 stored 'claims' (4) of 'History' as '[Claim]', and it is \
      read as '[String]' now; write `type: "[Claim]"` again; or write `number: 13` at 'claims', with a default \
      or a '?', and write `reserved: [{numbers: [12], names: [old], cleanup: delete}, {numbers: [4]}]` in \
      'History': the stored values are not read any more
      """
    ) { $0.history["claims"].type = .list(.scalar(.string)) },
    Case(
      "ChangedSealedType",
      """
      13 [released-field-type-changed] release 1.0 stored 'secret' (3) of 'Credential' as 'String', and it is \
      read as 'Data' now; write `type: String` again; or write `number: 5` at 'secret', with a default or a \
      '?', and write `reserved: {numbers: [3]}` in 'Credential': the stored values are not read any more
      """
    ) { $0.credential["secret"].type = .scalar(.data) },
    Case(
      "NoLongerEncrypted",
      """
      13 [released-field-type-changed] release 1.0 stored 'secret' (3) of 'Credential' encrypted, and it is \
      read without encryption now; write `encrypted: true` again; or write `number: 5` at 'secret', with a \
      default or a '?', and write `reserved: {numbers: [3]}` in 'Credential': the stored values are not read \
      any more
      """
    ) { $0.credential["secret"].encryption = .none },
    Case(
      "Encrypted",
      """
      23 [released-field-type-changed] release 1.0 stored 'count' (3) of 'History' without encryption, and it \
      is read encrypted now; remove `encrypted`; or write `number: 13` at 'count' and write `reserved: \
      [{numbers: [12], names: [old], cleanup: delete}, {numbers: [3]}]` in 'History': the stored values are \
      not read any more
      """
    ) { $0.history["count"].encryption = .sealed },
    Case(
      "LostBlindIndex",
      """
      14 [released-field-type-changed] release 1.0 stored 'issuer' (4) of 'Credential' encrypted, with a blind \
      index, and it is read encrypted now; write `encrypted: {index: blind}` again; or write `number: 5` at \
      'issuer', with a default or a '?', and write `reserved: {numbers: [4]}` in 'Credential': the stored \
      values are not read any more
      """
    ) { $0.credential["issuer"].encryption = .sealed },
    Case(
      "RequiredField",
      """
      27 [released-field-required] release 1.0 stored rows of 'History' without 'party' (13), which has \
      neither a default for them nor a '?'; write `type: String?`, or a default
      """
    ) { $0.history.fields.append(RecordCatalog.field("party", 13, .scalar(.string), line: 27)) },
    Case(
      "NewIdentifierOfOldRows",
      """
      27 [released-field-required] release 1.0 stored rows of 'History' without 'token' (13), which has \
      neither a default for them nor a '?'; write `type: UUID?`
      """
    ) {
      var field = RecordCatalog.field("token", 13, .scalar(.uuid), line: 27)
      field.defaultValue = .new
      $0.history.fields.append(field)
    },
    Case(
      "NoLongerOptional",
      """
      25 [released-field-required] release 1.0 stored 'logo' (5) of 'History' as 'URL?', and a row without a \
      value cannot be read as 'URL'; write `type: URL?` again
      """
    ) { $0.history["logo"].type = .scalar(.url) },
    Case(
      "ChangedKey",
      """
      22 [released-key-changed] release 1.0 identified rows of 'History' by 'id' (9, UUID), and they are \
      identified by 'credentialID' (2, String) now; write `key: id` again, or declare another record beside \
      'History'
      """
    ) { $0.history.key = "credentialID" },
    Case(
      "ChangedTypeOfKey",
      """
      21 [released-key-changed] release 1.0 identified rows of 'History' by 'id' (9, UUID), and they are \
      identified by 'id' (9, Int64) now; write `type: UUID` at 'id' again, without `encrypted`, or declare \
      another record beside 'History'
      """
    ) { $0.history["id"].type = .scalar(.int64) },
    Case(
      "NewUnique",
      """
      26 [released-unique-added] release 1.0 may have stored rows of 'History' with equal values of \
      'createdAt', which are unique now; remove the `unique` of 'createdAt', and look for an equal row in the \
      transaction that saves; or declare another record
      """
    ) { $0.history.unique = [[6]] },
    Case(
      "NewUniquePair",
      """
      20 [released-unique-added] release 1.0 may have stored rows of 'History' with equal values of \
      'credentialID' and 'count', which are unique now; remove the `unique` of 'credentialID' and 'count', and \
      look for an equal row in the transaction that saves; or declare another record
      """
    ) { $0.history.unique = [[2, 3]] },
    Case(
      "NewReference",
      """
      23 [released-reference-added] release 1.0 stored 'count' (3) of 'History' without a reference, and it is \
      declared with a reference to 'Credential' (restrict) now; remove `references`; or write `number: 13` at \
      'count' and write `reserved: [{numbers: [12], names: [old], cleanup: delete}, {numbers: [3]}]` in \
      'History': the stored values are not read any more
      """
    ) {
      $0.history["count"].reference = .init(record: "Credential", storedName: "Credential", onDelete: .restrict)
    },
    Case(
      "ChangedReference",
      """
      22 [released-reference-added] release 1.0 stored 'credentialID' (2) of 'History' with a reference to \
      'Credential' (cascade), and it is declared with a reference to 'Credential' (restrict) now; write \
      `references: Credential` and `onDelete: cascade` again; or write `number: 13` at 'credentialID', with a \
      default or a '?', and write `reserved: [{numbers: [12], names: [old], cleanup: delete}, {numbers: [2]}]` \
      in 'History': the stored values are not read any more
      """
    ) { $0.history["credentialID"].reference?.onDelete = .restrict },
    Case(
      "RemovedReference",
      """
      22 [released-reference-added] release 1.0 stored 'credentialID' (2) of 'History' with a reference to \
      'Credential' (cascade), and it is declared without a reference now; write `references: Credential` and \
      `onDelete: cascade` again; or write `number: 13` at 'credentialID', with a default or a '?', and write \
      `reserved: [{numbers: [12], names: [old], cleanup: delete}, {numbers: [2]}]` in 'History': the stored \
      values are not read any more
      """
    ) { $0.history["credentialID"].reference = nil },
    Case(
      "RemovedRecord",
      """
      1 [released-record-removed] release 1.0 stored rows of 'History' in 'wallet', and nothing declares the \
      record there now; declare it again, with `name: History` and `database: wallet`, until `local-data \
      release --retire` has retired the release
      """
    ) { $0.records.remove(at: 1) },
    Case(
      "RenamedRecord",
      """
      20 [released-record-removed] release 1.0 stored rows of 'History' in 'wallet', and nothing declares the \
      record there now; if 'Visit' replaces it, write `name: History` there, so that it keeps its rows; \
      otherwise declare it again, with `name: History` and `database: wallet`, until `local-data release \
      --retire` has retired the release
      """
    ) { ($0.history.name, $0.history.storedName) = ("Visit", "Visit") },
    Case(
      "RecordOfAnotherDatabase",
      """
      20 [released-record-removed] release 1.0 stored rows of 'History' in 'wallet', and nothing declares the \
      record there now; write `name: History` and `database: wallet` in 'History' again; or declare the \
      released one as another Swift type, with `name: History` and `database: wallet`, until `local-data \
      release --retire` has retired the release
      """
    ) {
      $0.history.database = "other"
      $0.history["credentialID"].reference = nil
    },
    Case(
      "MovedDatabase",
      """
      3 [released-database-moved] release 1.0 stored the database 'wallet' as 'wallet' in {fileSystem: \
      {directory: applicationSupport}}, and it is looked for as 'wallet' in {appGroupFileSystem: {identifier: \
      group.a, directory: documents}} now; write `name: wallet` and `domain: {fileSystem: {directory: \
      applicationSupport}}` again
      """
    ) { $0.database.domain = .appGroupFileSystem(identifier: "group.a", directory: .documents) },
    Case(
      "RenamedFile",
      """
      3 [released-database-moved] release 1.0 stored the database 'wallet' as 'wallet' in {fileSystem: \
      {directory: applicationSupport}}, and it is looked for as 'purse' in {fileSystem: {directory: \
      applicationSupport}} now; write `name: wallet` and `domain: {fileSystem: {directory: \
      applicationSupport}}` again
      """
    ) { $0.database.name = "purse" },
    Case(
      "RemovedDatabase",
      """
      1 [released-database-moved] release 1.0 stored the database 'wallet' as 'wallet' in {fileSystem: \
      {directory: applicationSupport}}, and nothing declares it now; declare it again, with `name: wallet` and \
      `domain: {fileSystem: {directory: applicationSupport}}`, until `local-data release --retire` has retired \
      the release
      """
    ) {
      $0.database.member = "purse"; $0.database.name = "purse"; $0.records = []
    },
    Case(
      "WeakerDatabase",
      """
      3 [released-protection-weaker] release 1.0 protected the database 'wallet' better: protection \
      untilFirstUnlock after complete; write `protection: complete` again
      """
    ) { $0.database.protection = .untilFirstUnlock },
    Case(
      "NotInBackup",
      """
      3 [released-device-bound] release 1.0 stored 'wallet' so that a backup takes it to a new device, and it \
      stays on this device now; write `backup: true` again
      """
    ) { $0.database.isInBackup = false },
    Case(
      "OtherKeySource",
      """
      3 [released-security-changed] release 1.0 sealed the encrypted fields of 'wallet' under a key of another \
      source; write `sealing: recommended` again
      """
    ) { $0.database.sealing = .encrypted(.init(keySource: .external(.init(id: "pin")))) },
    Case(
      "PlainSuccessor",
      """
      13 [released-protection-weaker] release 1.0 encrypted 'secret' of 'Credential', and it is not encrypted \
      now; write `encrypted: true`; if the change is meant, add `allow: [{rule: released-protection-weaker, \
      reason: Say why.}]` to 'Credential'
      """
    ) {
      $0.credential["secret"].number = 13
      $0.credential["secret"].encryption = .none
      $0.credential["secret"].defaultValue = .value(.string(""))
      $0.credential.reserved = [.init(numbers: [3], names: [], deletesValues: true)]
    },
    Case(
      "OtherStoredName",
      """
      20 [released-record-removed] release 1.0 stored rows of 'History' in 'wallet', and nothing declares the \
      record there now; write `name: History` and `database: wallet` in 'History' again; or declare the \
      released one as another Swift type, with `name: History` and `database: wallet`, until `local-data \
      release --retire` has retired the release
      """
    ) { $0.history.storedName = "Visit" },
    Case(
      "LostRawValue",
      """
      5 [released-raw-value-changed] release 1.0 stored values with the raw value 'sd' of 'sdJWT', which \
      'Format' does not have; give the raw value back to its case
      """
    ) {
      $0.types[0].form = .stringEnum([.init(name: "jwt", raw: "jwt", description: nil)])
    },
    Case(
      "ChangedStruct",
      """
      24 [released-field-type-changed] release 1.0 stored 'claims' (4) of 'History' with 'Claim.key' as \
      'String', and it is read as 'Int'; write [Claim] in `types` as it was released; or write `number: 13` at \
      'claims', with a default or a '?', and write `reserved: [{numbers: [12], names: [old], cleanup: delete}, \
      {numbers: [4]}]` in 'History': the stored values are not read any more
      """,
      """
      24 [released-field-type-changed] release 1.0 stored 'claims' (4) of 'History' with the number 2 of \
      'Claim.value', which is 3 now; write [Claim] in `types` as it was released; or write `number: 13` at \
      'claims', with a default or a '?', and write `reserved: [{numbers: [12], names: [old], cleanup: delete}, \
      {numbers: [4]}]` in 'History': the stored values are not read any more
      """,
      """
      24 [released-field-type-changed] release 1.0 stored 'claims' (4) of 'History' without 'Claim.date', \
      which has neither a default nor a '?'; write [Claim] in `types` as it was released; or write `number: \
      13` at 'claims', with a default or a '?', and write `reserved: [{numbers: [12], names: [old], cleanup: \
      delete}, {numbers: [4]}]` in 'History': the stored values are not read any more
      """
    ) {
      $0.types[1].form = .structure([
        .init(name: "key", type: .scalar(.int), defaultValue: nil, description: nil, number: 1),
        .init(name: "value", type: .optional(.scalar(.string)), defaultValue: nil, description: nil, number: 3),
        .init(name: "date", type: .scalar(.date), defaultValue: nil, description: nil, number: 4),
      ])
    },
  ]
}
