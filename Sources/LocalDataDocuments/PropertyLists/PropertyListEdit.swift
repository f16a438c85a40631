import LocalDataSyntax
import LocalDataModel

/// A value to be written into a property list.
package enum PropertyListValue: Sendable, Equatable {
  case text(String)
  case flag(Bool)
  case array([PropertyListValue])
  case dictionary([Field])

  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: PropertyListValue

    package init(_ name: String, _ value: PropertyListValue) {
      self.name = name
      self.value = value
    }
  }
}

/// Changes of a property list that leave every other byte as it is: comments, order, indentation and line ends.
///
/// New values are written at the end of their dictionary or array, as its other values are indented.
package struct PropertyListEdit: Sendable {
  private let list: PropertyList
  private let style: PropertyListStyle
  private var replacements: [(range: Range<Int>, text: String)] = []
  /// The new lines of each dictionary and array, by the first byte of its element.
  private var additions: [Int: (node: PropertyList.Node, lines: [PropertyListLine])] = [:]

  package init(_ list: PropertyList) {
    self.list = list
    style = PropertyListStyle(list)
  }

  package var isEmpty: Bool { replacements.isEmpty && additions.isEmpty }

  /// Replaces a Boolean.
  package mutating func set(_ node: PropertyList.Node, to flag: Bool) {
    replacements.append((node.range, flag ? "<true/>" : "<false/>"))
  }

  /// Adds a value to a dictionary.
  package mutating func add(_ field: PropertyListValue.Field, to dictionary: PropertyList.Node) {
    additions[dictionary.range.lowerBound, default: (dictionary, [])].lines += PropertyListLine.lines(of: field)
  }

  /// Adds a value to an array.
  package mutating func add(_ value: PropertyListValue, to array: PropertyList.Node) {
    additions[array.range.lowerBound, default: (array, [])].lines += PropertyListLine.lines(of: value)
  }

  /// The bytes of the file with all changes.
  package var bytes: [UInt8] {
    var bytes = list.file.bytes
    let all = replacements + additions.values.map { replacement($0.node, $0.lines) }
    for (range, text) in all.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(range, with: text.utf8)
    }
    return bytes
  }

  private func replacement(_ node: PropertyList.Node, _ lines: [PropertyListLine]) -> (range: Range<Int>, text: String)
  {
    let indentation = style.indentation(at: node.range.lowerBound)
    let text = style.text(lines, indentation: style.indentationOfChildren(in: node))
    guard let inner = node.inner else {
      let start = "<\(node.element)>"
      let end = "</\(node.element)>"
      return (node.range, start + style.lineEnd + text + indentation + end)
    }
    // The closing tag keeps its line if it has one of its own.
    if let line = style.startOfBlankLine(before: inner.upperBound, after: inner.lowerBound) {
      return (line..<line, text)
    }
    return (inner.upperBound..<inner.upperBound, style.lineEnd + text + indentation)
  }
}

/// A line of new XML, with its level below the dictionary or array that it is added to.
struct PropertyListLine {
  var level: Int
  var text: String

  static func lines(of field: PropertyListValue.Field, level: Int = 0) -> [PropertyListLine] {
    [PropertyListLine(level: level, text: "<key>\(escaped(field.name))</key>")] + lines(of: field.value, level: level)
  }

  static func lines(of value: PropertyListValue, level: Int = 0) -> [PropertyListLine] {
    switch value {
    case .text(let text): [PropertyListLine(level: level, text: "<string>\(escaped(text))</string>")]
    case .flag(let flag): [PropertyListLine(level: level, text: flag ? "<true/>" : "<false/>")]
    case .array(let elements):
      lines(of: "array", elements.flatMap { lines(of: $0, level: level + 1) }, level: level)
    case .dictionary(let fields):
      lines(of: "dict", fields.flatMap { lines(of: $0, level: level + 1) }, level: level)
    }
  }

  private static func lines(of element: String, _ content: [PropertyListLine], level: Int) -> [PropertyListLine] {
    guard !content.isEmpty else { return [PropertyListLine(level: level, text: "<\(element)/>")] }
    return [PropertyListLine(level: level, text: "<\(element)>")] + content
      + [PropertyListLine(level: level, text: "</\(element)>")]
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension PropertyListValue {
  /// Returns fields as the lines that a dictionary at the top of a file contains.
  package static func fragment(_ fields: [Field]) -> String {
    fields.flatMap { PropertyListLine.lines(of: $0, level: 1) }
      .map { String(repeating: "\t", count: $0.level) + $0.text + "\n" }.joined()
  }
}
