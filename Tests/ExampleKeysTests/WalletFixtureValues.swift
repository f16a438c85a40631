// Written by local-data from Wallet.yaml. Written once, and yours to edit.

import ExampleKeys
import Foundation
import LocalDataTesting

/// The value of each key in every release. Do not change a value after a release was recorded with it. If a new
/// schema cannot keep a value, return another one for the releases before it: `ofRelease` is the release.
nonisolated struct WalletFixtureValues: WalletFixtureSource {
  let ofRelease: String

  var seed: String { "a" }
  var lastBackupAt: Date { Date(timeIntervalSince1970: 1000000000.5) }
  var isNotFirstLaunch: Bool { true }
  var preferSignedMetadata: Bool { true }
  var useDPoP: Bool { true }
  var useTrustList: Bool { true }
  var useClientAttestation: Bool { true }
  var clientAttestationJWT: String { "a" }
  var dataEncryptionKey: Data { Data([0x01, 0x02, 0x03]) }
}
