package import LocalDataFoundation
import LocalDataStores

/// The time at which a stored value was written, in milliseconds since 1970.
package enum WritingTime: Sendable, Hashable {
  case inEnvelope(Int64)
  /// The value contains no time, because a release stored it while its key had no retention. The time is that of the store;
  /// `nil` if the store has none.
  case ofStore(Int64?)
  /// The envelope is damaged, or a later version has written it. That is reported when the value is opened. Or the time of the
  /// store cannot be read now.
  case unreadable

  /// The time, or `nil` if it is not known.
  package var known: Int64? {
    switch self {
    case .inEnvelope(let time): time
    case .ofStore(let time): time
    case .unreadable: nil
    }
  }
}

extension PlainEnvelope {
  /// Returns the time of writing that stored bytes contain.
  package static func writingTime(in stored: Data) -> WritingTime {
    guard EnvelopeHeader.begins(stored) else { return .ofStore(nil) }
    do throws(StorageProblem) {
      let time = try EnvelopeHeader.parse(stored).metadata.writtenAt
      return time > 0 ? .inEnvelope(time) : .ofStore(nil)
    } catch { return .unreadable }
  }

  /// Returns a plain value with a time of writing, or `nil` if it is encrypted.
  fileprivate static func dated(_ stored: Data, _ time: Date) throws(StorageProblem) -> Data? {
    guard EnvelopeHeader.begins(stored) else { return wrapPlain(stored, metadata: EnvelopeMetadata(writtenAt: time)) }
    var header = try EnvelopeHeader.parse(stored)
    guard header.seal == nil else { return nil }
    header.metadata.writtenAt = time.inEnvelope
    return header.bytes + stored.dropFirst(EnvelopeHeader.count)
  }
}

extension ValueAccess {
  /// Returns the time with which a value is written.
  ///
  /// It is not before the launch or the installation in which it is written, if the key's retention is about that: a clock
  /// that is set back must not make the value look like one of an earlier launch.
  package func timeOfWriting(_ plan: KeyPlan) async -> Date {
    let now = clock.now
    guard let beginning = await beginning(plan, now, launch.time) else { return now }
    return max(now, Date(timeIntervalSince1970: Double(beginning) / 1_000))
  }

  /// Returns the time of writing of a value that a migration stores: that of its sources, of several ones the last. A migration
  /// is no write: the retention of the key counts from the time at which the app wrote the value. If one of the sources has no
  /// known time, it is the time of a write, and not before the times that are known.
  func timeOfWriting(_ plan: KeyPlan, movedFrom sources: [(stored: Data, plan: KeyPlan)]) async -> Date {
    var times: [Int64] = []
    for source in sources {
      if let time = await writingTime(of: source.stored, source.plan).known { times.append(time) }
    }
    let last = Date(timeIntervalSince1970: Double(times.max() ?? 0) / 1_000)
    if !times.isEmpty, times.count == sources.count { return last }
    return max(last, await timeOfWriting(plan))
  }

  /// Returns the time of writing of the bytes that are stored at a key's address.
  ///
  /// A time of the store in the future is a time too: the clock is behind, or it was ahead. The value begins to age at that time.
  package func writingTime(of stored: Data, _ plan: KeyPlan) async -> WritingTime {
    let time = PlainEnvelope.writingTime(in: stored)
    guard case .ofStore = time else { return time }
    do throws(StorageError) {
      let found = try await modification(plan)?.inEnvelope ?? 0
      return .ofStore(found > 0 ? found : nil)
    } catch { return .unreadable }
  }

  /// Returns the time at which a key's store says that the stored bytes were written, or `nil` if the store has no time.
  package func modification(_ plan: KeyPlan) async throws(StorageError) -> Date? {
    try await perform(plan) { (store) throws(StorageProblem) in try store.modification(of: plan.address) }
  }

  /// Returns true if the retention of a key has ended for a value.
  ///
  /// A value with a time in the future is kept: the clock was set back since it was written. A value without a known time is
  /// kept too.
  package func hasEnded(_ writtenAt: Int64?, _ plan: KeyPlan) async -> Bool {
    guard let writtenAt, let retention = plan.retention else { return false }
    let now = clock.now
    switch retention {
    case .maxAge(let seconds):
      let (limit, overflows) = Int64(seconds).multipliedReportingOverflow(by: 1_000)
      return !overflows && now.inEnvelope >= writtenAt && now.inEnvelope - writtenAt >= limit
    case .untilRelaunch, .untilReinstall:
      guard let beginning = await beginning(plan, now, launch.earliest(at: now)) else { return false }
      return writtenAt < beginning
    }
  }

  /// Stores a value that contains no time of writing again with the time of its store, or else with the current time, unless
  /// another writer has changed the value. If the clock is behind, the value begins to age later.
  ///
  /// A value that is encrypted, synced, or protected by an access control is unchanged until it is written again.
  func date(_ stored: Data, _ known: Int64?, _ plan: KeyPlan) async {
    guard plan.sealing == nil, plan.hook == nil, !plan.mayPrompt else { return }
    // The value can be read without it, and the next use tries again.
    do throws(StorageError) {
      if known == nil, try await clock.now < max(launch.time, services.ledger(of: plan).latest) { return }
      let time =
        if let known { Date(timeIntervalSince1970: Double(known) / 1_000) } else { await timeOfWriting(plan) }
      // Observers are not notified, because the value stays the same. The caller may be the read of an observer.
      try await write(plan, changesValue: false) { (value) throws(StorageProblem) in
        guard let dated = try PlainEnvelope.dated(stored, time) else { return }
        _ = try value.replace(stored, with: dated)
      }
    } catch {}
  }

  /// Returns the time of the launch or installation that a key's retention is about.
  ///
  /// The launch of an extension is no launch of the app, and its files are not those of the app.
  private func beginning(_ plan: KeyPlan, _ now: Date, _ launchedAt: Date) async -> Int64? {
    guard !services.launch.isExtension else { return nil }
    switch plan.retention {
    case nil, .maxAge: return nil
    case .untilRelaunch: return launchedAt.inEnvelope
    case .untilReinstall:
      guard let installation = services.installation else { return nil }
      // If the time cannot be read now, the value is not removed.
      do throws(StorageProblem) {
        return try await services.run { () throws(StorageProblem) in
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
