@_spi(Generated) import LocalDataRecords
import LocalDataFoundation
import LocalDataSystem

/// Writes values or NULL in records by hand. Generated code writes NULL itself.
extension RecordWriter {
  mutating func text(_ value: String?) { if let value { text(value) } else { null() } }
  mutating func bool(_ value: Bool?) { if let value { bool(value) } else { null() } }
  mutating func integer(_ value: (some FixedWidthInteger)?) { if let value { integer(value) } else { null() } }
  mutating func real(_ value: Double?) throws(StorageProblem) { if let value { try real(value) } else { null() } }
  mutating func float(_ value: Float?) throws(StorageProblem) { if let value { try float(value) } else { null() } }
  mutating func date(_ value: Date?) throws(StorageProblem) { if let value { try date(value) } else { null() } }
  mutating func seconds(_ value: Date?) throws(StorageProblem) {
    if let value { try seconds(value) } else { null() }
  }
  mutating func data(_ value: Data?) { if let value { data(value) } else { null() } }
  mutating func uuid(_ value: UUID?) { if let value { uuid(value) } else { null() } }
  mutating func url(_ value: URL?) { if let value { url(value) } else { null() } }
  mutating func decimal(_ value: Decimal?) { if let value { decimal(value) } else { null() } }
  mutating func enumeration(_ value: (some RawRepresentable<String>)?) {
    if let value { enumeration(value) } else { null() }
  }
  mutating func enumeration(_ value: (some RawRepresentable<Int>)?) {
    if let value { enumeration(value) } else { null() }
  }
  mutating func json(_ value: (some Codable & Sendable)?) throws(StorageProblem) {
    if let value { try json(value) } else { null() }
  }
  mutating func message<Value>(_ value: Value?, _ write: (Value, inout WireWriter) -> Void) {
    if let value { message(value, write) } else { null() }
  }
  mutating func list<Element>(
    _ values: [Element]?, _ number: Int, _ write: (Element, inout WireWriter) -> Void
  ) {
    if let values { list(values, number, write) } else { null() }
  }
}
