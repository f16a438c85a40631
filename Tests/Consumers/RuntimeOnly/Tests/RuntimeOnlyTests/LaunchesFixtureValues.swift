// Written by local-data from Launches.yaml. It is written once, and yours to edit.

import Foundation
import LocalData
import LocalDataTesting

@testable import RuntimeOnly

/// The value of each key in every release. Do not change a value after a release was recorded with it. If a new
/// schema cannot keep a value, return another one for the releases before it: `ofRelease` is the release.
nonisolated struct LaunchesFixtureValues: LaunchesFixtureSource {
  let ofRelease: String

  var launches: Int { -5 }
  var channel: Channel { .beta }
  var token: String { "a" }
  var draft: String { "a" }
}
