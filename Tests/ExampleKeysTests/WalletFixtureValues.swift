// Written by local-data from Wallet.yaml. Written once, and yours to edit.

import ExampleKeys
import Foundation
import LocalDataTesting

/// What each release has stored, and what must be read ever after: once a release is recorded, its values
/// stay. Where a new schema cannot keep one, `ofRelease` tells which release it is read from.
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
