package import LocalData

/// The stores of tests change what happens in a call, wherever it runs: all calls run on threads that may wait.
extension ForwardingStore {
  package var withoutWaiting: (any ValueStore)? { nil }
}
