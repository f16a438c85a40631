import LocalDataSyntax
import LocalDataEmission
import LocalDataFiles

extension OutputFolder {
  /// Returns what `apply` would change as a unified diff, empty if there is nothing to change.
  func difference(_ plan: OutputPlan) throws -> [UInt8] {
    var output: [UInt8] = []
    func add(_ path: String, _ new: [UInt8]?) throws {
      output += UnifiedDiff.write(old: try read(path)?.withLineFeeds, new: new, path: file(path))
    }
    for changed in plan.written { try add(changed.path, changed.bytes) }
    for path in plan.removed { try add(path, nil) }
    if plan.isManifestChanged, let manifestPath { try add(manifestPath, plan.newManifest.bytes) }
    return output
  }
}
