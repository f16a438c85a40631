import LocalData

let router = StorageRouter.inMemory()
try router.registerCatalog(LaunchesCatalog.self)
print("launches:", try await router.update(.launches) { $0 += 1 })
