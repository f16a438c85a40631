public import LocalData
