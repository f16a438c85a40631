package import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// A weakness with the answers of all keys, records and unmanaged data to which it applies.
package struct MASVSAssessment: Sendable {
  package let weakness: Weakness
  /// The answers in the order of the catalogs: of the keys, of the records, then of unmanaged data.
  package private(set) var answers: [(subject: String, answer: WeaknessAnswer)] = []

  /// Returns the weaknesses that apply to a value of the catalogs, in the order of their identifiers.
  ///
  /// - Parameter today: The day on which allowances are judged. By default none has ended, so that a document is the same on
  ///   every day.
  package static func of(_ catalogs: [ResolvedCatalog], today: CalendarDate = .earliest) -> [MASVSAssessment] {
    var positions: [Weakness: Int] = [:]
    var result = Weakness.all.map { MASVSAssessment(weakness: $0) }
    for (index, weakness) in Weakness.all.enumerated() { positions[weakness] = index }
    for catalog in catalogs {
      let assessor = CatalogAssessor(catalog, today: today)
      assessor.forEach { subject, answers in
        for answer in answers {
          if let index = positions[answer.weakness] { result[index].answers.append((subject, answer)) }
        }
      }
    }
    return result.filter { !$0.answers.isEmpty }
  }

  /// Keys, records and unmanaged data with the same answer.
  package struct Group: Sendable {
    package let answer: WeaknessAnswer
    package fileprivate(set) var subjects: [String]
  }

  /// The answers, each once. What needs a look comes first.
  package var groups: [Group] {
    var positions: [WeaknessAnswer: Int] = [:]
    var groups: [Group] = []
    for (subject, answer) in answers {
      if let position = positions[answer] {
        groups[position].subjects.append(subject)
      } else {
        positions[answer] = groups.count
        groups.append(Group(answer: answer, subjects: [subject]))
      }
    }
    return groups.enumerated().sorted { ($0.element.answer.rank, $0.offset) < ($1.element.answer.rank, $1.offset) }
      .map(\.element)
  }
}

/// Answers weaknesses for the keys, the records and the unmanaged data of a catalog. Values with the same facts have the same answers.
package struct CatalogAssessor {
  private let catalog: ResolvedCatalog
  private let today: CalendarDate
  private let allowances: [String: [Allowance]]

  package init(_ catalog: ResolvedCatalog, today: CalendarDate = .earliest) {
    self.catalog = catalog
    self.today = today
    allowances = Dictionary(grouping: catalog.allowances, by: \.key)
  }

  /// Calls `body` with the answers of each key, each record and each declaration of unmanaged data.
  package func forEach(_ body: (_ subject: String, [WeaknessAnswer]) -> Void) {
    var known: [ProtectedFacts: [WeaknessAnswer]] = [:]
    for key in catalog.keys {
      let facts = key.protectedFacts
      let same = known[facts]
      let answers = same ?? WeaknessQuestions(facts: facts).answers
      if same == nil { known[facts] = answers }
      body(key.descriptor.member, accepted(answers, key.descriptor.member))
    }
    for record in catalog.records { body(record.name, answers(of: record)) }
    for data in catalog.unmanaged { body("\(data.member) (unmanaged)", answers(of: data)) }
  }

  /// Returns true if a key or record allows findings, so that its answers may differ from those of others.
  package func hasAllowances(_ subject: String) -> Bool { allowances[subject] != nil }

  package func answers(of key: ResolvedKey) -> [WeaknessAnswer] {
    accepted(WeaknessQuestions(facts: key.protectedFacts).answers, key.descriptor.member)
  }

  package func answers(of data: ResolvedUnmanaged) -> [WeaknessAnswer] {
    accepted(WeaknessQuestions(facts: data.protectedFacts).answers, data.findingName)
  }

  /// Returns the answers of a record: for each weakness the worst one of its fields.
  package func answers(of record: ResolvedRecord) -> [WeaknessAnswer] {
    guard let database = catalog.database(of: record) else { return [] }
    let answers = Set(record.fields.map { record.protectedFacts(of: $0, in: database) })
      .flatMap { WeaknessQuestions(facts: $0).answers }
    let worst = Weakness.all.compactMap { weakness in
      answers.filter { $0.weakness == weakness }.min { ($0.rank, $0.reason) < ($1.rank, $1.reason) }
    }
    return accepted(worst, record.name)
  }

  private func accepted(_ answers: [WeaknessAnswer], _ subject: String) -> [WeaknessAnswer] {
    guard let own = allowances[subject] else { return answers }
    return answers.map { $0.accepted(by: own, today: today) }
  }
}

extension WeaknessAnswer {
  /// The order of states, the worst one first.
  fileprivate var rank: Int {
    switch state {
    case .violated: 0
    case .acceptedUntil: 1
    case .notDecidable: 2
    case .metByLibrary: 3
    case .metByDeclaration: 4
    }
  }
}

extension ResolvedRecord {
  /// Returns the sensitivity of what a stored field tells. A reference that is not encrypted, and a UUID that is the key of the
  /// record, say nothing by themselves.
  package func toldSensitivity(of field: Field) -> Sensitivity {
    let isIdentity = field.name == key && field.type == .scalar(.uuid)
    let saysNothing = field.encryption == .none && (field.reference != nil || isIdentity)
    return saysNothing ? .internal : field.sensitivity
  }

  fileprivate func protectedFacts(of field: Field, in database: ResolvedDatabase) -> ProtectedFacts {
    let isPlain = field.encryption == .none
    var facts = ProtectedFacts(
      toldSensitivity(of: field), isPlain ? database.storedFacts : database.sealedFacts,
      isPlain ? .none : database.sealing)
    facts.isField = true
    facts.isCollected = (field.privacy ?? privacy)?.isCollected ?? false
    return facts
  }
}
