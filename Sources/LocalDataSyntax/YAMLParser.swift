internal import CLocalDataYAML

/// libyaml's parser over bytes that outlive it, one event at a time.
struct YAMLParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>

  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLFailure) {
    parser = .allocate(capacity: 1)
    event = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    event.initialize(to: yaml_event_t())
    // A parser that failed to initialise is zeroed, which `yaml_parser_delete` takes.
    guard yaml_parser_initialize(parser) == 1 else { throw YAMLFailure(stage: .memory) }
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    event.deallocate()
  }

  /// Reads the next event and passes it to `body`. Its text is released when `body` returns.
  mutating func next<Result>(_ body: (borrowing YAMLEvent) -> Result) throws(YAMLFailure) -> Result {
    guard yaml_parser_parse(parser, event) == 1 else { throw try YAMLFailure(parser.pointee) }
    defer { yaml_event_delete(event) }
    return body(try YAMLEvent(event.pointee))
  }
}

/// A place as libyaml counts: from zero, in Unicode scalars.
struct YAMLMark {
  var index: Int
  var line: Int
  var column: Int

  init(_ mark: yaml_mark_t) {
    index = Int(mark.index)
    line = Int(mark.line)
    column = Int(mark.column)
  }

  var location: SourceLocation { SourceLocation(line: line + 1, column: column + 1) }
}

/// One event of libyaml, lent for the time of a call.
struct YAMLEvent: ~Copyable {
  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd
    case alias, scalar, sequenceStart, sequenceEnd, mappingStart, mappingEnd
  }

  enum Style {
    case plain, singleQuoted, doubleQuoted, block, flow
  }

  let kind: Kind
  let style: Style
  let start: YAMLMark
  let end: YAMLMark
  /// A Boolean value that indicates whether the node has an anchor or a tag.
  let hasProperties: Bool
  let text: UnsafeBufferPointer<UInt8>

  fileprivate init(_ event: yaml_event_t) throws(YAMLFailure) {
    // A noncopyable value cannot be partly initialized. Therefore everything that can fail is computed first.
    let kind = try Self.kind(event.type)
    var style = Style.block
    var hasProperties = false
    var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    switch kind {
    case .scalar:
      let scalar = event.data.scalar
      style = try Self.style(scalar.style)
      hasProperties = scalar.anchor != nil || scalar.tag != nil
      text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    case .mappingStart:
      let mapping = event.data.mapping_start
      style = mapping.style == YAML_FLOW_MAPPING_STYLE ? .flow : .block
      hasProperties = mapping.anchor != nil || mapping.tag != nil
    case .sequenceStart:
      let sequence = event.data.sequence_start
      style = sequence.style == YAML_FLOW_SEQUENCE_STYLE ? .flow : .block
      hasProperties = sequence.anchor != nil || sequence.tag != nil
    default: break
    }
    self.kind = kind
    self.style = style
    self.hasProperties = hasProperties
    self.text = text
    start = YAMLMark(event.start_mark)
    end = YAMLMark(event.end_mark)
  }

  private static func kind(_ type: yaml_event_type_t) throws(YAMLFailure) -> Kind {
    switch type {
    case YAML_SCALAR_EVENT: .scalar
    case YAML_MAPPING_START_EVENT: .mappingStart
    case YAML_MAPPING_END_EVENT: .mappingEnd
    case YAML_SEQUENCE_START_EVENT: .sequenceStart
    case YAML_SEQUENCE_END_EVENT: .sequenceEnd
    case YAML_ALIAS_EVENT: .alias
    case YAML_STREAM_START_EVENT: .streamStart
    case YAML_STREAM_END_EVENT: .streamEnd
    case YAML_DOCUMENT_START_EVENT: .documentStart
    case YAML_DOCUMENT_END_EVENT: .documentEnd
    default: throw YAMLFailure(stage: .unknown)
    }
  }

  private static func style(_ style: yaml_scalar_style_t) throws(YAMLFailure) -> Style {
    switch style {
    case YAML_PLAIN_SCALAR_STYLE: .plain
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
    default: throw YAMLFailure(stage: .unknown)
    }
  }
}

/// Why libyaml gave up, in its own words, which no user sees.
struct YAMLFailure: Error {
  enum Stage {
    case memory, reader, scanner, parser, unknown
  }

  var stage: Stage
  var problem = ""
  var context = ""
  var problemMark: YAMLMark?
  /// The start of the construct that was being read.
  var contextMark: YAMLMark?
  /// The byte at fault, where the stage is `reader`, which sets no mark.
  var offset = 0

  init(stage: Stage) { self.stage = stage }

  fileprivate init(_ parser: yaml_parser_t) throws(YAMLFailure) {
    switch parser.error {
    case YAML_MEMORY_ERROR: stage = .memory
    case YAML_READER_ERROR: stage = .reader
    case YAML_SCANNER_ERROR: stage = .scanner
    case YAML_PARSER_ERROR: stage = .parser
    default: throw YAMLFailure(stage: .unknown)
    }
    problem = parser.problem.map { String(cString: $0) } ?? ""
    context = parser.context.map { String(cString: $0) } ?? ""
    offset = Int(parser.problem_offset)
    if stage == .scanner || stage == .parser {
      problemMark = YAMLMark(parser.problem_mark)
      contextMark = parser.context == nil ? nil : YAMLMark(parser.context_mark)
    }
  }
}
