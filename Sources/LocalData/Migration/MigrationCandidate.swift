import LocalDataFoundation
import LocalDataStores

/// A key with the steps of its migration, and with the addresses of everything that they touch. It is a class, because it is copied
/// often.
package final class MigrationCandidate: Sendable {
  package let key: AnyStorageKey
  package let plan: KeyPlan
  let id: AddressID
  /// The form in which the key's value is stored.
  let form: StoredForm
  package let steps: [ResolvedStep]
  /// The measurement of the run; `nil` if nothing is logged.
  let meter: CallMeter?

  package var rules: [StepRule] { steps.map(\.rule) }

  /// Returns the keysets whose logs note entries of the key: those of the sources that the entries are about first, the key's
  /// own last. A write of the value, and a noted removal, are about all sources.
  ///
  /// The logs of the sources have the entries too, because a release whose key is stored at the address of a source may not
  /// know the key's present address.
  func keysets(of entries: [MigrationEntry]) -> [KeysetID] {
    let ids = Set(entries.flatMap(\.steps))
    let isAboutAll = ids.contains(.write) || entries.contains(where: \.isRemovalNote)
    var keysets: [KeysetID] = []
    for step in steps where isAboutAll || ids.isEmpty || ids.contains(step.id) {
      for source in step.sources where source.plan.keyset != plan.keyset {
        if !isAboutAll, ids.isEmpty, !entries.contains(where: { $0.moved.contains(source.id) }) { continue }
        if !keysets.contains(source.plan.keyset) { keysets.append(source.plan.keyset) }
      }
    }
    return keysets + [plan.keyset]
  }

  /// The sources of all steps at other addresses.
  var sources: [MigrationSource] { steps.flatMap(\.sources).filter { !$0.isInPlace } }

  init(_ key: AnyStorageKey, _ plan: KeyPlan, _ steps: [ResolvedStep] = [], _ meter: CallMeter? = nil) {
    self.key = key
    self.meter = meter
    self.plan = plan.migrating()
    self.steps = steps
    id = AddressID(plan)
    form = StoredForm(key.security, in: key.domain.kind)
  }
}

/// A step of a migration with the addresses of its sources.
package struct ResolvedStep: Sendable {
  let step: MigrationStep
  let rule: StepRule
  let id: StepID
  package let sources: [MigrationSource]
  /// The error if the address of a source cannot be worked out.
  var problem: StorageError?

  /// A Boolean value that indicates whether the key takes a part of a source.
  var takesPart: Bool { sources.contains(where: \.isShared) }

  var move: ValueMove? {
    if case .move(let move) = step.action { move } else { nil }
  }
}

/// A source of a step. It is a class, because it is copied often.
package final class MigrationSource: Sendable {
  package let key: AnyStorageKey
  package let plan: KeyPlan
  /// A Boolean value that indicates whether its address is the key's own.
  package let isInPlace: Bool
  /// Older forms of the source, which the source's own migration accepts at its address.
  let forms: [MigrationForm]
  /// A digest, which one call uses many times.
  package let id: AddressID

  init(key: AnyStorageKey, plan: KeyPlan, isInPlace: Bool, forms: [MigrationForm] = []) {
    self.key = key
    self.plan = plan
    self.isInPlace = isInPlace
    self.forms = forms
    id = AddressID(plan)
  }

  /// Returns a copy with older forms.
  func with(_ forms: [MigrationForm]) -> MigrationSource {
    MigrationSource(key: key, plan: plan, isInPlace: isInPlace, forms: forms)
  }
}

/// A form in which the value of an address may be stored: the address, with the policy of an earlier release.
struct MigrationForm: Sendable {
  let key: AnyStorageKey
  let plan: KeyPlan

  var form: StoredForm { StoredForm(key.security, in: key.domain.kind) }
}

/// A source that has a value.
struct FoundSource: Sendable {
  let source: MigrationSource
  /// The stored bytes.
  let bytes: Data
  let value: any Sendable
}

/// A value that is at its destination, and what remains to be done for it.
struct UnfinishedMigration: Sendable {
  /// A source that is removed. If `seen` is set, it is removed only if it still contains these bytes.
  struct Removal: Sendable {
    let source: MigrationSource
    var seen: Data?
    /// A Boolean value that indicates whether the source is removed already. Copies of it may be left in its container.
    var isDone = false

    var plan: KeyPlan { source.plan }
  }

  let candidate: MigrationCandidate
  var removals: [Removal]
  /// The entries that are noted before anything is removed.
  var entries: [MigrationEntry]
  /// Entries of an earlier call that are completed together with it.
  var resumed: [MigrationEntry] = []
  /// A Boolean value that indicates whether the value was encrypted anew at its address.
  var isSecuredInPlace = false
  /// The change that the run has made before its end.
  var change = MigrationEffect()
  /// A Boolean value that indicates whether nothing of the migration remains to be looked at afterwards.
  var isWhole = true
  /// A Boolean value that indicates whether the sources are removed at the next launch of the app.
  var mustWait = false

  /// The line of the history.
  var event: MigrationEvent? { (entries + resumed).lazy.compactMap(\.event).first }
}

/// The changes that a run of a migration made to the value of its key, for the log of calls.
struct MigrationEffect: Sendable {
  /// A Boolean value that indicates whether the run began a change.
  var isBegun = false
  /// A Boolean value that indicates whether the value was stored or secured, or code of the app has run.
  var isMade = false
  /// The error of a custom migration beside a value. The call that needs the value does not throw it.
  var problem: StorageError?

  /// A Boolean value that indicates whether the run is logged.
  var isLogged: Bool { isMade || problem != nil }

  mutating func add(_ other: MigrationEffect) {
    isBegun = isBegun || other.isBegun
    isMade = isMade || other.isMade
    problem = other.problem ?? problem
  }
}

extension KeyPlan {
  /// Returns true if this is a source at the address of a key.
  func isInPlace(of key: KeyPlan) -> Bool { address.isSameItem(as: key.address) }
}

extension MigrationEvent.Source {
  init(_ plan: KeyPlan) { self.init(key: plan.subject.key ?? "", domain: plan.domain) }
}

extension AddressID {
  package init(_ plan: KeyPlan) { self.init(plan.address) }
}
