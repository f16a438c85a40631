// CryptoKit as swift-crypto implements it: the same interface, on BoringSSL.
@_exported import Crypto
