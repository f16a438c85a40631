import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

// The words of declarations of records that the audit has in Markdown and in text.

extension ResolvedDatabase {
  /// The domain, and the addresses of earlier releases.
  var whereText: String {
    domain.auditText
      + movedFrom.map { ", moved from \($0.name == name ? "" : "\($0.name) in ")\($0.domain.auditText)" }.joined()
  }
}

extension ResolvedRecord {
  /// The names of the fields of indexes, for example `type and iat, iss`.
  func names(of indexes: [[Int]]) -> String {
    indexes.map { names(of: $0).joined(separator: " and ") }.joined(separator: ", ")
  }
}

extension ResolvedRecord {
  /// The names of the fields of unique indexes, with the row that stays of several with equal values.
  var uniqueText: String {
    unique.map { index in
      names(of: [index]) + (existing[index].map { " (of equal rows, \($0.auditText))" } ?? "")
    }.joined(separator: ", ")
  }
}

extension ResolvedRecord.Existing {
  fileprivate var auditText: String {
    let position =
      switch kept {
      case .keepFirst: "first"
      case .keepLast: "last"
      }
    return "the \(position) stays" + (cascades ? ", and what refers to the others is deleted" : "")
  }
}

extension ResolvedRecord.Retention {
  var auditText: String {
    switch self {
    case .untilRelaunch: return "until the next launch"
    case .dated(let by, let maxAge, let maxCount):
      let parts = [maxAge.map { "for " + Retention.text(seconds: $0) }, maxCount.map { "the newest \($0)" }]
      return parts.compactMap(\.self).joined(separator: ", ") + ", by " + by
    }
  }
}

// MARK: - The order of retentions

/// The order of the times for which values are kept, the shortest one first: an age in seconds, or one of these.
private enum KeptRank {
  static let untilRelaunch = 0
  static let newest = 1 << 50
  static let untilReinstall = 1 << 51
  static let untilRemoved = 1 << 52
}

extension StorageKeyDescriptor {
  /// A number that is larger if the value is kept longer.
  var keptRank: Int {
    switch retention {
    case .untilRelaunch: KeptRank.untilRelaunch
    case .maxAge(let seconds): min(seconds, KeptRank.newest - 1)
    case .untilReinstall: KeptRank.untilReinstall
    case nil: KeptRank.untilRemoved
    }
  }

  /// The time for which the value is kept, without the occasions on which it is removed.
  var periodText: String { retention?.periodText ?? keptText }
}

extension ResolvedRecord {
  /// A number that is larger if a row is kept longer.
  var keptRank: Int {
    switch retention {
    case .untilRelaunch: KeptRank.untilRelaunch
    case .dated(_, let maxAge?, _): min(maxAge, KeptRank.newest - 1)
    case .dated(_, nil, _): KeptRank.newest
    case nil: KeptRank.untilRemoved
    }
  }
}

extension ResolvedRecord.Reserved {
  var auditText: String {
    let all = (numbers.map(String.init) + names).joined(separator: ", ")
    return all + (deletesValues ? ", values are deleted" : ", values are kept")
  }
}

extension ResolvedReview {
  var auditText: String { "by \(by), until \(until.text)" }
}

extension ResolvedKey.Deprecation {
  var auditText: String { reason + (renamedTo.map { " Use \($0)." } ?? "") }
}

extension ResolvedRecord.Field {
  /// The type, and the form of a date in the wire format.
  var typeText: String { type.swiftText + (isInSeconds ? ", in seconds" : "") + (valid.map { ", \($0.text)" } ?? "") }
}

extension ResolvedRecord.Field {
  /// For example `from 5 (Int) by Length.real, or from 2 (String?) by Length.parsed`.
  var sourceText: String { transforms.map(\.auditText).joined(separator: ", or ") }
}

extension ResolvedRecord.Transform {
  fileprivate var auditText: String {
    "from \(sources.map(\.auditText).joined(separator: ", ")) by \(function.text)"
  }
}

extension ResolvedRecord.Source {
  fileprivate var auditText: String {
    "\(number) (\(type.swiftText)\(isEncrypted ? ", encrypted" : "")\(isInSeconds ? ", in seconds" : ""))"
  }
}

extension ResolvedRecord.Default {
  /// The default as a catalog writes it.
  var auditText: String {
    switch self {
    case .new: "new"
    case .value(let value): FieldValue(value).description
    }
  }
}

extension ResolvedRecord.Encryption {
  var auditText: String {
    switch self {
    case .none: "no"
    case .sealed: "yes"
    case .blind: "yes, blind index"
    }
  }
}

extension ResolvedRecord.Reference {
  var auditText: String { "\(record), \(onDelete.rawValue)" }
}
