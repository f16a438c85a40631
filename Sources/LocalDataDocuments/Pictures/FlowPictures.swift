/// The pictures of the flows of a page. Each distinct flow is drawn once, and every key that has it has a link to it.
///
///     value → json → ChaCha20-Poly1305 → keychain ─→ device backup
///                                                └─→ paired device
struct FlowPictures {
  /// The links of the storages that have the flows.
  private var links: [ObjectIdentifier: HTMLFragment] = [:]
  private var flows: [DataFlow] = []

  /// Collects the flows of keys and records, in the order of their declarations.
  init(_ values: AuditedValues) {
    var numbers: [DataFlow: Int] = [:]
    func add(_ storage: AuditedStorage) {
      guard links[ObjectIdentifier(storage)] == nil else { return }
      let number = numbers[storage.flow] ?? flows.count + 1
      if number > flows.count {
        flows.append(storage.flow)
        numbers[storage.flow] = number
      }
      links[ObjectIdentifier(storage)] = HTMLFragment {
        $0.fact("Data flow", .link("picture \(number)", Self.address(number)))
      }
    }
    for (keys, records) in zip(values.keys, values.records) {
      for part in keys { add(part.storage) }
      for part in records.joined() { add(part.storage) }
    }
    for part in values.unmanaged.joined() { add(part.storage) }
  }

  /// Writes the pictures, each with the flow in words as its name.
  func write(to html: inout HTMLWriter) {
    for (index, flow) in flows.enumerated() {
      html.element(.details, .id(Self.address(index + 1)), .class("picture")) { html in
        html.element(.summary, text: "Picture \(index + 1)")
        html.element(.div, .class("scroll")) { html in
          let drawing = FlowDrawing(flow)
          html.element(.svg, .class("flow"), .role("img"), .viewBox(0, 0, FlowDrawing.width, drawing.height)) { html in
            html.element(.svgTitle, text: "Data flow: \(flow.words)")
            drawing.write(to: &html)
          }
        }
      }
      html.line()
    }
  }

  /// Writes the link to the picture of a flow as a fact.
  func writeLink(of storage: AuditedStorage, to html: inout HTMLWriter) {
    if let link = links[ObjectIdentifier(storage)] { html.write(link) }
  }

  private static func address(_ number: Int) -> HTMLIdentifier { HTMLIdentifier("flow", String(number)) }
}

/// The boxes and arrows of one flow.
struct FlowDrawing {
  private let flow: DataFlow

  init(_ flow: DataFlow) { self.flow = flow }

  /// The size of a picture, in points at its natural size.
  static let width = 940
  var height: Int { max(1, flow.copies.count) * Self.row - Self.gap + 2 }

  /// The left edge and the width of each column.
  private enum Column {
    static let value = (x: 1, width: 70)
    static let serializer = (x: 97, width: 120)
    static let protection = (x: 243, width: 216)
    static let container = (x: 485, width: 200)
    static let copies = (x: 721, width: 218)
  }
  private static let boxHeight = 38
  private static let gap = 8
  private static let row = boxHeight + gap

  func write(to html: inout HTMLWriter) {
    box(DataFlow.Stage(title: "value", detail: "in the app"), at: Column.value, to: &html)
    arrow(from: Column.value, to: Column.serializer, to: &html)
    box(flow.serializer, at: Column.serializer, to: &html)
    arrow(from: Column.serializer, to: Column.protection, to: &html)
    box(flow.protection, at: Column.protection, isMarked: flow.isExposed, to: &html)
    arrow(from: Column.protection, to: Column.container, to: &html)
    box(flow.container, at: Column.container, to: &html)
    for (index, copy) in flow.copies.enumerated() {
      let y = index * Self.row + 1
      branch(to: y + Self.boxHeight / 2, copy.exposure, to: &html)
      box(
        DataFlow.Stage(title: copy.place.title, detail: copy.detail), at: Column.copies, y: y,
        isMarked: copy.exposure == .weaker, to: &html)
    }
  }

  private func box(
    _ stage: DataFlow.Stage, at column: (x: Int, width: Int), y: Int = 1, isMarked: Bool = false,
    to html: inout HTMLWriter
  ) {
    html.element(
      .rect, .class(isMarked ? "stage falls" : "stage"), .x(column.x), .y(y), .width(column.width),
      .height(Self.boxHeight), .rx(6))
    let hasDetail = !stage.detail.isEmpty
    let characters = column.width / 7
    html.element(
      .svgText, .class("stage-name"), .x(column.x + 8), .y(y + (hasDetail ? 16 : 24)),
      text: Self.clipped((isMarked ? "\u{26A0} " : "") + stage.title, to: characters))
    guard hasDetail else { return }
    html.element(
      .svgText, .class("stage-detail"), .x(column.x + 8), .y(y + 31),
      text: Self.clipped(stage.detail, to: characters + 2))
  }

  /// Draws an arrow between two columns at the height of the first row.
  private func arrow(from left: (x: Int, width: Int), to right: (x: Int, width: Int), to html: inout HTMLWriter) {
    let y = 1 + Self.boxHeight / 2
    var path = SVGPath()
    path.move(toX: left.x + left.width, y: y)
    path.line(toX: right.x - 1, y: y)
    head(at: right.x - 1, y: y, on: &path)
    html.element(.path, .class("arrow"), .d(path))
  }

  /// Draws an arrow from the container to a copy.
  private func branch(to y: Int, _ exposure: DataFlow.Exposure, to html: inout HTMLWriter) {
    let start = (x: Column.container.x + Column.container.width, y: 1 + Self.boxHeight / 2)
    let end = Column.copies.x - 1
    var path = SVGPath()
    path.move(toX: start.x, y: start.y)
    path.line(toX: start.x + 14, y: start.y)
    path.line(toX: start.x + 14, y: y)
    path.line(toX: end, y: y)
    head(at: end, y: y, on: &path)
    switch exposure {
    case .same: html.element(.path, .class("arrow"), .d(path))
    case .unreadable: html.element(.path, .class("arrow unreadable"), .d(path))
    case .weaker: html.element(.path, .class("arrow falls"), .d(path))
    }
  }

  private func head(at x: Int, y: Int, on path: inout SVGPath) {
    path.move(toX: x - 5, y: y - 4)
    path.line(toX: x, y: y)
    path.line(toX: x - 5, y: y + 4)
  }

  /// Returns text that fits into a number of characters. The facts below a picture have the whole text.
  static func clipped(_ text: String, to count: Int) -> String {
    text.count <= count ? text : text.prefix(count - 1) + "\u{2026}"
  }
}
