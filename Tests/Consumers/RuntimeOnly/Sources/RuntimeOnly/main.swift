import LocalData

// A key written by hand, beside those of the generated catalog.
extension StorageKey where Value == Int {
  static let visits = StorageKey(
    name: "visits", domain: .userDefaults(), security: .none, default: 0, owner: "AppTeam",
    description: "How often the first screen was seen.")
}

enum VisitsCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(.visits)] }
}

let router = StorageRouter.inMemory()
try router.registerCatalog(LaunchesCatalog.self)
try router.registerCatalog(VisitsCatalog.self)

try await router.set(.beta, for: .channel)
try await router.set("token123", for: .token)
try await router.set("Dear", for: .draft(number: 7))
let channel = try await router.get(.channel)
let draft = try await router.get(.draft(number: 7))
let visits = try await router.update(.visits) { $0 += 1 }
let launches = try await router.update(.launches) { $0 += 1 }

guard channel == .beta, draft == "Dear", visits == 1 else {
  throw StorageError(.notFound, .init(key: nil, domain: nil))
}
print("launches: \(launches)")
