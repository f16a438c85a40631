/// An element of HTML or of a picture in it.
///
/// The list has no element that loads or runs anything: scripts and styles are ``HTMLResource``.
enum HTMLElement: Sendable, CaseIterable {
  // The document.
  case html, head, body, title, meta
  // Landmarks and sections.
  case header, nav, main, footer, section, article, aside
  case h1, h2, h3, h4
  // Text.
  case p, div, span, a, strong, em, small, code, pre, br
  case ul, ol, li, dl, dt, dd
  case time, abbr, mark, del, ins, kbd
  case details, summary, figure, figcaption
  // Tables.
  case table, caption, colgroup, col, thead, tbody, tfoot, tr, th, td
  // Controls that the script reads.
  case form, fieldset, legend, label, input, select, option, button, output, meter, progress
  // Pictures.
  case svg, g, marker, rect, line, path, circle, svgText, svgTitle, desc, tspan, svgLink

  /// A Boolean value that indicates whether the element has neither content nor an end tag.
  var isVoid: Bool {
    switch self {
    case .meta, .br, .col, .input: true
    default: false
    }
  }

  /// The name in a tag. Where the element is known, the compiler knows the name too.
  @inline(__always)
  var name: StaticString {
    switch self {
    case .html: "html"
    case .head: "head"
    case .body: "body"
    case .title, .svgTitle: "title"
    case .meta: "meta"
    case .header: "header"
    case .nav: "nav"
    case .main: "main"
    case .footer: "footer"
    case .section: "section"
    case .article: "article"
    case .aside: "aside"
    case .h1: "h1"
    case .h2: "h2"
    case .h3: "h3"
    case .h4: "h4"
    case .p: "p"
    case .div: "div"
    case .span: "span"
    case .a, .svgLink: "a"
    case .strong: "strong"
    case .em: "em"
    case .small: "small"
    case .code: "code"
    case .pre: "pre"
    case .br: "br"
    case .ul: "ul"
    case .ol: "ol"
    case .li: "li"
    case .dl: "dl"
    case .dt: "dt"
    case .dd: "dd"
    case .time: "time"
    case .abbr: "abbr"
    case .mark: "mark"
    case .del: "del"
    case .ins: "ins"
    case .kbd: "kbd"
    case .details: "details"
    case .summary: "summary"
    case .figure: "figure"
    case .figcaption: "figcaption"
    case .table: "table"
    case .caption: "caption"
    case .colgroup: "colgroup"
    case .col: "col"
    case .thead: "thead"
    case .tbody: "tbody"
    case .tfoot: "tfoot"
    case .tr: "tr"
    case .th: "th"
    case .td: "td"
    case .form: "form"
    case .fieldset: "fieldset"
    case .legend: "legend"
    case .label: "label"
    case .input: "input"
    case .select: "select"
    case .option: "option"
    case .button: "button"
    case .output: "output"
    case .meter: "meter"
    case .progress: "progress"
    case .svg: "svg"
    case .g: "g"
    case .marker: "marker"
    case .rect: "rect"
    case .line: "line"
    case .path: "path"
    case .circle: "circle"
    case .svgText: "text"
    case .desc: "desc"
    case .tspan: "tspan"
    }
  }
}
