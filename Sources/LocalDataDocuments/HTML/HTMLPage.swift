import LocalDataModel

/// The frame of a document: a head with the styles, the script and a policy that allows these and nothing else.
enum HTMLPage {
  /// Returns a document.
  ///
  /// The page can be read without the script, which adds search, filters and sorting. It loads nothing.
  ///
  /// - Parameters:
  ///   - capacity: The expected number of bytes of the body.
  ///   - body: Writes what is in the body.
  static func collect(title: String, capacity: Int, body: (inout HTMLWriter) -> Void) -> [UInt8] {
    collectPieces(title: title, capacity: capacity, body: body).reduce(into: []) { $0 += $1 }
  }

  /// Returns a document, divided where `body` called ``HTMLWriter/insertionPoint()``.
  static func collectPieces(title: String, capacity: Int, body: (inout HTMLWriter) -> Void) -> [[UInt8]] {
    let resources = HTMLResource.auditStyle.bytes.count + HTMLResource.auditScript.bytes.count
    return HTMLWriter.collectPieces(capacity: capacity + resources + 2_048) { html in
      html.doctype()
      html.element(.html, .lang("en")) { html in
        html.line()
        html.element(.head) { writeHead(title: title, to: &$0) }
        html.line()
        html.element(.body) { html in
          html.line()
          body(&html)
          html.element(.auditScript)
          html.line()
        }
        html.line()
      }
      html.line()
    }
  }

  /// The policy of a page: nothing is loaded, nothing is sent, and only our own style and script count.
  static let policy =
    "default-src 'none'; style-src \(HTMLResource.auditStyle.policySource); "
    + "script-src \(HTMLResource.auditScript.policySource); base-uri 'none'; form-action 'none'"

  private static func writeHead(title: String, to html: inout HTMLWriter) {
    html.line()
    html.element(.meta, .charset("utf-8"))
    html.line()
    // The first lines of an output say who has written it.
    html.element(.meta, .name("generator"), .content("Written by local-data"))
    html.line()
    html.element(.meta, .httpEquiv("Content-Security-Policy"), .content(policy))
    html.line()
    html.element(.meta, .name("viewport"), .content("width=device-width, initial-scale=1"))
    html.line()
    html.element(.meta, .name("color-scheme"), .content("light dark"))
    html.line()
    html.element(.title, text: title)
    html.line()
    html.element(.auditStyle)
    html.line()
  }
}
