/// The picture of the whole app: columns of boxes whose heights follow the number of keys and fields, and bands between
/// them. A band on which protection falls is marked.
struct OverviewPicture {
  private let diagram: OverviewDiagram
  private var boxes: [OverviewDiagram.Node: Box] = [:]
  private var height = 0

  /// The place of a node, and how much of its sides bands have taken.
  private struct Box {
    let x: Int
    let y: Int
    let height: Int
    var left = 0
    var right = 0
  }

  private static let width = 940
  private static let boxWidth = 184
  private static let top = 26
  private static let gap = 12
  /// The least height of a box, which is that of its text.
  private static let least = 24
  /// The height that all keys and fields together have.
  private static let whole = 240

  init(_ values: AuditedValues) {
    diagram = OverviewDiagram(values)
    for column in OverviewDiagram.Column.allCases {
      let x = column.rawValue * (Self.width - Self.boxWidth) / (OverviewDiagram.Column.allCases.count - 1)
      var y = Self.top
      for node in diagram.nodes(in: column) {
        let box = Box(x: x, y: y, height: max(Self.least, size(of: diagram.nodes[node] ?? 0)))
        boxes[node] = box
        y += box.height + Self.gap
      }
      height = max(height, y - Self.gap + 2)
    }
  }

  private func size(of count: Int) -> Int { count * Self.whole / max(1, diagram.total) }

  /// Writes the picture; nothing if there are neither keys nor fields.
  mutating func write(to html: inout HTMLWriter) {
    guard diagram.total > 0 else { return }
    html.element(
      .svg, .class("overview"), .role("img"), .aria("label", words), .viewBox(-1, 0, Self.width + 2, height)
    ) { html in
      for column in OverviewDiagram.Column.allCases {
        guard let node = diagram.nodes(in: column).first, let box = boxes[node] else { continue }
        html.element(.svgText, .class("stage-name"), .x(box.x), .y(14), text: column.title)
      }
      writeBands(to: &html)
      for column in OverviewDiagram.Column.allCases {
        for node in diagram.nodes(in: column) { write(node, to: &html) }
      }
    }
    html.line()
  }

  private func write(_ node: OverviewDiagram.Node, to html: inout HTMLWriter) {
    guard let box = boxes[node], let count = diagram.nodes[node] else { return }
    html.line()
    html.element(.g) { html in
      html.element(.svgTitle, text: "\(node.title): \(count)")
      html.element(
        .rect, .class("stage"), .x(box.x), .y(box.y), .width(Self.boxWidth), .height(box.height), .rx(6))
      html.element(
        .svgText, .class("stage-name"), .x(box.x + 8), .y(box.y + 16), text: "\(node.title) \u{00B7} \(count)")
    }
  }

  /// Writes the bands, sorted by their ends, so that those of a box do not cross each other more than they must.
  private mutating func writeBands(to html: inout HTMLWriter) {
    let order = Dictionary(
      uniqueKeysWithValues: OverviewDiagram.Column.allCases.flatMap { diagram.nodes(in: $0) }.enumerated().map {
        ($1, $0)
      })
    func rank(_ link: OverviewDiagram.Link) -> (Int, Int) { (order[link.from] ?? 0, order[link.to] ?? 0) }
    for link in diagram.links.keys.sorted(by: { rank($0) < rank($1) }) { write(link, to: &html) }
  }

  private mutating func write(_ link: OverviewDiagram.Link, to html: inout HTMLWriter) {
    guard let from = boxes[link.from], let to = boxes[link.to], let count = diagram.links[link] else { return }
    let thickness = max(1, size(of: count))
    let start = (x: from.x + Self.boxWidth, y: Self.middle(from.right, thickness, in: from))
    let end = (x: to.x, y: Self.middle(to.left, thickness, in: to))
    boxes[link.from]?.right += thickness
    boxes[link.to]?.left += thickness
    let middleX = (start.x + end.x) / 2
    let middleY = (start.y + end.y) / 2
    var path = SVGPath()
    path.move(toX: start.x, y: start.y)
    path.curve(towardsX: (start.x + middleX) / 2, y1: start.y, toX: middleX, y: middleY)
    path.curve(towardsX: (middleX + end.x) / 2, y1: end.y, toX: end.x, y: end.y)
    let isFalling = diagram.falls.contains(link)
    html.line()
    html.element(.path, .class(isFalling ? "band falls" : "band"), .strokeWidth(thickness), .d(path)) { html in
      html.element(.svgTitle, text: Self.words(link, count, isFalling: isFalling))
    }
    guard isFalling else { return }
    html.element(.svgText, .class("fall-mark"), .x(middleX - 6), .y(middleY + 5), text: "\u{26A0}")
  }

  /// Returns the middle of the next free part of a box's side. More copies than values may leave a box.
  private static func middle(_ taken: Int, _ thickness: Int, in box: Box) -> Int {
    box.y + min(taken, max(0, box.height - thickness)) + thickness / 2
  }

  private static func words(_ link: OverviewDiagram.Link, _ count: Int, isFalling: Bool) -> String {
    "\(link.from.title) \u{2192} \(link.to.title): \(count)" + (isFalling ? ", protection falls here" : "")
  }

  /// The picture in words, for a reader who does not see it.
  private var words: String {
    let columns = OverviewDiagram.Column.allCases.map { column in
      "\(column.title): "
        + diagram.nodes(in: column).map { "\($0.title) \(diagram.nodes[$0] ?? 0)" }.joined(separator: ", ")
    }
    let total = Counted.text(diagram.total, "key or field", "keys and fields")
    return "Data flow of \(total). " + columns.joined(separator: ". ")
  }
}
