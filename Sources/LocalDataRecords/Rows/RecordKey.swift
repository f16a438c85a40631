public import LocalDataFoundation

/// A value that identifies a record: a String, a UUID, an Int or an Int64.
public protocol RecordKey: RecordValue, Hashable {}

extension String: RecordKey {}
extension UUID: RecordKey {}
extension Int: RecordKey {}
extension Int64: RecordKey {}
