import CryptoKit
import Foundation
import LocalData
import Security
import LocalDataVocabulary

@_spi(Generated) import LocalDataSigning

private let fake = FakeKeychain.shared
private let enclave = FakeEnclave.shared
private let message = Data("header.payload".utf8)

extension StorageSigningKey {
  private static let accessible = SecurityPolicy.keychain(accessibility: .whenUnlockedThisDeviceOnly)

  fileprivate static var binding: Self {
    Self("binding", .keychain(), accessible, accessControl: .biometryCurrentSet, applicationTag: "bindingKey")
  }
  fileprivate static var strict: Self { Self("strict", .keychain(), accessible, secureEnclave: .required) }
  fileprivate static var software: Self {
    Self("software", .keychain(), accessible, accessControl: .biometryAny, secureEnclave: .never)
  }
}

private enum Pairs: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.signingKey(.binding), .signingKey(.strict), .signingKey(.software)] }
  static var allFamilies: [StorageKeyFamily] {
    [("binding", KeychainAccessControl.biometryCurrentSet), ("software", .biometryAny)].map {
      .privateParts(
        of: $0.0, .keychain(), .keychain(accessibility: .whenUnlockedThisDeviceOnly, accessControl: $0.1))
    }
  }
  static var parts: [StorageCatalogPart] { [.signingKeys([.binding])] }
}

/// A launched app.
private func launch() throws -> StorageRouter {
  let router = StorageRouter(
    configuration: StorageConfiguration(applicationName: "runner", roots: StorageRoots(below: temporaryFolder())))
  try router.registerCatalog(Pairs.self)
  return router
}

private func launchAnew() throws -> StorageRouter {
  fake.reset()
  enclave.reset()
  return try launch()
}

private func expectValid(_ signature: SigningSignature, _ key: Data) throws {
  let key = try P256.Signing.PublicKey(x963Representation: key)
  try expect(
    key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature.raw), for: message), true,
    "signature")
}

/// Counts the prompts of what asks the user never, and of what asks once.
private func expectPrompts(of pair: SigningKey, _ router: StorageRouter) async throws {
  fake.resetPrompts()
  let publicKey = try await pair.publicKey().x963
  try expect(try await pair.exists(), true, "exists")
  _ = try await pair.info()
  try await expectError("alreadyStored", "create") { try await pair.create() }
  try expect(fake.prompts, 0, "prompts without an action")
  try expectValid(try await pair.sign(message), publicKey)
  try expect(fake.prompts, 1, "prompts of a signature")
  _ = try await pair.sign(message)
  try expect(fake.prompts, 2, "prompts of another signature")
  let signatures = try await router.authenticated(reason: "Present the credential") {
    [try await pair.sign(message), try await pair.sign(message)]
  }
  try expect(fake.prompts, 3, "prompts of two signatures of one authentication")
  for signature in signatures { try expectValid(signature, publicKey) }
  fake.answer = .cancels
  try await expectError("userCancelled", "cancelled") { try await pair.sign(message) }
  fake.answer = .fails
  try await expectError("accessDenied", "not recognized") { try await pair.sign(message) }
  fake.answer = .allows
}

