import LocalDataModel
package import LocalDataSyntax

/// A property list in XML, with the place of each value in its file.
///
/// Only what a privacy manifest and a list of entitlements consist of is decoded. A number, a date and data are known by
/// their places alone.
package struct PropertyList: Sendable {
  package let file: SourceFile
  package let root: Node

  /// A value, and the bytes that it is written with.
  package struct Node: Sendable {
    package var content: Content
    /// The bytes of the element, with its tags.
    package var range: Range<Int>
    /// The bytes between the tags, or nil if the element is one tag: `<array/>`.
    package var inner: Range<Int>?
    /// The name of the element.
    package var element: String
  }

  package enum Content: Sendable {
    case dictionary([Entry])
    case array([Node])
    case text(String)
    case flag(Bool)
    case other
  }

  /// A value of a dictionary, and its name.
  package struct Entry: Sendable {
    package var name: String
    package var nameRange: Range<Int>
    package var value: Node
  }
}

/// A property list that cannot be used: one finding at a place in the file.
package struct PropertyListFailure: Error, Sendable {
  package let finding: Diagnostic

  init(_ message: String, at place: SourcePlace, help: String) {
    finding = Diagnostic(rule: Rule.invalidPropertyList.id, message, at: place, help: help)
  }
}

extension PropertyList {
  /// Returns the entries of a value that has to be a dictionary.
  ///
  /// - Parameter name: What the value is, for a message: `'NSPrivacyTracking'`.
  package func dictionary(_ node: Node, _ name: String) throws(PropertyListFailure) -> [Entry] {
    guard case .dictionary(let entries) = node.content else { throw failure(node, name, "a dictionary: <dict>") }
    return entries
  }

  /// Returns the elements of a value that has to be an array.
  package func array(_ node: Node, _ name: String) throws(PropertyListFailure) -> [Node] {
    guard case .array(let elements) = node.content else { throw failure(node, name, "an array: <array>") }
    return elements
  }

  package func text(_ node: Node, _ name: String) throws(PropertyListFailure) -> String {
    guard case .text(let text) = node.content else { throw failure(node, name, "a text: <string>") }
    return text
  }

  package func flag(_ node: Node, _ name: String) throws(PropertyListFailure) -> Bool {
    guard case .flag(let flag) = node.content else { throw failure(node, name, "a Boolean: <true/> or <false/>") }
    return flag
  }

  /// Returns the texts of a value that has to be an array of them.
  package func texts(_ node: Node, _ name: String) throws(PropertyListFailure) -> [String] {
    var texts: [String] = []
    for element in try array(node, name) { texts.append(try text(element, "an element of \(name)")) }
    return texts
  }

  private func failure(_ node: Node, _ name: String, _ expected: String) -> PropertyListFailure {
    PropertyListFailure(
      "\(name) is \(expected), and not <\(node.element)>", at: place(of: node), help: "write it as \(expected)")
  }
}

extension [PropertyList.Entry] {
  /// The value of a name.
  package subscript(name: String) -> PropertyList.Node? { first { $0.name == name }?.value }
}

extension PropertyList {
  /// The place of the first tag of a value.
  package func place(of node: Node) -> SourcePlace {
    let start = node.range.lowerBound
    return file.place(of: start..<(node.inner?.lowerBound ?? node.range.upperBound))
  }

  /// The place of the name of a value.
  package func place(of entry: Entry) -> SourcePlace { file.place(of: entry.nameRange) }
}

extension SourceFile {
  /// The place of some bytes.
  func place(of range: Range<Int>) -> SourcePlace {
    let start = location(of: range.lowerBound, after: SourceLocation(line: 1, column: 1), at: 0)
    let end = location(of: range.upperBound, after: start, at: range.lowerBound)
    return SourcePlace(file: self, range: SourceRange(start: start, end: end))
  }

  private func location(of offset: Int, after known: SourceLocation, at start: Int) -> SourceLocation {
    var location = known
    for byte in bytes[start..<min(offset, bytes.count)] {
      if byte == UInt8(ascii: "\n") {
        location = SourceLocation(line: location.line + 1, column: 1)
      } else if !byte.isContinuation {
        location.column += 1
      }
    }
    return location
  }
}
