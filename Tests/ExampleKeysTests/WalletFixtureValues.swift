// Written by local-data from Wallet.yaml. Written once, and yours to edit.

import ExampleKeys
import Foundation
import LocalDataTesting
import struct ExampleKeys.Claim
import struct ExampleKeys.Credential
import enum ExampleKeys.CredentialFormat
import struct ExampleKeys.IDTokenHistory
import struct ExampleKeys.SharingHistory

/// The value of each key and record in every release. Do not change a value after a release was recorded with it. If a
/// new schema cannot keep a value, return another one for the releases before it: `ofRelease` is the release.
nonisolated struct WalletFixtureValues: WalletFixtureSource {
  let ofRelease: String

  var seed: String { "a" }
  var lastBackupAt: String { "a" }
  var isNotFirstLaunch: Bool { true }
  var preferSignedMetadata: Bool { true }
  var useDPoP: Bool { true }
  var useTrustList: Bool { true }
  var useClientAttestation: Bool { true }
  var clientAttestationJWT: String { "a" }
  var dataEncryptionKey: Data { Data([0x01, 0x02, 0x03]) }

  var credential: Credential {
    Credential(
      id: "a", format: CredentialFormat.ldpVC, credential: "a", cNonce: "a", cNonceExpiresIn: -5, iss: "a",
      iat: Date(timeIntervalSince1970: 1_000_000_000), exp: Date(timeIntervalSince1970: 1_000_000_000), type: "a",
      accessToken: "a", credentialIssuerMetadata: "a")
  }
  var sharingHistory: SharingHistory {
    SharingHistory(
      id: Self.id, rp: "a", accountIndex: -5, createdAt: Date(timeIntervalSince1970: 1_000_000_000.5),
      credentialID: "a", claims: [Claim(claimKey: "a", claimValue: "a", purpose: "a")],
      logoURL: URL(string: "https://example.com/"), rpName: "a", privacyPolicyURL: URL(string: "https://example.com/"))
  }
  var idTokenHistory: IDTokenHistory {
    IDTokenHistory(
      id: Self.id, rp: "a", accountIndex: -5, createdAt: Date(timeIntervalSince1970: 1_000_000_000.5))
  }

  private static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))
}
