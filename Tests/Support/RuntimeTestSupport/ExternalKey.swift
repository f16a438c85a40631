package import Foundation
import LocalData
package import LocalDataFoundation
package import LocalDataVocabulary

/// A key whose bytes the app gives.
package enum ExternalKey {
  package struct Failure: Error {
    package init() {}
  }

  package final class Provider: KeyMaterialProviding {
    package let asked = Lock<[String]>([])
    private let material: Data?

    package init(_ material: Data?) { self.material = material }

    package func keyMaterial(for keyName: String) async throws -> Data {
      asked.withLock { $0.append(keyName) }
      guard let material else { throw Failure() }
      return material
    }
  }

  package static let source = KeyMaterialSource(id: "remote.key")
  package static let passphrase = SecurityPolicy.EncryptionPolicy.external(
    source: source, keyDerivation: .pbkdf2(iterations: 600_000))
  package static let random = SecurityPolicy.EncryptionPolicy.external(source: source)
}
