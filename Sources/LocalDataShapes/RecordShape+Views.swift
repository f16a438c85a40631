/// The views through which SQL of the app reads the tables.
extension RecordShape {
  /// Returns the view of a record with the names that a release declares, as the part of its statement after `CREATE VIEW`.
  ///
  /// The view has the plain fields, and the rows that have not ended: a connection with the view has the function `local_data_now`,
  /// which returns the time in seconds since 2001. A temporary view takes precedence over the table, which has
  /// the same name. This shape is that of the tables.
  ///
  /// - Parameters:
  ///   - name: The stored name of the record.
  ///   - declared: The record as the release declares it.
  ///   - age: The date of a row, by its number, and its largest age in seconds; nil if no age ends a row.
  package func view(of name: String, _ declared: Record, maxAge age: (field: Int, seconds: Int)? = nil) -> String {
    func stored(_ number: Int) -> String { Self.quoted(records[name]?.columns[number]?.name ?? "") }
    let columns = declared.order.filter { $0 != 0 && declared.sealed[$0] == nil }
      .map { "\(stored($0)) AS \(Self.quoted(declared.columns[$0]?.name ?? ""))" }
    let view = "\(Self.quoted(name)) AS SELECT \(columns.joined(separator: ", ")) FROM main.\(Self.quoted(name))"
    guard let age else { return view }
    return view + " WHERE (\(stored(age.field)) <= local_data_now() - \(age.seconds)) IS NOT TRUE"
  }
}
