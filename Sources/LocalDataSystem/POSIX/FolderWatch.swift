#if os(Linux)
  import Dispatch
  import LocalDataFoundation
  internal import Glibc

  /// Watches a folder for changes by any process, until it is released.
  ///
  /// Folders that do not exist yet are watched too: then the lowest folder above that exists is watched until the next one is
  /// created in it. The watch itself creates no file.
  package final class FolderWatch: Sendable {
    private let number: Int

    /// Calls `onChange` after a change of a file whose name is wanted, and perhaps more often. It must be quick.
    package init(
      _ path: String, where isWanted: @escaping @Sendable (String) -> Bool, _ onChange: @escaping @Sendable () -> Void
    ) {
      number = FolderWatcher.shared.add(path, isWanted, onChange)
    }

    deinit { FolderWatcher.shared.remove(number) }
  }

  /// The process's one queue of inotify events.
  private final class FolderWatcher: Sendable {
    static let shared = FolderWatcher()

    private struct Entry: Sendable {
      let path: String
      let isWanted: @Sendable (String) -> Bool
      let onChange: @Sendable () -> Void
      /// The watched folder; `nil` if none can be watched.
      var armed: Armed?
    }

    private struct Armed: Hashable, Sendable {
      let watch: Int32
      /// The name that the folder is watched for; `nil` if it is the wanted folder itself.
      let next: String?
    }

    private struct State: Sendable {
      var last = 0
      var entries: [Int: Entry] = [:]
      /// A Boolean value that indicates whether a look at what cannot be watched is due.
      var isLooking = false

      /// Returns true if the caller has to look at what cannot be watched.
      mutating func beginsLooking() -> Bool {
        guard !isLooking, entries.values.contains(where: { $0.armed == nil }) else { return false }
        isLooking = true
        return true
      }
    }

    /// An event, without its pointer.
    private struct Event: Sendable {
      let watch: Int32
      let mask: UInt32
      let name: String
    }

    private let state = Lock(State())
    private let events: Int32
    private let queue = DispatchQueue(label: "LocalData.watch", qos: .utility)
    /// `nil` if the system has no queue. The protocol of sources is not `Sendable`; this one is set up in `init`, and then
    /// only kept.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    private static let inFolder = UInt32(
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF)
    private static let aboveFolder = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
    private static let gone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)
    /// Watches folders only, follows no link, and adds to the events of a watch that exists.
    private static let options = UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW) | UInt32(IN_MASK_ADD)

    private init() {
      events = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      source = events < 0 ? nil : DispatchSource.makeReadSource(fileDescriptor: events, queue: queue)
      source?.setEventHandler { [self] in readEvents() }
      source?.resume()
    }

    func add(
      _ path: String, _ isWanted: @escaping @Sendable (String) -> Bool, _ onChange: @escaping @Sendable () -> Void
    ) -> Int {
      let number = state.withLock { state in
        state.last += 1
        state.entries[state.last] = Entry(path: path, isWanted: isWanted, onChange: onChange, armed: arm(path))
        return state.last
      }
      lookAtUnwatched()
      return number
    }

    func remove(_ number: Int) {
      state.withLock { state in
        guard let armed = state.entries.removeValue(forKey: number)?.armed else { return }
        release(armed, state)
      }
    }

    private func release(_ armed: Armed, _ state: State) {
      if state.entries.values.contains(where: { $0.armed?.watch == armed.watch }) { return }
      _ = inotify_rm_watch(events, armed.watch)
    }

    /// Watches a folder, or the lowest one above it that exists.
    private func arm(_ path: String) -> Armed? {
      guard events >= 0 else { return nil }
      let parts = path.split(separator: "/").map(String.init)
      // A folder may be created while the one above it is looked for: then the search starts again.
      for _ in 0..<16 {
        let whole = inotify_add_watch(events, path, Self.inFolder | Self.options)
        if whole >= 0 { return Armed(watch: whole, next: nil) }
        guard errno == ENOENT else { return nil }
        for count in (0..<parts.count).reversed() {
          let above = "/" + parts[..<count].joined(separator: "/")
          let watch = inotify_add_watch(events, above, Self.aboveFolder | Self.options)
          if watch < 0 {
            if errno == ENOENT { continue }
            return nil
          }
          var status = stat()
          if lstat(above + "/" + parts[count], &status) == 0 { break }
          return Armed(watch: watch, next: parts[count])
        }
      }
      return nil
    }

    // MARK: Events, on the queue

    private func readEvents() {
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      while true {
        let count = read(events, &buffer, buffer.count)
        guard count > 0 else { return }
        buffer.withUnsafeBytes { bytes in
          var position = 0
          while position + MemoryLayout<inotify_event>.size <= count {
            let header = bytes.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
            position += MemoryLayout<inotify_event>.size
            let name = bytes[position..<min(position + Int(header.len), count)].prefix { $0 != 0 }
            position += Int(header.len)
            handle(Event(watch: header.wd, mask: header.mask, name: String(decoding: name, as: UTF8.self)))
          }
        }
      }
    }

    private func handle(_ event: Event) {
      let changed: [@Sendable () -> Void] = state.withLock { state in
        var changed: [@Sendable () -> Void] = []
        for (number, entry) in state.entries {
          guard let armed = entry.armed, Self.concerns(event, entry, armed) else { continue }
          changed.append(entry.onChange)
          guard armed.next != nil || event.mask & (Self.gone | UInt32(IN_Q_OVERFLOW)) != 0 else { continue }
          let new = arm(entry.path)
          state.entries[number]?.armed = new
          if new?.watch != armed.watch { release(armed, state) }
        }
        return changed
      }
      for onChange in changed { onChange() }
      lookAtUnwatched()
    }

    private static func concerns(_ event: Event, _ entry: Entry, _ armed: Armed) -> Bool {
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
      guard event.watch == armed.watch else { return false }
      if event.mask & gone != 0 { return true }
      return armed.next.map { $0 == event.name } ?? entry.isWanted(event.name)
    }

    /// The number of watches is limited by the system: a folder without a watch is checked every second.
    private func lookAtUnwatched() {
      guard state.withLock({ $0.beginsLooking() }) else { return }
      queue.asyncAfter(deadline: .now() + 1) { [self] in
        let changed: [@Sendable () -> Void] = state.withLock { state in
          let unwatched = state.entries.filter { $0.value.armed == nil }
          for (number, entry) in unwatched { state.entries[number]?.armed = arm(entry.path) }
          state.isLooking = false
          return unwatched.values.map(\.onChange)
        }
        for onChange in changed { onChange() }
        lookAtUnwatched()
      }
    }
  }
#endif
