import LocalData
import LocalDataFoundation

/// The effect of a payload's header on the history, before the entries are applied.
struct SyncConversation: Sendable {
  /// The payload was made for this device, or for any.
  var isAddressed: Bool
  /// The sender gets all values: it has requested them, no payload was received from it before, or an earlier state of it was
  /// restored.
  var isOfferedAll: Bool
  /// Another device was the paired one before.
  var isOfOtherPeer = false
  /// The sender still has the values of the payload. It does not if an earlier state of the device was restored since.
  var isRemembered = true
  var events: [SyncEvent] = []
}

/// The outcome of the entries of a payload.
struct SyncOutcome: Sendable {
  /// An entry could not be stored now, or its counter is too far ahead of the wall clock, which may soon have caught up. The
  /// payload is not acknowledged, so that it is sent again.
  var hasFailures: Bool
  /// An entry was rejected that another version of the app may accept.
  var hasRefusals: Bool
  /// Identifies the set of registered keys.
  var catalogs: UInt64

  init(events: [SyncEvent], catalogs: UInt64) {
    let problems = events.compactMap { event -> SyncEvent.ReceivingProblem? in
      if case .ignored(_, let problem) = event { problem } else { nil }
    }
    hasFailures = problems.contains(where: \.isTemporary)
    hasRefusals = problems.contains(where: \.mayEnd)
    self.catalogs = catalogs
  }
}

extension SyncHistory {
  /// The work that is left after a payload.
  struct End: Sendable {
    var device: UUID
    /// The payload of the sender up to which everything was received.
    var received = SyncPut()
    /// The sender has requested all values, and was not answered yet.
    var isAnswering: Bool
    /// This device requests all values, from now on.
    var isAsking: Bool
    /// The sender has sent everything.
    var isComplete: Bool
  }

  /// Notes the information of a header.
  mutating func begin(_ header: SyncPayload.Header, _ payload: SyncPayload, now: Date) -> SyncConversation {
    let own = device
    let counter = clock.counter
    let hasForgotten = hasForgotten(header)
    let isOfferedAll = hasForgotten || peers[header.sender].map { header.asks > $0.answered } ?? true
    // A version of this device that is not in its own history.
    let isForeign = payload.entries.contains { $0.version.device == own && $0.version.counter > counter }
    let isAhead = header.addressee == own && !puts.acknowledge(header.acknowledged)
    let isRemembered = !hasForgotten || header.clock > peers[header.sender]?.latest ?? 0
    var conversation = SyncConversation(
      isAddressed: isRemembered && (header.addressee == nil || header.addressee == own), isOfferedAll: isOfferedAll,
      isOfOtherPeer: peer != header.sender, isRemembered: isRemembered)
    clock.adopt(header.clock)
    if header.sender == own || isForeign || isAhead {
      renew(now: now)
      conversation.isAddressed = false
      conversation.events = [.deviceRenewed]
    }
    if header.sender != own { meet(header.sender) }
    if header.sender != own, let latest = peers[header.sender]?.latest, latest < header.clock {
      changePeer(header.sender) {
        $0.latest = header.clock
        $0.puts = header.puts
      }
    }
    return conversation
  }

  /// Returns true if one of two payloads of the sender, this one and the latest that arrived before, does not know the one
  /// that was put earlier: an earlier state of the sender was restored in between, or one of them is a clone's.
  private func hasForgotten(_ header: SyncPayload.Header) -> Bool {
    guard header.sender != device, let peer = peers[header.sender] else { return false }
    return header.clock > peer.latest
      ? !header.puts.mayInclude(peer.puts.put(peer.latest)) : !peer.puts.mayInclude(header.put)
  }

  /// Notes the received versions, and the answer that is needed.
  mutating func end(
    _ header: SyncPayload.Header, _ conversation: SyncConversation, _ outcome: SyncOutcome, now: Date
  ) -> End {
    guard header.sender != device, peers[header.sender] != nil else {
      return End(device: device, isAnswering: false, isAsking: false, isComplete: false)
    }
    let isAnswering = header.asks > (peers[header.sender]?.answered ?? 0)
    changePeer(header.sender) { peer in
      peer.answered = max(peer.answered, header.asks)
      let isReceived = conversation.isAddressed && !outcome.hasFailures
      if isReceived, header.clock > peer.received.clock { peer.received = header.put }
    }
    let isComplete = asks > 0 && header.isComplete && header.addressee == device && header.acknowledged.clock >= asks
    if isComplete {
      asks = 0
      changes.isHeadChanged = true
    }
    let isAsking = askAgain(outcome, now: now)
    let received = peers[header.sender]?.received ?? SyncPut()
    return End(
      device: device, received: received, isAnswering: isAnswering, isAsking: isAsking, isComplete: isComplete)
  }

  /// Requests all values again if an entry was rejected with other catalogs than today's. Returns true if it does.
  private mutating func askAgain(_ outcome: SyncOutcome, now: Date) -> Bool {
    let isOutdated = refusedUnder != 0 && refusedUnder != outcome.catalogs
    let refused = outcome.hasRefusals ? outcome.catalogs : isOutdated ? 0 : refusedUnder
    if isOutdated { ask(now: now) }
    if refused != refusedUnder {
      refusedUnder = refused
      changes.isHeadChanged = true
    }
    return isOutdated
  }
}

extension SyncEvent.ReceivingProblem {
  /// A Boolean value that indicates whether this device may accept the entry when it is sent again.
  fileprivate var isTemporary: Bool {
    switch self {
    case .failed, .counterOutOfRange: true
    default: false
    }
  }

  /// A Boolean value that indicates whether another version of the app may accept the rejected entry.
  fileprivate var mayEnd: Bool {
    switch self {
    case .unknownKey, .policyNever, .notAvailable, .notDecrypted, .newerSchema, .olderSchema, .wrongType, .newerValue,
      .tooLarge:
      true
    case .watchRepresentation, .counterOutOfRange, .malformedPayload, .unknownPayloadVersion, .payloadTooLarge, .failed:
      false
    }
  }
}
