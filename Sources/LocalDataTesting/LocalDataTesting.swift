@_exported public import LocalData
