@_exported public import StorageStores
