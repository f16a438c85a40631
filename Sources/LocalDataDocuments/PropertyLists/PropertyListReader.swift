package import LocalDataSyntax

/// Reads a property list in XML.
///
/// Foundation's reader keeps neither comments nor places, and the tool has no Foundation. A file that is not understood
/// as a whole is refused at a line and column, because a change of it could be wrong.
package struct PropertyListReader {
  /// The largest file in bytes.
  package static let maximumSize = 1 << 20
  /// A privacy manifest has five levels.
  private static let maximumDepth = 64

  private var scanner: XMLScanner

  /// Returns the property list of a file.
  ///
  /// - Throws: A finding about the first thing that is wrong.
  package static func read(_ file: SourceFile) throws(PropertyListFailure) -> PropertyList {
    guard file.bytes.count <= maximumSize else {
      throw PropertyListFailure(
        "the file has more than \(maximumSize) bytes", at: file.start, help: "name a privacy manifest or entitlements")
    }
    try XMLCharacters.check(file)
    var reader = PropertyListReader(scanner: XMLScanner(file))
    try reader.skipProlog()
    return PropertyList(file: file, root: try reader.document())
  }

  // MARK: The lines before the first element

  private mutating func skipProlog() throws(PropertyListFailure) {
    if scanner.isNext("<?xml") {
      let start = scanner.offset
      try scanner.skip(past: "?>", from: 5, of: "the first line")
      try checkEncoding(start..<scanner.offset)
    }
    try scanner.skipSpaceAndComments()
    if scanner.isNext("<!DOCTYPE") {
      let start = scanner.offset
      try scanner.skip(past: ">", from: 9, of: "the document type")
      let range = start..<scanner.offset
      if scanner.file.bytes[range].contains(UInt8(ascii: "[")) {
        throw scanner.failure(
          "the document type declares something", at: range,
          help: "use the document type that Xcode writes, which ends with PropertyList-1.0.dtd\">")
      }
    }
    try scanner.skipSpaceAndComments()
    guard scanner.isNext("<") else {
      throw scanner.failure(
        "this is not a property list in XML", at: scanner.offset..<scanner.offset,
        help: "convert it with `plutil -convert xml1 FILE`")
    }
  }

  private func checkEncoding(_ range: Range<Int>) throws(PropertyListFailure) {
    let declaration = String(decoding: scanner.file.bytes[range], as: UTF8.self).lowercased()
    guard declaration.contains("encoding") else { return }
    let isKnown = ["\"utf-8\"", "'utf-8'", "\"us-ascii\"", "'us-ascii'"].contains { declaration.contains($0) }
    if !isKnown {
      throw scanner.failure("the first line names another encoding than UTF-8", at: range, help: "save it as UTF-8")
    }
  }

  // MARK: Elements

  private mutating func document() throws(PropertyListFailure) -> PropertyList.Node {
    let plist = try scanner.tag(in: nil)
    guard plist.name == "plist", !plist.isClosing, !plist.isEmpty else {
      throw scanner.failure("the first element is not <plist>", at: plist.range, help: "write the value in <plist>")
    }
    let root = try value(try opening(in: plist), depth: 1)
    let end = try scannedTag(in: plist)
    guard end.isClosing, end.name == "plist" else {
      throw scanner.failure("<plist> has more than one value", at: end.range, help: "remove all values but one")
    }
    try scanner.skipSpaceAndComments()
    guard scanner.isAtEnd else {
      throw scanner.failure(
        "there is something after </plist>", at: scanner.offset..<scanner.offset + 1, help: "remove it")
    }
    return root
  }

  private mutating func scannedTag(in parent: XMLScanner.Tag) throws(PropertyListFailure) -> XMLScanner.Tag {
    try scanner.skipSpaceAndComments()
    return try scanner.tag(in: parent.name)
  }

  private mutating func opening(in parent: XMLScanner.Tag) throws(PropertyListFailure) -> XMLScanner.Tag {
    let tag = try scannedTag(in: parent)
    guard !tag.isClosing else {
      throw scanner.failure("<\(parent.name)> has no value here", at: tag.range, help: "write a value before the tag")
    }
    return tag
  }

  private mutating func value(_ tag: XMLScanner.Tag, depth: Int) throws(PropertyListFailure) -> PropertyList.Node {
    guard depth <= Self.maximumDepth else {
      throw scanner.failure(
        "values are nested more than \(Self.maximumDepth) deep", at: tag.range, help: "remove the inner values")
    }
    guard !tag.hasAttributes else {
      throw scanner.failure("<\(tag.name)> has an attribute", at: tag.range, help: "remove the attribute")
    }
    switch tag.name {
    case "dict": return try dictionary(tag, depth)
    case "array": return try array(tag, depth)
    case "string":
      let (text, node) = try leaf(tag)
      return node.with(.text(text))
    case "true", "false":
      let (text, node) = try leaf(tag)
      guard text.utf8.allSatisfy(\.isBlankOrBreak) else {
        throw scanner.failure("<\(tag.name)> contains text", at: node.range, help: "write `<\(tag.name)/>`")
      }
      return node.with(.flag(tag.name == "true"))
    case "integer", "real", "date", "data": return try leaf(tag).node
    default:
      throw scanner.failure(
        "<\(tag.name)> is no value of a property list", at: tag.range,
        help: "use <dict>, <array>, <string>, <true/>, <false/>, <integer>, <real>, <date> or <data>")
    }
  }

  /// Returns the text of an element without others in it.
  private mutating func leaf(
    _ tag: XMLScanner.Tag
  ) throws(PropertyListFailure) -> (text: String, node: PropertyList.Node) {
    guard !tag.isEmpty else { return ("", PropertyList.Node(tag, end: nil)) }
    let text = try scanner.text()
    guard !scanner.isNext("<!--") else {
      throw scanner.failure(
        "<\(tag.name)> contains a comment", at: scanner.offset..<scanner.offset + 4,
        help: "move the comment before the element")
    }
    let end = try scanner.tag(in: tag.name)
    guard end.isClosing, end.name == tag.name else {
      throw scanner.failure(
        "<\(tag.name)> contains more than text", at: end.range, help: "close it with `</\(tag.name)>` first")
    }
    return (text, PropertyList.Node(tag, end: end))
  }

  private mutating func array(_ tag: XMLScanner.Tag, _ depth: Int) throws(PropertyListFailure) -> PropertyList.Node {
    guard !tag.isEmpty else { return PropertyList.Node(tag, end: nil).with(.array([])) }
    var elements: [PropertyList.Node] = []
    while true {
      let next = try scannedTag(in: tag)
      if next.isClosing {
        try check(next, closes: tag)
        return PropertyList.Node(tag, end: next).with(.array(elements))
      }
      elements.append(try value(next, depth: depth + 1))
    }
  }

  private mutating func dictionary(
    _ tag: XMLScanner.Tag, _ depth: Int
  ) throws(PropertyListFailure) -> PropertyList.Node {
    guard !tag.isEmpty else { return PropertyList.Node(tag, end: nil).with(.dictionary([])) }
    var entries: [PropertyList.Entry] = []
    var names: Set<String> = []
    while true {
      let next = try scannedTag(in: tag)
      if next.isClosing {
        try check(next, closes: tag)
        return PropertyList.Node(tag, end: next).with(.dictionary(entries))
      }
      guard next.name == "key", !next.hasAttributes else {
        throw scanner.failure("<dict> has a value without a <key>", at: next.range, help: "write its <key> before it")
      }
      let (name, key) = try leaf(next)
      guard names.insert(name).inserted else {
        throw scanner.failure("'\(name)' is in a <dict> twice", at: key.range, help: "remove one of the two")
      }
      let value = try value(try opening(in: next), depth: depth + 1)
      entries.append(PropertyList.Entry(name: name, nameRange: key.range, value: value))
    }
  }

  private func check(_ end: XMLScanner.Tag, closes tag: XMLScanner.Tag) throws(PropertyListFailure) {
    guard end.name == tag.name else {
      throw scanner.failure(
        "</\(end.name)> does not close <\(tag.name)>", at: end.range, help: "close <\(tag.name)> before")
    }
  }
}

extension PropertyList.Node {
  fileprivate init(_ tag: XMLScanner.Tag, end: XMLScanner.Tag?) {
    content = .other
    element = tag.name
    range = tag.range.lowerBound..<(end ?? tag).range.upperBound
    inner = end.map { tag.range.upperBound..<$0.range.lowerBound }
  }

  fileprivate func with(_ content: PropertyList.Content) -> Self {
    var node = self
    node.content = content
    return node
  }
}
