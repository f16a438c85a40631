public import LocalDataFoundation
public import LocalDataSystem

@_spi(Generated) extension WireReader {
  /// Reads a truth value.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func bool() throws(StorageProblem) -> Bool { try varint() != 0 }

  /// Reads an integer with a sign: int32 of protobuf for up to 32 bits, otherwise int64.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  @inlinable public mutating func integer<Value: FixedWidthInteger & SignedInteger>() throws(StorageProblem) -> Value {
    try number()
  }

  /// Reads an integer without a sign: uint32 of protobuf.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  @inlinable public mutating func unsigned<Value: FixedWidthInteger & UnsignedInteger>() throws(StorageProblem) -> Value
  {
    try number()
  }

  // Inlined into the app, because the compiler does not specialize it there otherwise.
  @inlinable mutating func number<Value: FixedWidthInteger>() throws(StorageProblem) -> Value {
    let bits = try varint()
    // Protobuf drops the upper half of a number that is longer than its field.
    let value: Value? =
      switch (Value.isSigned, Value.bitWidth <= 32 && Value.self != Int.self) {
      case (true, true): Value(exactly: Int32(truncatingIfNeeded: bits))
      case (true, false): Value(exactly: Int64(bitPattern: bits))
      case (false, true): Value(exactly: UInt32(truncatingIfNeeded: bits))
      case (false, false): Value(exactly: bits)
      }
    guard let value else { throw .corrupted }
    return value
  }

  /// Reads a number of 64 bits.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func real() throws(StorageProblem) -> Double { Double(bitPattern: try fixed(UInt64.self)) }

  /// Reads a number of 32 bits.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func float() throws(StorageProblem) -> Float { Float(bitPattern: try fixed(UInt32.self)) }

  /// Reads a `google.protobuf.Timestamp`.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func date() throws(StorageProblem) -> Date {
    try message { (message) throws(StorageProblem) in
      var seconds: Int64 = 0
      var nanoseconds: Int32 = 0
      while let field = try message.next() {
        switch field.tag {
        case 8: seconds = try message.integer()
        case 16: nanoseconds = try message.integer()
        default: try message.skip(field)
        }
      }
      return try Date(secondsSince1970: seconds, nanoseconds: nanoseconds)
    }
  }

  /// Reads a date in whole seconds since 1970.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func seconds() throws(StorageProblem) -> Date {
    try Date(secondsSince1970: integer(), nanoseconds: 0)
  }

  /// Reads a URL.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func url() throws(StorageProblem) -> URL {
    guard let url = URL(string: try text()) else { throw .corrupted }
    return url
  }

  /// Reads a decimal number.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func decimal() throws(StorageProblem) -> Decimal {
    guard let number = Decimal(recordText: try text()) else { throw .corrupted }
    return number
  }

  /// Reads an enum by the text of its case.
  ///
  /// - Throws: ``StorageProblem/newerValue`` if this release has no such case, and ``StorageProblem/corrupted`` if the bytes end
  ///   or are no value.
  public mutating func textEnumeration<Value: RawRepresentable<String>>() throws(StorageProblem) -> Value {
    guard let value = Value(rawValue: try text()) else { throw .newerValue }
    return value
  }

  /// Reads an enum by the number of its case.
  ///
  /// - Throws: ``StorageProblem/newerValue`` if this release has no such case, and ``StorageProblem/corrupted`` if the bytes end
  ///   or are no value.
  public mutating func integerEnumeration<Value: RawRepresentable<Int>>() throws(StorageProblem) -> Value {
    guard let value = Value(rawValue: try integer()) else { throw .newerValue }
    return value
  }

  /// Reads a value of JSON.
  ///
  /// - Throws: A ``StorageProblem`` if the bytes end or are no JSON of the type.
  public mutating func json<Value: Codable & Sendable>() throws(StorageProblem) -> Value {
    try RecordJSON.value(of: data())
  }

  // MARK: Packed lists

  /// Appends the elements of a packed list of integers. Not packed, an element has the tag of one integer.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func packedIntegers<Value: FixedWidthInteger>(into values: inout [Value]) throws(StorageProblem) {
    try packed { (elements) throws(StorageProblem) in values.append(try elements.number()) }
  }

  /// Appends the elements of a packed list of numbers of 64 bits.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func packedReals(into values: inout [Double]) throws(StorageProblem) {
    try packed { (elements) throws(StorageProblem) in values.append(try elements.real()) }
  }

  /// Appends the elements of a packed list of numbers of 32 bits.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func packedFloats(into values: inout [Float]) throws(StorageProblem) {
    try packed { (elements) throws(StorageProblem) in values.append(try elements.float()) }
  }

  /// Appends the elements of a packed list of truth values.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes end or are no value of the type.
  public mutating func packedBools(into values: inout [Bool]) throws(StorageProblem) {
    try packed { (elements) throws(StorageProblem) in values.append(try elements.bool()) }
  }
}

extension Date {
  /// The seconds from 1970 to the reference date in 2001.
  private static let referenceDate: Int64 = 978_307_200

  init(secondsSince1970 seconds: Int64, nanoseconds: Int32) throws(StorageProblem) {
    let (seconds, isTooSmall) = seconds.subtractingReportingOverflow(Self.referenceDate)
    guard !isTooSmall, (0..<1_000_000_000).contains(nanoseconds) else { throw .corrupted }
    self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(nanoseconds) / 1e9)
  }

  /// The whole seconds since 1970 and the nanoseconds after them, or nil if the date is out of range.
  var sinceUnixEpoch: (seconds: Int64, nanoseconds: Int32)? {
    let seconds = timeIntervalSinceReferenceDate.rounded(.down)
    guard let whole = Int64(exactly: seconds) else { return nil }
    let nanoseconds = ((timeIntervalSinceReferenceDate - seconds) * 1e9).rounded()
    // A fraction that rounds to a whole second belongs to the next one.
    let carry: Int64 = nanoseconds < 1e9 ? 0 : 1
    let (result, isTooLarge) = whole.addingReportingOverflow(Self.referenceDate + carry)
    return isTooLarge ? nil : (result, carry == 0 ? Int32(nanoseconds) : 0)
  }
}
