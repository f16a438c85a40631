import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// The further forms that reads of a key accept.
struct ReadForms {
  let draft: KeyDraft
  let type: ValueType
  let descriptor: StorageKeyDescriptor

  /// Returns the forms, and reports those that the key cannot have.
  func resolved(_ context: inout DecodingContext) -> [ResolvedKey.ReadForm] {
    let fields = KeyFieldSet(.type, .serializer, .schema, .domain, .security, .syncPolicy, .dates)
    guard let first = draft.reads.first?.node, draft.failed.isDisjoint(with: fields) else { return [] }
    if descriptor.security.isEncrypted {
      report(
        "'reads' is for values that are not encrypted", first,
        "give the key another name, and the old one as the source of its migration", &context)
      return []
    }
    if descriptor.schema > 1 {
      report(
        "values of earlier schemas are read by 'upgrade'", first, "remove `reads`, or remove `schema` and `upgrade`",
        &context)
      return []
    }
    if descriptor.syncPolicy != .never {
      report("a value that is sent has one form", first, "write `syncPolicy: never`", &context)
      return []
    }
    var forms: [ResolvedKey.ReadForm] = []
    for draft in draft.reads {
      guard let node = draft.node, let form = form(draft, node, &context) else { continue }
      if isDeclared(form) || form.transform == nil && forms.contains(where: { isSame($0, form) }) {
        report("the form is read already", node, "remove it", &context)
      } else {
        forms.append(form)
      }
    }
    return forms
  }

  private func form(
    _ draft: ReadDraft, _ node: SyntaxNode, _ context: inout DecodingContext
  ) -> ResolvedKey.ReadForm? {
    guard let type = draft.type else { return nil }
    var form = ResolvedKey.ReadForm(
      line: node.line, type: type, serializer: draft.serializer ?? descriptor.serializer, dates: draft.dates,
      transform: draft.transform)
    let dates = DateFormProblem.of(type, form.serializer, context.types)
    if !form.serializer.takes(type) {
      report(
        form.serializer.refusal(of: type), node,
        "say how the value is serialized: `serializer: json`", &context)
    } else if !form.serializer.isUsable(in: descriptor.domain, descriptor.security) {
      report(SerializerKind.textOutsidePreferences, node, SerializerKind.cureOfText, &context)
    } else if let dates, draft.dates != nil {
      context.findings.report(.dateForm, dates.message, at: node.value(of: "dates") ?? node, help: dates.help)
    } else if form.transform == nil, type.conversion(to: self.type) == nil {
      report(
        "a value of '\(type.swiftText)' does not become '\(self.type.swiftText)' by itself", node,
        "write a function: {type: \(type.swiftText), transform: \(Self.typeName(descriptor.member)).parse}", &context)
    } else {
      if dates == nil, draft.serializer == nil { form.dates = form.dates ?? descriptor.dates }
      return form
    }
    return nil
  }

  private func isDeclared(_ form: ResolvedKey.ReadForm) -> Bool {
    form.type == type && form.serializer == descriptor.serializer && form.dates == descriptor.dates
  }

  private func isSame(_ form: ResolvedKey.ReadForm, _ other: ResolvedKey.ReadForm) -> Bool {
    form.type == other.type && form.serializer == other.serializer && form.dates == other.dates
  }

  private func report(
    _ message: String, _ node: SyntaxNode, _ help: String, _ context: inout DecodingContext
  ) {
    context.findings.report(.readForm, message, at: node, help: help)
  }

  private static func typeName(_ member: String) -> String { member.prefix(1).uppercased() + member.dropFirst() }
}

extension ResolvedKey.ReadForm {
  /// A description for audits: `Int as json`, `String as propertyList, by Flag.parse`.
  var inWords: String {
    "\(type.swiftText) as \(serializer.auditText)" + (dates.map { ", dates in \($0.auditText)" } ?? "")
      + (transform.map { ", by \($0.text)" } ?? "")
  }
}
