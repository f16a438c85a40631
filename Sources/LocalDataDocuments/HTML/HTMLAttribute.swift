/// An attribute with its value.
///
/// Text of a catalog is possible only in attributes that are shown or compared: there is no function for `style`, for
/// handlers of events, or for the address of another document.
struct HTMLAttribute {
  enum Value {
    /// An attribute without a value. It is left out if this is false.
    case flag(Bool)
    /// A word or a sentence of this package.
    case fixed(StaticString)
    /// Any text.
    case text(String)
    case number(Int)
    /// Numbers with spaces between them.
    case numbers([Int])
    case identifier(HTMLIdentifier)
    /// A link to an element of the same document.
    case fragment(HTMLIdentifier)
  }

  /// The part of the name in front of `name`: `data-` or `aria-`.
  let prefix: StaticString
  let name: StaticString
  let value: Value

  private init(prefix: StaticString = "", _ name: StaticString, _ value: Value) {
    self.prefix = prefix
    self.name = name
    self.value = value
  }
}

extension HTMLAttribute {
  // MARK: - Addresses

  static func id(_ identifier: HTMLIdentifier) -> Self { Self("id", .identifier(identifier)) }
  /// A link to an element of the same document.
  static func href(_ target: HTMLIdentifier) -> Self { Self("href", .fragment(target)) }
  /// The control that a label is for.
  static func `for`(_ control: HTMLIdentifier) -> Self { Self("for", .identifier(control)) }

  // MARK: - Words of this package

  static func `class`(_ names: StaticString) -> Self { Self("class", .fixed(names)) }
  static func role(_ role: StaticString) -> Self { Self("role", .fixed(role)) }
  static func scope(_ scope: StaticString) -> Self { Self("scope", .fixed(scope)) }
  static func type(_ type: StaticString) -> Self { Self("type", .fixed(type)) }
  static func lang(_ language: StaticString) -> Self { Self("lang", .fixed(language)) }
  static func charset(_ name: StaticString) -> Self { Self("charset", .fixed(name)) }
  static func name(_ name: StaticString) -> Self { Self("name", .fixed(name)) }
  static func hidden(_ isHidden: Bool = true) -> Self { Self("hidden", .flag(isHidden)) }
  static func open(_ isOpen: Bool = true) -> Self { Self("open", .flag(isOpen)) }
  static func colspan(_ count: Int) -> Self { Self("colspan", .number(count)) }
  static func tabindex(_ index: Int) -> Self { Self("tabindex", .number(index)) }

  // MARK: - Text

  /// The text that a browser shows beside the pointer.
  static func title(_ text: String) -> Self { Self("title", .text(text)) }
  static func value(_ text: String) -> Self { Self("value", .text(text)) }
  static func value(_ number: Int) -> Self { Self("value", .number(number)) }
  static func max(_ number: Int) -> Self { Self("max", .number(number)) }
  static func content(_ text: String) -> Self { Self("content", .text(text)) }
  static func placeholder(_ text: StaticString) -> Self { Self("placeholder", .fixed(text)) }
  static func autocomplete(_ text: StaticString) -> Self { Self("autocomplete", .fixed(text)) }
  static func datetime(_ text: String) -> Self { Self("datetime", .text(text)) }
  /// The kind of a `meta` element that is read like a header of HTTP.
  static func httpEquiv(_ name: StaticString) -> Self { Self("http-equiv", .fixed(name)) }

  /// `data-NAME`, which the script of the page reads.
  static func data(_ name: StaticString, _ text: String) -> Self { Self(prefix: "data-", name, .text(text)) }
  static func data(_ name: StaticString, _ number: Int) -> Self { Self(prefix: "data-", name, .number(number)) }
  /// `aria-NAME`, for screen readers.
  static func aria(_ name: StaticString, _ text: String) -> Self { Self(prefix: "aria-", name, .text(text)) }
  static func aria(_ name: StaticString, _ target: HTMLIdentifier) -> Self {
    Self(prefix: "aria-", name, .identifier(target))
  }

  // MARK: - Pictures

  static func viewBox(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Self {
    Self("viewBox", .numbers([x, y, width, height]))
  }
  /// The picture fills its place, whatever the ratio of width and height.
  static var stretched: Self { Self("preserveAspectRatio", .fixed("none")) }
  static func x(_ number: Int) -> Self { Self("x", .number(number)) }
  static func y(_ number: Int) -> Self { Self("y", .number(number)) }
  static func x1(_ number: Int) -> Self { Self("x1", .number(number)) }
  static func y1(_ number: Int) -> Self { Self("y1", .number(number)) }
  static func x2(_ number: Int) -> Self { Self("x2", .number(number)) }
  static func y2(_ number: Int) -> Self { Self("y2", .number(number)) }
  static func cx(_ number: Int) -> Self { Self("cx", .number(number)) }
  static func cy(_ number: Int) -> Self { Self("cy", .number(number)) }
  static func r(_ number: Int) -> Self { Self("r", .number(number)) }
  static func rx(_ number: Int) -> Self { Self("rx", .number(number)) }
  static func width(_ number: Int) -> Self { Self("width", .number(number)) }
  static func height(_ number: Int) -> Self { Self("height", .number(number)) }
  static func strokeWidth(_ number: Int) -> Self { Self("stroke-width", .number(number)) }
  /// The outline of a path. It is made of numbers and the letters of a path by the caller, for example `M0 0L10 10`.
  static func d(_ path: SVGPath) -> Self { Self("d", .text(path.text)) }
}

/// The outline of a shape: lines between points.
struct SVGPath {
  private(set) var text = ""

  /// Begins at a point.
  mutating func move(toX x: Int, y: Int) { text += "M\(x) \(y)" }
  /// Draws a line to a point.
  mutating func line(toX x: Int, y: Int) { text += "L\(x) \(y)" }
  /// Draws a curve to a point, with a point that the curve is drawn towards.
  mutating func curve(towardsX x1: Int, y1: Int, toX x: Int, y: Int) { text += "Q\(x1) \(y1) \(x) \(y)" }
  /// Draws a line to the first point.
  mutating func close() { text += "Z" }
}
