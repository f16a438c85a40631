package import Foundation
import StorageVocabulary

/// The state of a stored value according to the retention of its key.
package enum RetentionState: Sendable, Hashable {
  case kept
  /// The time of writing is unknown, because a release stored the value while its key had no retention.
  case undated
  /// The envelope is damaged, or a later version has written it. That is reported when the value is opened.
  case unreadable
  case ended
}

/// The time of writing of a value is part of its envelope. Times are in milliseconds since 1970.
extension Retention {
  /// Returns the state of a stored value.
  ///
  /// A value from the future is kept: the clock was set back since it was written.
  ///
  /// - Parameter beginning: The time of the launch or installation that the retention refers to; `nil` if it is unknown.
  func state(of stored: Data, now: Int64, since beginning: Int64?) -> RetentionState {
    let time: Int64?
    do throws(StorageFault) { time = try StoredValue.timeInEnvelope(of: stored) } catch { return .unreadable }
    guard let writtenAt = time else { return .undated }
    switch self {
    case .maxAge(let seconds):
      let (limit, overflows) = Int64(seconds).multipliedReportingOverflow(by: 1_000)
      guard !overflows, now >= writtenAt else { return .kept }
      return now - writtenAt >= limit ? .ended : .kept
    case .untilRelaunch, .untilReinstall:
      guard let beginning else { return .kept }
      return writtenAt < beginning ? .ended : .kept
    }
  }
}

extension Date {
  /// The time as an envelope contains it.
  var inEnvelope: Int64 { EnvelopeMetadata(writtenAt: self).writtenAt }
}

extension StoredValue {
  /// Returns the time at which stored bytes were written, or `nil` if they do not contain it.
  fileprivate static func timeInEnvelope(of stored: Data) throws(StorageFault) -> Int64? {
    guard EnvelopeHeader.begins(stored) else { return nil }
    let time = try EnvelopeHeader.parse(stored).metadata.writtenAt
    return time > 0 ? time : nil
  }

  /// Returns a plain value with a time of writing, or `nil` if it is encrypted.
  fileprivate static func dated(_ stored: Data, _ time: Date) throws(StorageFault) -> Data? {
    guard EnvelopeHeader.begins(stored) else { return wrapPlain(stored, metadata: EnvelopeMetadata(writtenAt: time)) }
    var header = try EnvelopeHeader.parse(stored)
    guard header.seal == nil else { return nil }
    header.metadata.writtenAt = time.inEnvelope
    return header.bytes + stored.dropFirst(EnvelopeHeader.count)
  }
}

extension StoredValues {
  /// Returns the time with which a value is written.
  ///
  /// It is not before the launch or the installation in which it is written, if the key's retention is about that: a clock
  /// that is set back must not make the value look like one of an earlier launch.
  package func timeOfWriting(_ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation) async -> Date {
    let now = clock.now
    guard let beginning = await beginning(plan, now, launch.time) else { return now }
    return max(now, Date(timeIntervalSince1970: Double(beginning) / 1_000))
  }

  /// Returns the time of writing of a value that a migration stores: that of its sources, of several ones the last. A migration
  /// is no write: the retention of the key counts from the time at which the app wrote the value. If one of the sources has no
  /// time, it is the time of a write.
  package func timeOfWriting(
    _ plan: KeyPlan, movedFrom sources: [Data], isolation: isolated (any Actor)? = #isolation
  ) async -> Date {
    let times = sources.compactMap { source -> Int64? in
      // A damaged envelope is not moved.
      do throws(StorageFault) { return try StoredValue.timeInEnvelope(of: source) } catch { return nil }
    }
    guard let last = times.max(), times.count == sources.count else { return await timeOfWriting(plan) }
    return Date(timeIntervalSince1970: Double(last) / 1_000)
  }

  /// Returns the state of a value according to the retention of its key.
  package func state(
    of stored: Data, _ retention: Retention, _ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async -> RetentionState {
    let now = clock.now
    return retention.state(
      of: stored, now: now.inEnvelope, since: await beginning(plan, now, launch.earliest(at: now)))
  }

  /// Stores a value that has no time of writing again with the current time, unless another writer has changed the value.
  ///
  /// A value that is encrypted, synced, or protected by an access control is unchanged until it is written again.
  func date(_ stored: Data, _ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation) async {
    guard plan.sealing == nil, plan.hook == nil, !plan.mayPrompt, !plan.isFoundation else { return }
    let time = await timeOfWriting(plan)
    // The value can be read without it, and the next use tries again.
    do throws(StorageError) {
      // Observers are not notified, because the value stays the same. The caller may be the read of an observer.
      try await perform(plan, .write, changesValue: false) { (store) throws(StorageFault) in
        guard let dated = try StoredValue.dated(stored, time) else { return }
        _ = try store.replace(stored, with: dated, at: plan.address, plan.attributes)
      }
    } catch {}
  }

  /// Returns the time of the launch or installation that a key's retention is about.
  ///
  /// The launch of an extension is no launch of the app, and its files are not those of the app.
  private func beginning(
    _ plan: KeyPlan, _ now: Date, _ launchedAt: Date, isolation: isolated (any Actor)? = #isolation
  ) async -> Int64? {
    guard !services.launch.isExtension else { return nil }
    switch plan.retention {
    case nil, .maxAge: return nil
    case .untilRelaunch: return launchedAt.inEnvelope
    case .untilReinstall:
      guard let installation = services.installation else { return nil }
      // If the time cannot be read now, the value is not removed.
      do throws(StorageFault) {
        return try await services.run { () throws(StorageFault) in
          try installation.beginning(now: now.inEnvelope)
        }
      } catch { return nil }
    }
  }
}

extension KeyPlan {
  /// A Boolean value that indicates whether the system may show a prompt when the value is read.
  package var mayPrompt: Bool {
    #if os(Linux)
      // The keystore has no access controls.
      false
    #else
      attributes.accessControl != nil
    #endif
  }
}
