/// The values of a new field in the rows of earlier releases. Generated code declares it.
public struct RecordTransform: Sendable {
  /// The number of the new field.
  let number: Int
  let sources: [Source]
  let body: Body

  enum Body: Sendable {
    case column(ColumnBody)
    case sealed(SealedBody)
  }

  /// Reads the plain sources from the row, in their order, and the encrypted ones from the message. Writes the column of the new
  /// field.
  public typealias ColumnBody =
    @Sendable (_ row: borrowing RecordRow, _ reader: inout WireReader, _ column: inout RecordWriter) throws -> Void

  /// Reads the sources in the same way, and writes the new field to the message of the encrypted fields. Returns the value for
  /// its blind index, if it has one.
  public typealias SealedBody =
    @Sendable (_ row: borrowing RecordRow, _ reader: inout WireReader, _ writer: inout WireWriter) throws ->
    RecordLiteral?

  /// Makes the values of a field that is not encrypted.
  @_spi(Generated) public init(_ number: Int, from sources: [Source], _ body: @escaping ColumnBody) {
    self.number = number
    self.sources = sources
    self.body = .column(body)
  }

  private init(_ number: Int, _ sources: [Source], _ body: Body) {
    self.number = number
    self.sources = sources
    self.body = body
  }

  /// Makes the values of an encrypted field.
  @_spi(Generated) public static func sealed(
    _ number: Int, from sources: [Source], _ body: @escaping SealedBody
  ) -> RecordTransform { RecordTransform(number, sources, .sealed(body)) }
}

extension RecordTransform {
  /// A field of an earlier release.
  public struct Source: Sendable {
    let number: Int
    /// The form of its column, or nil if the field is encrypted.
    let storage: RecordDeclaration.Storage?
    /// The Swift type of an encrypted field, or of one in the wire format.
    let type: String?
    let isOptional: Bool

    @_spi(Generated) public init(
      _ number: Int, _ storage: RecordDeclaration.Storage, isOptional: Bool = false, wire: String? = nil
    ) {
      self.number = number
      self.storage = storage
      self.isOptional = isOptional
      type = wire
    }

    @_spi(Generated) public init(_ number: Int, sealed type: String, isOptional: Bool = false) {
      self.number = number
      storage = nil
      self.isOptional = isOptional
      self.type = type
    }
  }
}

extension RecordTransform {
  /// A Boolean value that indicates whether the transform reads or writes encrypted fields.
  var usesKeys: Bool {
    if case .sealed = body { return true }
    return sources.contains { $0.storage == nil }
  }
}
