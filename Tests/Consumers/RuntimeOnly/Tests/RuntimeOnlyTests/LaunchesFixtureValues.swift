// Written by local-data from Launches.yaml. It is written once, and yours to edit.

import Foundation
import LocalData
import LocalDataTesting

@testable import RuntimeOnly

/// What each release has stored, and what must be read ever after: once a release is recorded, its values stay.
/// Where a new schema cannot keep one, `ofRelease` tells which release it is read from.
nonisolated struct LaunchesFixtureValues: LaunchesFixtureSource {
  let ofRelease: String

  var launches: Int { -5 }
  var channel: Channel { .beta }
  var token: String { "a" }
  var draft: String { "a" }
}
