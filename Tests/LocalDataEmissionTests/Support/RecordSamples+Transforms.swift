import LocalDataModel
import LocalDataVocabulary

/// Two releases of one record. The second makes its fields from those of the first.
extension RecordSamples {
  static let transforms: [ResolvedCatalog] = {
    var before = Samples.catalog("TripsBefore", types: tripTypes)
    before.databases = [database("oldTrips", name: "trips")]
    before.records = [
      record(
        "OldTrip", storedName: "Trip", member: "oldTrips", database: "oldTrips",
        [
          field("id", 1, .scalar(.string)), field("texts", 2, .list(.scalar(.string))),
          field("sizes", 3, .optional(.set(.scalar(.int)))), field("kind", 4, .declared("TripKind")),
          field("stops", 5, .list(.declared("TripStop"))), encrypted("at", 6, .scalar(.date)) { $0.isInSeconds = true },
          encrypted("secret", 7, .scalar(.string)),
          encrypted("codes", 8, .map(key: .scalar(.string), value: .scalar(.int))),
          encrypted("place", 9, .optional(.declared("TripStop"))), field("note", 10, .optional(.scalar(.double))),
        ])
    ]
    var after = Samples.catalog("TripsAfter")
    after.databases = [database("newTrips", name: "trips")]
    after.records = [
      record(
        "NewTrip", storedName: "Trip", member: "newTrips", database: "newTrips", newFields,
        change: { $0.reserved = [.init(numbers: Array(2...10) + [18], names: [], deletesValues: true)] })
    ]
    return [before, after]
  }()

  private static let newFields = [
    field("id", 1, .scalar(.string)),
    field("summary", 20, .optional(.scalar(.string))) {
      $0.transforms = [
        make(
          "Trips.summary", (2, .list(.scalar(.string))), (3, .optional(.set(.scalar(.int)))), (4, .declared("TripKind"))
        )
      ]
    },
    encrypted("stops", 21, .list(.declared("TripStop"))) {
      $0.transforms = [make("Trips.reversed", (5, .list(.declared("TripStop"))))]
    },
    field("at", 22, .scalar(.date)) {
      $0.transforms = [make("Trips.next", (6, .scalar(.date)), isEncrypted: true)]
      $0.transforms[0].sources[0].isInSeconds = true
    },
    encrypted("secret", 23, .scalar(.string), .blind) {
      $0.transforms = [
        make(
          "Trips.secret", (7, .scalar(.string)), (8, .map(key: .scalar(.string), value: .scalar(.int))),
          (9, .optional(.declared("TripStop"))), isEncrypted: true)
      ]
    },
    field("sizes", 24, .set(.scalar(.int))) {
      $0.transforms = [
        make("Set<Int>.init", (18, .list(.scalar(.int)))), make("Trips.sizes", (3, .optional(.set(.scalar(.int))))),
      ]
    },
    field("note", 25, .scalar(.double)) { $0.transforms = [make("Trips.note", (10, .optional(.scalar(.double))))] },
    field("kinds", 26, .optional(.list(.declared("TripKind")))) {
      $0.transforms = [make("Trips.kinds", (4, .declared("TripKind")))]
    },
  ]

  private static let tripTypes = {
    var types = keptTripTypes
    types[0].reserved = [
      .init(numbers: [2], names: ["city"], deletesValues: true), .init(numbers: [3], names: [], deletesValues: false),
    ]
    return types
  }()

  private static let keptTripTypes = [
    ResolvedType(
      name: "TripStop", description: "A stop.", line: 2,
      form: .structure([
        .init(name: "name", type: .scalar(.string), defaultValue: nil, description: nil, number: 1)
      ])),
    ResolvedType(
      name: "TripKind", description: "A way to travel.", line: 4,
      form: .stringEnum([
        .init(name: "walk", raw: "w", description: nil), .init(name: "ride", raw: "r", description: nil),
      ])),
  ]

  private static func encrypted(
    _ name: String, _ number: Int, _ type: ValueType, _ encryption: ResolvedRecord.Encryption = .sealed,
    change: (inout ResolvedRecord.Field) -> Void = { _ in }
  ) -> ResolvedRecord.Field {
    field(name, number, type) {
      $0.encryption = encryption
      change(&$0)
    }
  }

  private static func make(
    _ function: String, _ sources: (Int, ValueType)..., isEncrypted: Bool = false
  ) -> ResolvedRecord.Transform {
    .init(
      sources: sources.map { .init(number: $0.0, type: $0.1, isEncrypted: isEncrypted, isInSeconds: false) },
      function: SwiftName(function))
  }
}
