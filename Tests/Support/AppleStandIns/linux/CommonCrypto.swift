// PBKDF2 of CommonCrypto, computed by swift-crypto. Parameters are refused as Apple's source does
// (apple-oss-distributions/CommonCrypto, CommonKeyDerivation.c).
import Crypto
import CryptoExtras
import Foundation

public let kCCSuccess = 0
public let kCCParamError = -4300
public let kCCPBKDF2 = 2
public let kCCPRFHmacAlgSHA1 = 1
public let kCCPRFHmacAlgSHA256 = 3
public let kCCPRFHmacAlgSHA512 = 5
public typealias CCPBKDFAlgorithm = UInt32
public typealias CCPseudoRandomAlgorithm = UInt32

/// The buffers of the last call, and the answer of the next ones: nil computes.
public enum FakeCommonCrypto {
  nonisolated(unsafe) public static var password: UnsafeRawPointer?
  nonisolated(unsafe) public static var derivedKey: UnsafeRawPointer?
  nonisolated(unsafe) public static var failure: Int32?
}

public func CCKeyDerivationPBKDF(
  _ algorithm: CCPBKDFAlgorithm, _ password: UnsafePointer<CChar>!, _ passwordLen: Int, _ salt: UnsafePointer<UInt8>!,
  _ saltLen: Int, _ prf: CCPseudoRandomAlgorithm, _ rounds: UInt32, _ derivedKey: UnsafeMutablePointer<UInt8>!,
  _ derivedKeyLen: Int
) -> Int32 {
  (FakeCommonCrypto.password, FakeCommonCrypto.derivedKey) = (UnsafeRawPointer(password), UnsafeRawPointer(derivedKey))
  if let failure = FakeCommonCrypto.failure { return failure }
  let functions: [Int: KDF.Insecure.PBKDF2.HashFunction] = [
    kCCPRFHmacAlgSHA1: .insecureSHA1, kCCPRFHmacAlgSHA256: .sha256, kCCPRFHmacAlgSHA512: .sha512,
  ]
  guard algorithm == kCCPBKDF2, let function = functions[Int(prf)], let password, let derivedKey, derivedKeyLen > 0,
    rounds > 0, salt != nil || saltLen == 0
  else { return Int32(kCCParamError) }
  do {
    let key = try KDF.Insecure.PBKDF2.deriveKey(
      from: UnsafeRawBufferPointer(start: password, count: passwordLen),
      salt: salt.map { Data(bytes: $0, count: saltLen) } ?? Data(), using: function, outputByteCount: derivedKeyLen,
      unsafeUncheckedRounds: Int(rounds))
    key.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: derivedKey, count: derivedKeyLen).copyMemory(from: $0) }
    return Int32(kCCSuccess)
  } catch { return Int32(kCCParamError) }
}
