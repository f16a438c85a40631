@_exported public import LocalDataStores
