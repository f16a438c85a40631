#if canImport(SwiftUI)
  public import LocalData
  import LocalDataFoundation
  public import SwiftUI

  /// The records of a query, for a view.
  ///
  /// ```swift
  /// struct HistoryView: View {
  ///   @RecordResults({ $0.sharingHistories.order { $0.createdAt.descending }.limit(50) }) private var histories
  ///
  ///   var body: some View {
  ///     List(histories) { Text($0.rpName) }
  ///   }
  /// }
  /// ```
  ///
  /// The list is empty until the records are read. The view is refreshed then, and after each change that leaves other records. In a
  /// view, the property uses the router of the environment, which the view modifier `storageRouter(_:)` sets, and elsewhere
  /// ``LocalData/StorageRouter/shared``. If the view is created again with another query, the records of the earlier one are
  /// returned until those of the new one are read.
  ///
  /// A property cannot throw. If the records cannot be read now, the property returns the last ones. ``error`` is the reason.
  @propertyWrapper
  public struct RecordResults<Record: StorageRecord>: DynamicProperty {
    private let query: (StorageRouter) -> RecordQuery<Record>
    private let router: StorageRouter?
    private var results = ObservedRecords<Record>()
    @Environment(\.storageRouter) private var environmentRouter
    // In Xcode 27, `@State` is a macro that does not accept a property with a private type.
    private var kept = State(initialValue: KeptRecords<Record>())

    /// Creates a property for the records of a query.
    ///
    /// - Parameters:
    ///   - query: Returns the query of a router. It is called whenever the view is created again.
    ///   - router: The router. If it is `nil`, the property uses the router of the environment in a view, and the shared router
    ///     elsewhere.
    public init(_ query: @escaping (StorageRouter) -> RecordQuery<Record>, router: StorageRouter? = nil) {
      self.query = query
      self.router = router
    }

    /// The records in the order of the query. Empty until they are read.
    public var wrappedValue: [Record] {
      results.begin { query(router ?? .shared) }
      return results.records
    }

    /// The error of the last read; `nil` if it succeeded.
    public var error: StorageError? { results.error }

    /// Takes the router from the environment, and the records that the view's earlier property has read. SwiftUI calls it before a
    /// view's body.
    public mutating func update() {
      let kept = kept.wrappedValue
      if let former = kept.results { results = former } else { kept.results = results }
      results.use(query(router ?? environmentRouter))
    }
  }

  /// The object that a view keeps as long as it is shown.
  private final class KeptRecords<Record: StorageRecord> {
    var results: ObservedRecords<Record>?
  }
#endif
