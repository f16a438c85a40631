import LocalData

/// The stores of tests change what happens in a call, wherever it runs: all calls run on threads that may wait.
extension ForwardingStore {
  var withoutWaiting: (any ValueStore)? { nil }
}
