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

  /// The start tag as far as the name.
  @inline(__always)
  var start: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: tags.utf8Start, count: nameLength + 1) }

  /// The start tag without attributes.
  @inline(__always)
  var startTag: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: tags.utf8Start, count: nameLength + 2) }

  @inline(__always)
  var endTag: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: tags.utf8Start + nameLength + 2, count: nameLength + 3)
  }

  /// The length of the name, which is in both tags.
  @inline(__always)
  private var nameLength: Int { (tags.utf8CodeUnitCount - 5) / 2 }

  /// The start tag and the end tag. Where the element is known, the compiler knows them too, so that a tag is one copy.
  @inline(__always)
  private var tags: StaticString {
    switch self {
    case .html: "<html></html>"
    case .head: "<head></head>"
    case .body: "<body></body>"
    case .title, .svgTitle: "<title></title>"
    case .meta: "<meta></meta>"
    case .header: "<header></header>"
    case .nav: "<nav></nav>"
    case .main: "<main></main>"
    case .footer: "<footer></footer>"
    case .section: "<section></section>"
    case .article: "<article></article>"
    case .aside: "<aside></aside>"
    case .h1: "<h1></h1>"
    case .h2: "<h2></h2>"
    case .h3: "<h3></h3>"
    case .h4: "<h4></h4>"
    case .p: "<p></p>"
    case .div: "<div></div>"
    case .span: "<span></span>"
    case .a, .svgLink: "<a></a>"
    case .strong: "<strong></strong>"
    case .em: "<em></em>"
    case .small: "<small></small>"
    case .code: "<code></code>"
    case .pre: "<pre></pre>"
    case .br: "<br></br>"
    case .ul: "<ul></ul>"
    case .ol: "<ol></ol>"
    case .li: "<li></li>"
    case .dl: "<dl></dl>"
    case .dt: "<dt></dt>"
    case .dd: "<dd></dd>"
    case .time: "<time></time>"
    case .abbr: "<abbr></abbr>"
    case .mark: "<mark></mark>"
    case .del: "<del></del>"
    case .ins: "<ins></ins>"
    case .kbd: "<kbd></kbd>"
    case .details: "<details></details>"
    case .summary: "<summary></summary>"
    case .figure: "<figure></figure>"
    case .figcaption: "<figcaption></figcaption>"
    case .table: "<table></table>"
    case .caption: "<caption></caption>"
    case .colgroup: "<colgroup></colgroup>"
    case .col: "<col></col>"
    case .thead: "<thead></thead>"
    case .tbody: "<tbody></tbody>"
    case .tfoot: "<tfoot></tfoot>"
    case .tr: "<tr></tr>"
    case .th: "<th></th>"
    case .td: "<td></td>"
    case .form: "<form></form>"
    case .fieldset: "<fieldset></fieldset>"
    case .legend: "<legend></legend>"
    case .label: "<label></label>"
    case .input: "<input></input>"
    case .select: "<select></select>"
    case .option: "<option></option>"
    case .button: "<button></button>"
    case .output: "<output></output>"
    case .meter: "<meter></meter>"
    case .progress: "<progress></progress>"
    case .svg: "<svg></svg>"
    case .g: "<g></g>"
    case .marker: "<marker></marker>"
    case .rect: "<rect></rect>"
    case .line: "<line></line>"
    case .path: "<path></path>"
    case .circle: "<circle></circle>"
    case .svgText: "<text></text>"
    case .desc: "<desc></desc>"
    case .tspan: "<tspan></tspan>"
    }
  }
}
