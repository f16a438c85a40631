import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

extension Rule {
  static let unpairedKey = Rule(
    "unpaired-key", .project,
    "A key that is sent has a counterpart on the paired device: the same stored name, domain, type and serializer.",
    why: "The devices identify a key by its stored name and domain. A value without a counterpart is never received.",
    bad: nil, good: .keys("theme: {type: String, syncPolicy: manual, description: The colour scheme the user chose.}"),
    isAllowable: true)
}

/// Checks the keys that are sent against the catalogs of the paired device, if the run knows them.
struct UnpairedKeyRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    guard let catalogs = run.paired else { return }
    let paired = PairedKeys(catalogs)
    for document in run.documents {
      for key in document.keys {
        guard key.resolved.isSent, key.isSound(KeyFieldSet(.syncPolicy, .name, .domain, .type, .parameters)),
          let problem = paired.problem(of: key.resolved)
        else { continue }
        let node = key.node(of: problem.field, defaults: document.defaults)
        findings.about(key) { $0.report(.unpairedKey, problem.message, at: node, help: problem.help) }
      }
    }
  }
}

/// The keys of the paired device.
private struct PairedKeys {
  struct Problem {
    var field: KeyField
    var message: String
    var help: String
  }

  private var byName: [String: [ResolvedKey]] = [:]
  private var names: [String] = []

  init(_ catalogs: [ResolvedCatalog]) {
    for key in catalogs.lazy.flatMap(\.keys) where !key.descriptor.isLegacy {
      byName[key.sentName, default: []].append(key)
    }
    // A name that is another key's is rarely what a misspelt one was meant to be, but is all that there is.
    names = byName.values.joined().sorted { $0.line < $1.line }.filter(\.isSent).map(\.descriptor.name)
  }

  func problem(of key: ResolvedKey) -> Problem? {
    let descriptor = key.descriptor
    let called = byName[key.sentName] ?? []
    guard let other = called.first(where: { $0.descriptor.domain == descriptor.domain }) else {
      return called.first.map { otherDomain(key, $0) } ?? noCounterpart(key)
    }
    guard other.isSent else {
      return Problem(
        field: .syncPolicy,
        message: "'\(descriptor.member)' is sent, but '\(other.descriptor.member)' of the paired device has "
          + "'syncPolicy: never', so it does not receive the value",
        help: "write a `syncPolicy` that sends in the catalog of the paired device, or `syncPolicy: never` here")
    }
    return differentForm(key, other)
  }

  private func noCounterpart(_ key: ResolvedKey) -> Problem {
    let name = key.descriptor.name
    let suggestion = Spelling.nearest(to: name, among: names)
    return Problem(
      field: .name,
      message: "'\(key.descriptor.member)' is sent, but no key of the paired device has the stored name '\(name)'"
        + (suggestion.map { "; did you mean '\($0)'?" } ?? ""),
      help: suggestion.map { "write `name: \($0)`, or correct the name in the catalog of the paired device" }
        ?? "declare the key in the catalog of the paired device, or write `syncPolicy: never`")
  }

  private func otherDomain(_ key: ResolvedKey, _ other: ResolvedKey) -> Problem {
    Problem(
      field: .domain,
      message: "'\(key.descriptor.member)' is sent, but the paired device stores '\(other.descriptor.name)' in another "
        + "domain: \(other.descriptor.domain.auditText)",
      help: "use the same domain, with the same parts, in both catalogs")
  }

  private func differentForm(_ key: ResolvedKey, _ other: ResolvedKey) -> Problem? {
    let own = key.sentForm
    let theirs = other.sentForm
    let receiver = other.descriptor.member
    guard own.type.mayBe(theirs.type) else {
      return Problem(
        field: .type,
        message: "'\(key.descriptor.member)' is sent as '\(own.type.swiftText)', but '\(receiver)' of the paired "
          + "device has the type '\(theirs.type.swiftText)'",
        help: "use one type in both catalogs, or give the watch a smaller form with `watch`")
    }
    let areCustom = own.serializer.kind == .custom && theirs.serializer.kind == .custom
    guard own.serializer == theirs.serializer || areCustom else {
      return Problem(
        field: .serializer,
        message: "'\(key.descriptor.member)' is sent with the serializer '\(own.serializer.auditText)', but "
          + "'\(receiver)' of the paired device has '\(theirs.serializer.auditText)'",
        help: "use the same serializer in both catalogs")
    }
    guard own.dates == theirs.dates else {
      return Problem(
        field: .dates,
        message: "the dates of '\(key.descriptor.member)' are sent in another form than '\(receiver)' of the paired "
          + "device reads", help: "use the same `dates` in both catalogs")
    }
    return nil
  }
}

extension ResolvedKey {
  /// A Boolean value that indicates whether the key is sent to the paired device, and received from it.
  fileprivate var isSent: Bool { descriptor.syncPolicy != .never && !descriptor.isLegacy }

  /// The stored name, in which the name of a parameter does not matter.
  fileprivate var sentName: String {
    guard !parameters.isEmpty else { return descriptor.name }
    let types = Dictionary(parameters.map { ($0.name, $0.type.swiftText) }) { first, _ in first }
    return nameParts.map { part in
      switch part {
      case .text(let text): text
      case .parameter(let name): "{\(types[name] ?? name)}"
      }
    }.joined()
  }

  /// The form in which the value is on its way: that of the watch, if the phone declares one.
  fileprivate var sentForm: (type: ValueType, serializer: SerializerKind, dates: DateForm?) {
    guard let watchRepresentation else { return (type, descriptor.serializer, descriptor.dates) }
    let fallback: SerializerKind = descriptor.serializer == .propertyList ? .propertyList : .json
    return (watchRepresentation.type, watchRepresentation.serializer ?? fallback, nil)
  }
}

extension ValueType {
  /// Returns false if two types are certainly different. Types of the app are known by their names only, which can differ
  /// between the modules of two apps.
  fileprivate func mayBe(_ other: ValueType) -> Bool {
    switch (self, other) {
    case (.swift, .swift), (.swift, .declared), (.declared, .swift): true
    case (.scalar(let left), .scalar(let right)): left == right
    case (.declared(let left), .declared(let right)): left == right
    case (.list(let left), .list(let right)), (.set(let left), .set(let right)),
      (.optional(let left), .optional(let right)):
      left.mayBe(right)
    case (.map(let key, let value), .map(let otherKey, let otherValue)):
      key.mayBe(otherKey) && value.mayBe(otherValue)
    default: false
    }
  }
}
