#if os(Linux)
  import Foundation

  /// The promises of a run about a disk after a cut, by the number of calls that had begun and returned.
  ///
  /// Texts are in *tracks*. The calls of one process change the texts of a track one after the other, in one place: a disk must have the
  /// texts after one of these calls. It may be any call that has begun, and none before the last one that has returned and
  /// whose change is on the disk then.
  struct CutModel {
    /// A call of one process.
    struct Step: Hashable {
      var writer: Int
      var number: Int
    }

    /// A change of a track. `nil` removes a text.
    struct Change {
      var step: Step
      var texts: [String: String?]
      /// Texts that a disk may have between the change before and this one.
      var between: [[String: String?]] = []
      /// A Boolean value that indicates whether the change is on the disk when the call returns.
      var isDurable = true
      /// A Boolean value that indicates whether the call has nothing to do, and syncs nothing, if a killed process has made the
      /// change.
      var isMadeOnce = false
    }

    /// The calls of a run that had begun and returned at a moment.
    struct Progress {
      private(set) var begun: [Step: Int] = [:]
      private(set) var ended: Set<Step> = []

      /// Applies a mark of the probe.
      mutating func apply(_ mark: String) {
        let words = mark.split(separator: " ")
        guard words.count == 3, let writer = Int(words[1]), let number = Int(words[2]) else { return }
        let step = Step(writer: writer, number: number)
        if words[0] == "begin" { begun[step, default: 0] += 1 } else { ended.insert(step) }
      }

      /// Returns true if the call that makes a change has returned, and has synced it.
      func hasReturned(_ change: Change) -> Bool {
        ended.contains(change.step) && !(change.isMadeOnce && begun[change.step, default: 0] > 1)
      }
    }

    private(set) var tracks: [String: [Change]] = [:]
    private(set) var counters: [String: [Step]] = [:]

    mutating func add(_ change: Change, to track: String) { tracks[track, default: []].append(change) }

    /// Adds a call that makes a number greater by one. Several processes may do so.
    mutating func add(_ step: Step, toCounter name: String) { counters[name, default: []].append(step) }

    /// Returns what is wrong with the texts that were read after a cut.
    func violations(_ found: [String: String], _ progress: Progress) -> [String] {
      tracks.sorted { $0.key < $1.key }.compactMap { violation($1, found, progress).map { "\($0)" } }
        + counters.sorted { $0.key < $1.key }.compactMap { name, steps in
          let least = steps.count(where: progress.ended.contains)
          let most = steps.reduce(0) { $0 + (progress.begun[$1] ?? 0) }
          let number = Int(found[name] ?? "0") ?? -1
          return least...max(least, most) ~= number ? nil : "\(name) is \(number), and not \(least) to \(most)"
        }
    }

    private func violation(_ changes: [Change], _ found: [String: String], _ progress: Progress) -> String? {
      let names = Set(changes.flatMap { $0.texts.keys })
      let texts = found.filter { names.contains($0.key) }
      let first = changes.lastIndex { $0.isDurable && progress.hasReturned($0) }.map { $0 + 1 } ?? 0
      let last = changes.lastIndex { progress.begun[$0.step] != nil }.map { $0 + 1 } ?? 0
      var (state, allowed): ([String: String], [[String: String]]) = ([:], [])
      for (index, change) in changes.prefix(last).enumerated() {
        if index >= first { allowed += [state] + change.between.map { Self.apply($0, to: state) } }
        state = Self.apply(change.texts, to: state)
      }
      allowed.append(state)
      guard !allowed.contains(texts) else { return nil }
      return "found \(texts), and not one of \(allowed)"
    }

    private static func apply(_ texts: [String: String?], to state: [String: String]) -> [String: String] {
      var state = state
      for (name, text) in texts { state[name] = text }
      return state
    }
  }
#endif
