import LocalData
import LocalDataFoundation
import LocalDataSystem

/// The records of a query, now and after each change.
///
/// ```swift
/// for try await histories in recent.values() { show(histories) }
/// ```
///
/// If the records change several times before the next call of `next()`, only the latest records are returned. A change that
/// leaves them equal is left out. A record whose retention ends is missing from the next change on. The sequence ends when its
/// task is cancelled.
///
/// Changes by all routers of this process are seen. Those of other processes are seen on Linux and, in a database of an app group,
/// on Apple's platforms too.
public struct RecordValues<Record: StorageRecord>: AsyncSequence, Sendable {
  /// The records of the query.
  public typealias Element = [Record]

  let query: RecordQuery<Record>

  /// Returns an iterator that starts with the current records.
  public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

  /// An iterator that returns the records after each change.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let query: RecordQuery<Record>
    private var signals: AsyncStream<Void>.Iterator?
    /// The observation. It ends when it is released.
    private var listeners: [any Sendable] = []
    private var last: [Record]?

    fileprivate init(query: RecordQuery<Record>) { self.query = query }

    /// Returns the current records the first time, and then waits for the next change.
    ///
    /// - Throws: A ``StorageError``, as ``RecordQuery/fetchAll()`` does. After an error, the next call waits for the next change.
    @concurrent public mutating func next() async throws -> [Record]? {
      if signals == nil {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // The first signal is there already.
        continuation.yield()
        listeners = try RecordStore.of(Record.Database.self, on: query.router).observe(Record.declaration.name) {
          continuation.yield()
        }
        signals = stream.makeAsyncIterator()
      }
      while await signals?.next() != nil {
        let records = try await query.fetchAll()
        if records != last {
          last = records
          return records
        }
      }
      return nil
    }
  }
}

/// The records of a query in pages.
///
/// ```swift
/// for try await page in router.sharingHistories.pages(of: 500) { export(page) }
/// ```
public struct RecordPages<Record: StorageRecord>: AsyncSequence, Sendable {
  /// The records of a page. It is never empty.
  public typealias Element = [Record]

  let query: RecordQuery<Record>
  let size: Int

  /// Returns an iterator that starts with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(query: query, size: size) }

  /// An iterator that returns one page after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let query: RecordQuery<Record>
    private let size: Int
    /// The number of records that may still be returned.
    private var rest: Int
    private var offset = 0
    private var isOver = false
    /// The key of the last record.
    private var last: RecordLiteral?

    fileprivate init(query: RecordQuery<Record>, size: Int) {
      self.query = query
      self.size = size
      rest = query.selection.limit ?? .max
    }

    /// Returns the next page, or `nil` after the last one.
    ///
    /// - Throws: A ``StorageError``, as ``RecordQuery/fetchAll()`` does.
    @concurrent public mutating func next() async throws -> [Record]? {
      if isOver || rest <= 0 { return nil }
      let limit = Swift.min(size, rest)
      let (page, rows) = try await page(limit)
      rest = rest - page.count
      offset = offset + rows
      last = page.last?.id.recordLiteral
      isOver = page.count < limit
      return page.isEmpty ? nil : page
    }

    private func page(_ limit: Int) async throws(StorageError) -> (records: [Record], rows: Int) {
      var query = query
      query.selection.limit = limit
      if query.selection.orders.isEmpty {
        query.selection.isByKey = true
        query.selection.after = last
      } else {
        query.selection.offset = offset
      }
      return try await query.read { [selection = query.selection] (session) throws(StorageProblem) in
        try session.page(selection)
      }
    }
  }
}

extension RecordValues.Iterator: CustomStringConvertible, CustomReflectable {
  public var description: String { "RecordValues.Iterator(redacted)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RecordPages.Iterator: CustomStringConvertible, CustomReflectable {
  public var description: String { "RecordPages.Iterator(redacted)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
