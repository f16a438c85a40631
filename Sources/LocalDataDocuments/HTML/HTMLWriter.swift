import LocalDataEmission

/// Writes HTML into memory, element by element.
///
/// Everything that is written is escaped. No function takes markup: the names of elements and attributes are values of
/// ``HTMLElement`` and ``HTMLAttribute``, and text is always text. Scripts and styles are files of this package
/// (``HTMLResource``).
///
///     html.element(.p, .class("note")) { html in
///       html.text("Stored in ")
///       html.element(.code, text: key.name)
///     }
///
/// writes `<p class="note">Stored in <code>session &lt;1&gt;</code></p>`.
struct HTMLWriter: ~Copyable {
  private var output: OutputBuffer
  private var insertions: [Int] = []

  private init(_ output: consuming OutputBuffer) { self.output = output }

  /// Returns the bytes that `body` writes.
  ///
  /// - Parameter capacity: The expected number of bytes. More can be written.
  static func collect(capacity: Int, _ body: (inout HTMLWriter) -> Void) -> [UInt8] {
    OutputBuffer.collect(capacity: capacity) { output in
      var html = HTMLWriter(consume output)
      body(&html)
      output = html.output
    }
  }

  /// Returns the bytes that `body` writes, divided where it called ``insertionPoint()``.
  static func collectPieces(capacity: Int, _ body: (inout HTMLWriter) -> Void) -> [[UInt8]] {
    var insertions: [Int] = []
    let bytes = OutputBuffer.collect(capacity: capacity) { output in
      var html = HTMLWriter(consume output)
      body(&html)
      insertions = html.insertions
      output = html.output
    }
    return zip([0] + insertions, insertions + [bytes.count]).map { Array(bytes[$0..<$1]) }
  }

  /// Writes markup that another writer has written.
  mutating func write(_ fragment: HTMLFragment) { output.write(fragment.bytes[...]) }

  /// Marks the place where bytes of another writer are inserted.
  mutating func insertionPoint() { insertions.append(output.count) }

  /// Writes the first line of a document.
  mutating func doctype() { output.write("<!DOCTYPE html>\n") }

  // MARK: - Elements

  /// Writes an element and what `content` writes into it.
  @inline(__always)
  mutating func element(
    _ element: HTMLElement, _ attributes: HTMLAttribute..., content: (inout HTMLWriter) -> Void
  ) {
    open(element, attributes)
    content(&self)
    close(element)
  }

  /// Writes an element that contains text.
  @inline(__always)
  @_disfavoredOverload
  mutating func element(_ element: HTMLElement, _ attributes: HTMLAttribute..., text: String) {
    open(element, attributes)
    self.text(text)
    close(element)
  }

  /// Writes an element that contains fixed text.
  @inline(__always)
  mutating func element(_ element: HTMLElement, _ attributes: HTMLAttribute..., text: StaticString) {
    open(element, attributes)
    self.text(text)
    close(element)
  }

  /// Writes an element that has no content, for example `<input>`, or a shape of a picture.
  @inline(__always)
  mutating func element(_ element: HTMLElement, _ attributes: HTMLAttribute...) {
    open(element, attributes)
    if !element.isVoid { close(element) }
  }

  @inline(__always)
  private mutating func open(_ element: HTMLElement, _ attributes: [HTMLAttribute]) {
    if attributes.isEmpty { return output.write(element.startTag) }
    output.write(element.start)
    write(attributes)
    output.write(">")
  }

  @inline(__always)
  private mutating func close(_ element: HTMLElement) {
    output.write(element.endTag)
  }

  // MARK: - Text

  /// Writes text, with the characters that have a meaning in HTML as entities, and invisible characters as their numbers.
  @_disfavoredOverload
  mutating func text(_ text: String) { text.withBytes { write($0) } }

  /// Writes fixed text.
  mutating func text(_ fixed: StaticString) {
    write(UnsafeBufferPointer(start: fixed.utf8Start, count: fixed.utf8CodeUnitCount))
  }

  /// Writes a number.
  mutating func text(_ number: Int) { output.write(number) }

  /// Begins a new line of the file. In the page, it is white space.
  mutating func line() { output.write("\n") }

  /// Writes a style or a script, which is a file of this package.
  mutating func element(_ resource: HTMLResource) {
    output.write("<")
    output.write(resource.element)
    output.write(">")
    output.write(resource.bytes[...])
    output.write("</")
    output.write(resource.element)
    output.write(">")
  }

  // MARK: - Attributes

  /// Writes attributes. An inlined function needs no memory for the list.
  @inline(__always)
  private mutating func write(_ attributes: [HTMLAttribute]) {
    for attribute in attributes { write(attribute) }
  }

  private mutating func write(_ attribute: HTMLAttribute) {
    if case .flag(false) = attribute.value { return }
    output.write(" ")
    output.write(attribute.prefix)
    output.write(attribute.name)
    if case .flag = attribute.value { return }
    output.write("=\"")
    switch attribute.value {
    case .flag: break
    case .fixed(let text): write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    case .text(let text): text.withBytes { write($0) }
    case .number(let number): output.write(number)
    case .numbers(let numbers):
      for (index, number) in numbers.enumerated() {
        if index > 0 { output.write(" ") }
        output.write(number)
      }
    case .identifier(let identifier): output.write(identifier.text)
    case .fragment(let identifier):
      output.write("#")
      output.write(identifier.text)
    }
    output.write("\"")
  }

  /// Writes text with entities, which is right both between tags and between the quotes of an attribute.
  private mutating func write(_ source: UnsafeBufferPointer<UInt8>) {
    output.write(source, special: Self.special) { output, scalar in
      switch scalar {
      case "&": output.write("&amp;")
      case "<": output.write("&lt;")
      case ">": output.write("&gt;")
      case "\"": output.write("&quot;")
      case "'": output.write("&#39;")
      case "\n", "\r", "\t": output.write(" ")
      default: output.writeNumber(of: scalar)
      }
    }
  }

  private static let special = ASCIISet("&<>\"'")
}

/// Markup that was written before, for parts of a page that are the same many times.
struct HTMLFragment: Sendable {
  fileprivate let bytes: [UInt8]

  init(_ body: (inout HTMLWriter) -> Void) { bytes = HTMLWriter.collect(capacity: 512, body) }
}
