/// A type of the app that its catalog names. The router encodes it outside of the main actor, to which the target isolates
/// every other type.
nonisolated struct Badge: Codable, Sendable, Hashable {
  var count: Int
}
