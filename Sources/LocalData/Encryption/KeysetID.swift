/// Which keys seal a value: the app's own, or an app group's.
package enum KeysetID: Hashable, Sendable {
  case app
  case group(identifier: String)
}