/// Checks pairs in the Secure Enclave, in the keychain, and of earlier releases of an app.
func signingKeyChecks(_ checks: Checks) async {
  await checks.check("signing: a pair is in the enclave, asks once for a signature, and never otherwise") {
    let router = try launchAnew()
    let pair = router.signingKey(.binding)
    try await pair.create()
    try expect(try await pair.info().kind, .secureEnclave, "kind")
    try await expectPrompts(of: pair, router)
  }
  await checks.check("signing: a software pair with an access control asks once, and never for its public key") {
    let router = try launchAnew()
    let pair = router.signingKey(.software)
    try await pair.create()
    try expect(try await pair.info().kind, .software, "kind")
    try expect(fake.contents.count, 2, "items")
    try await expectPrompts(of: pair, router)
    try await pair.delete()
    try expect(fake.contents, [], "items")
  }
  await checks.check("signing: a device without an enclave makes a software pair, or says that it has none") {
    let router = try launchAnew()
    enclave.isAvailable = false
    let pair = router.signingKey(.binding)
    try await pair.create()
    try await expectError("secureEnclaveUnavailable", "required") {
      try await router.signingKey(.strict).create()
    }
    // The kind of a pair never changes.
    enclave.isAvailable = true
    try expect(try await pair.info().kind, .software, "kind")
    try expectValid(try await pair.sign(message), try await pair.publicKey().x963)
  }
  await checks.check("signing: an enclave that refuses a pair is an error that names it, and says why") {
    let pair = try launchAnew().signingKey(.binding)
    try await pair.create()
    enclave.device = 2
    try await expectError("invalidated", "another device") { try await pair.sign(message) }
    try expect(try await pair.info().lastUse, .madeOnAnotherDevice, "last use")
    enclave.device = 1
    fake.changeEnrolment()
    try await expectError("invalidated", "another finger") { try await pair.sign(message) }
    try expect(try await pair.info().lastUse, .invalidated, "last use")
    do { _ = try await pair.sign(message) } catch let error as StorageError {
      try expect(error.description.hasPrefix("'binding' in keychain"), true, "subject of \(error)")
    }
    try await pair.delete()
    try await pair.create()
    try expectValid(try await pair.sign(message), try await pair.publicKey().x963)
  }
  for (form, tag) in [("data", Data("bindingKey".utf8)), ("text", "bindingKey")] as [(String, Any)] {
    await checks.check("signing: a key of an earlier release with its tag as \(form) becomes the pair") {
      let router = try launchAnew()
      fake.addKey(tag: "another")
      let first = fake.addKey(tag: tag, [.privateKeyUsage, .biometryCurrentSet])
      fake.addKey(tag: tag)
      let pair = router.signingKey(.binding)
      try expect(try await pair.publicKey().x963, first, "the first one, as the app's own query returns")
      try expect(try await pair.info().kind, .existing, "kind")
      try expect(fake.contents.count, 1, "items")
      try await expectPrompts(of: pair, router)
      // The second one is not taken for the first.
      try expect(try await launch().signingKey(.binding).publicKey().x963, first, "public key")
      try await pair.delete()
      try expect(fake.keyCount, 1, "keys of other tags")
      try expect(try await pair.exists(), false, "exists")
    }
    await checks.check("signing: a key with its tag as \(form) that is gone is an error, and no other key signs") {
      let pair = try launchAnew().signingKey(.binding)
      fake.addKey(tag: tag)
      _ = try await pair.publicKey()
      fake.removeAllKeys()
      fake.addKey(tag: tag)
      try await expectError("invalidated", "signature") { try await pair.sign(message) }
      try expect(try await pair.info().lastUse, .invalidated, "last use")
    }
    await checks.check("signing: sign-out leaves no key with its tag as \(form), adopted or not") {
      for isAdopted in [true, false] {
        let router = try launchAnew()
        fake.addKey(tag: tag)
        fake.addKey(tag: tag)
        if isAdopted { _ = try await router.signingKey(.binding).publicKey() }
        try await router.signingKey(.strict).create()
        try await router.signingKey(.software).create()
        try await router.removeAll(in: Pairs.self)
        try expect(fake.keyCount, 0, "keys")
        try expect(fake.contents, [], "items")
        try expect(try await router.signingKey(.binding).exists(), false, "exists")
      }
    }
  }
  await checks.check("signing: a locked device is no absence") {
    let router = try launchAnew()
    fake.addKey(tag: "bindingKey")
    try await router.signingKey(.strict).create()
    fake.state = .locked
    for pair in [router.signingKey(.binding), router.signingKey(.strict)] {
      for (what, call) in [
        ("create", { try await pair.create() }), ("publicKey", { _ = try await pair.publicKey() }),
        ("sign", { _ = try await pair.sign(message) }),
      ] as [(String, () async throws -> Void)] {
        try await expectError("locked", what) { try await call() }
      }
    }
    fake.state = .unlocked
    try expect(try await router.signingKey(.binding).info().kind, .existing, "kind")
  }
}
