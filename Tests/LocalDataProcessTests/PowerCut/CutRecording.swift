#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import TestSupport

  /// A run that was recorded.
  struct CutRecording {
    let run: CutRun
    let trace: CutTrace
    /// The inode of the folder that everything is in.
    let root: CutTrace.Node
    /// The files that the run has left.
    let left: CutState

    /// The recorded run of each kind in which every sync is needed.
    static let whole = Dictionary(
      uniqueKeysWithValues: CutRun.Kind.alone.map { kind in (kind, Result { try CutRecording(.whole(kind)) }) })

    struct Failed: Error {
      var ends: [ChildProcess.End]
    }

    /// Runs the processes of a run together. If the first one is killed, another one goes on.
    ///
    /// A process that ends while one of its threads records a change leaves a part of the entry. Then the run is repeated.
    init(_ run: CutRun) throws {
      for _ in 0..<3 {
        do {
          self = try CutRecording(once: run)
          return
        } catch is CutTrace.Damaged {}
      }
      self = try CutRecording(once: run)
    }

    private init(once run: CutRun) throws {
      self.run = run
      let scratch = try ScratchFolder(isInMemory: true)
      let (folder, path) = (scratch.url.path + "/store", scratch.url.path + "/trace")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let library = try PreloadedLibrary.powercut.path
      func start(_ writer: Int, from first: Int = 0, killAt end: Int = 0) throws -> ChildProcess {
        let environment = [
          "LD_PRELOAD": library, "POWERCUT_ROOT": folder, "POWERCUT_TRACE": path, "POWERCUT_KILL": String(end),
        ]
        let words =
          ["calls", folder, "\(writer)", "\(first)"] + run.calls[writer] + (run.isAbandoned ? ["--abandon"] : [])
        return try ChildProcess(ChildProcess.probe, words, environment: environment)
      }
      var ends = try run.calls.indices.map { try start($0, killAt: $0 == 0 ? run.end ?? 0 : 0) }.map { $0.wait() }
      var trace = try CutTrace(Data(contentsOf: URL(fileURLWithPath: path)))
      if ends[0].code == nil, trace.ended(0) < run.calls[0].count {
        ends[0] = try start(0, from: trace.ended(0)).wait()
        trace = try CutTrace(Data(contentsOf: URL(fileURLWithPath: path)))
      }
      let isWhole = run.calls.indices.allSatisfy { trace.ended($0) == run.calls[$0].count }
      guard isWhole, ends.allSatisfy({ $0.code == 0 || $0.code == nil }) else { throw Failed(ends: ends) }
      var status = stat()
      guard lstat(folder, &status) == 0 else { throw Failed(ends: ends) }
      self.trace = trace
      root = UInt64(status.st_ino)
      left = try CutState(ofFolder: folder)
    }
  }

  extension CutRecording {
    /// Returns the numbers of the syncs that `isWanted` returns true for.
    ///
    /// - Parameter isWanted: Gets the path of the file or folder, and the changes that the sync puts on the disk.
    func syncs(_ isWanted: (_ path: String, _ changes: [String]) -> Bool) throws -> Set<Int> {
      let disk = CutDisk(root: root)
      var found: Set<Int> = []
      for (number, entry) in trace.entries.enumerated() {
        if case .sync(let node) = entry, let synced = disk.known(node) {
          if isWanted(disk.path(of: synced) ?? "", synced.pending.map(\.description)) { found.insert(number) }
        }
        try disk.apply(entry)
      }
      return found
    }
  }

  extension CutTrace {
    /// The number of changes and syncs before an entry.
    func changes(before entry: Int) -> Int {
      entries[..<entry].count { if case .mark = $0 { false } else { true } }
    }

    /// The number of calls of a process that have returned.
    fileprivate func ended(_ writer: Int) -> Int {
      entries.count {
        if case .mark(let text) = $0 { text.hasPrefix("end \(writer) ") } else { false }
      }
    }
  }
#endif
