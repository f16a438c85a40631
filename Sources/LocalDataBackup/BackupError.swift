public import LocalData
import LocalDataSystem

/// An error of an export or a restore. It contains no value of the app and nothing of the passphrase.
public struct BackupError: Error, Sendable, Hashable {
  /// The problem.
  public var problem: Problem
  /// The stored name of the record, or the name of the key, that the problem is about.
  public var subject: String?
  /// The name of the field in the document.
  public var field: String?
  /// The line of the document, from 1.
  public var line: Int?

  init(_ problem: Problem, _ subject: String? = nil, field: String? = nil, line: Int? = nil) {
    self.problem = problem
    self.subject = subject
    self.field = field
    self.line = line
  }

  /// The problem of an error.
  public enum Problem: Sendable, Hashable {
    // MARK: The passphrase

    /// The passphrase has fewer characters than are required, or a control character.
    case weakPassphrase(minimum: Int)
    /// The backup is sealed, and no passphrase was given.
    case passphraseRequired
    /// A passphrase was given for a backup that is declared `encrypted: false`.
    case passphraseNotUsed
    /// The passphrase does not open the file.
    case wrongPassphrase

    // MARK: The file

    /// The file is neither a sealed backup nor a plain document.
    case notABackup
    /// The first 76 bytes are cut off or damaged.
    case damagedHeader
    /// A chunk was changed or cut off. The chunks are counted from 0.
    case damagedChunk(Int)
    /// The document is plain, and a sealed one is expected.
    case plainDocument
    /// The format is one of a later version of the library.
    case unknownFormat

    // MARK: The document

    /// The document is another backup of the app.
    case otherBackup
    /// The document is a backup of another catalog.
    case otherCatalog
    /// The document is a backup of another app.
    case otherApplication
    /// A later release of the app has written the document.
    case newerRelease
    /// A line is not one of the layout. The rows of a record are sorted by its key.
    case invalidLayout
    /// The document does not have the digest that it names.
    case wrongDigest
    /// The document does not have the numbers of rows that it names.
    case wrongCount
    /// A value is not one of its field's type.
    case invalidValue
    /// A row is larger than the record allows.
    case tooLarge
    /// Two rows have the same key.
    case duplicateKey
    /// Two rows have the same value in a unique field.
    case duplicateValue
    /// A row refers to a row that the document does not have.
    case missingReference
    /// The record or key is not one of the backup.
    case unknownName

    /// The restore was applied or discarded, or a sign-out has ended it. Stage the backup again.
    case restoreEnded
    /// The backup is salvaged, so that `.replace` would delete what is lost in it.
    case incomplete

    // MARK: The storage

    /// The storage cannot be used.
    case storage(StorageError)
  }
}

extension BackupError {
  /// A problem of the backup with the same name comes first.
  @_disfavoredOverload
  init(_ fault: StorageProblem, of name: String? = nil, _ operation: StorageError.Operation = .read) {
    self.init(.storage(StorageError(fault, .init(key: name, domain: nil), operation)), name)
  }
}

extension BackupError: CustomStringConvertible {
  /// The problem, and what it is about.
  public var description: String {
    let place = [
      subject.map { "of '\($0)'" }, field.map { "in field '\($0)'" }, line.map { "at line \($0)" },
    ].compactMap(\.self).joined(separator: " ")
    return place.isEmpty ? text : "\(text) (\(place))"
  }

  private var text: String {
    switch problem {
    case .weakPassphrase(let minimum):
      "the passphrase needs at least \(minimum) characters, and no control characters"
    case .passphraseRequired: "the backup is sealed; give its passphrase"
    case .passphraseNotUsed: "the backup is declared 'encrypted: false'; give no passphrase"
    case .wrongPassphrase: "the passphrase is not that of the file"
    case .notABackup: "the file is not a backup"
    case .damagedHeader: "the header of the file is damaged"
    case .damagedChunk(let number): "the file is damaged at chunk \(number)"
    case .plainDocument: "the file is a plain document, and a sealed one is expected"
    case .unknownFormat: "the file has a format of a later version of the library"
    case .otherBackup: "the file is another backup of the app"
    case .otherCatalog: "the file is a backup of another catalog"
    case .otherApplication: "the file is a backup of another app"
    case .newerRelease: "a later release of the app has written the file"
    case .invalidLayout: "a line does not have the layout of a backup"
    case .wrongDigest: "the document does not have the digest that it names"
    case .wrongCount: "the document does not have the numbers of rows that it names"
    case .invalidValue: "a value is not one of its field's type"
    case .tooLarge: "a row is larger than the record allows"
    case .duplicateKey: "two rows have the same key"
    case .duplicateValue: "two rows have the same value in a unique field"
    case .missingReference: "a row refers to a row that the document does not have"
    case .unknownName: "the name is not one of the backup"
    case .restoreEnded: "the restore was applied or discarded, or a sign-out has ended it; stage the backup again"
    case .incomplete: "a part of the backup is lost; restore it with `.merge` or `.keep`"
    case .storage(let error): "\(error)"
    }
  }
}
