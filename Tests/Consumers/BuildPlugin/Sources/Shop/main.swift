import LocalData
import Settings

let router = StorageRouter.inMemory()
try router.registerCatalog(CartCatalog.self)
try router.registerCatalog(ShelfCatalog.self)
try router.registerCatalog(PreferencesCatalog.self)
try await router.set(.cheapest, for: .sorting)
try await router.update(.cartCount) { $0 += 2 }
print("\(try await router.get(.cartCount)) articles, \(try await router.get(.sorting)), \(try await currency(router))")
