internal import Dispatch

extension Array where Element: Sendable {
  /// `transform` of each element, on as many threads as there are processors; in order, and alike in every run.
  package func concurrentMap<Result>(_ transform: @Sendable (Element) -> sending Result) -> [Result] {
    guard count > 1 else { return map { transform($0) } }
    var results = [Result?](repeating: nil, count: count)
    results.withUnsafeMutableBufferPointer { buffer in
      // Each call writes one slot, and all calls have ended before the buffer is read.
      nonisolated(unsafe) let slots = buffer
      DispatchQueue.concurrentPerform(iterations: count) { index in
        slots[index] = transform(self[index])
      }
    }
    return results.compactMap { $0 }
  }
}
