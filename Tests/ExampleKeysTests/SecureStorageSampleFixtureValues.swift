// Written by local-data from SecureStorageSample.yaml. Written once, and yours to edit.

import ExampleKeys
import ExampleModels
import Foundation
import LocalDataTesting

/// The value of each key in every release. Do not change a value after a release was recorded with it. If a new
/// schema cannot keep a value, return another one for the releases before it: `ofRelease` is the release.
nonisolated struct SecureStorageSampleFixtureValues: SecureStorageSampleFixtureSource {
  let ofRelease: String

  var theme: Theme { .dark }
  var launchCount: Int { -5 }
  var searchHistory: [String] { ["a"] }
  var widgetCity: String { "a" }
  var pinnedCities: [String] { ["Kyoto"] }
  var trialEnd: Date { Date(timeIntervalSince1970: 1_800_000_000) }
  var badgeLevel: BadgeLevel { .gold }
  var userToken: String { "a" }
  var refreshToken: String { "a" }
  var signingKey: Data { Data([0x01, 0x02, 0x03]) }
  var pairingSecret: Data { Data([0x01, 0x02, 0x03]) }
  var recoveryCode: String { "a" }
  var vaultPin: String { "a" }
  var pushToken: String { "a" }
  var deviceIdentifier: UUID {
    UUID(uuid: (0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x47, 0x08, 0x89, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10))
  }
  var sharedSession: String { "a" }
  var profile: ExampleModels.Profile { Profile(name: "Ada", emails: ["ada@example.com"], birthYear: 1985) }
  var healthJournal: [ExampleModels.Note] { [Note(title: "Monday", lines: ["Slept well.", ""])] }
  var paymentCards: [String: String] { ["a": "a"] }
  var addresses: [Address] { [Address(street: "a", city: "a", zip: "a", lines: ["a"], country: "a", note: "a")] }
  var syncState: SyncState { SyncState(cursor: "a", pending: -5, progress: [.dark: 0.25]) }
  var lastReport: Data { Data([0x01, 0x02, 0x03]) }
  var exchangeRate: Decimal { Decimal(string: "12.75") ?? 0 }
  var stickyNote: ExampleModels.Note { Note(title: "Milk ✓", lines: ["two", "", "three"]) }
  var draft: String { "a" }
}
