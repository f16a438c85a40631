import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// A condition on the rows of a record.
///
/// ```swift
/// router.sharingHistories.where { $0.rp == rp && !($0.createdAt < lastWeek) }
/// ```
///
/// A comparison of nil by order is false, as with optional values in Swift, so its negation is true. A condition has at most
/// 500 comparisons and 30,000 values; a query with more throws `queryTooLarge`.
public struct RecordPredicate<Record: StorageRecord>: Sendable {
  let condition: RecordCondition

  init(_ pieces: [RecordCondition.Piece]) { condition = RecordCondition(pieces) }

  private init(_ condition: RecordCondition) { self.condition = condition }

  /// Returns a condition that is true if both conditions are.
  ///
  /// - Parameters:
  ///   - one: A condition.
  ///   - other: Another condition.
  /// - Returns: The condition.
  public static func && (one: Self, other: Self) -> Self { Self(one.condition.and(other.condition)) }

  /// Returns a condition that is true if one of the conditions is, or both are.
  ///
  /// - Parameters:
  ///   - one: A condition.
  ///   - other: Another condition.
  /// - Returns: The condition.
  public static func || (one: Self, other: Self) -> Self { Self(one.condition.or(other.condition)) }

  /// Returns a condition that is true if another condition is not.
  ///
  /// - Parameter condition: The other condition.
  /// - Returns: The condition.
  public static prefix func ! (condition: Self) -> Self { Self(condition.condition.negated) }
}

/// A condition on the rows of any record. Code that depends on the type of the record would look the type up in each call.
struct RecordCondition: Sendable, Equatable {
  /// A part of the condition in SQL.
  enum Piece: Sendable, Equatable {
    case sql(String)
    case column(Int)
    case value(SQLiteValue)
    /// The blind indexes of a value of the field with a number, in a list.
    case blind(SQLiteValue, number: Int)
  }

  /// The operator that the condition consists of. A condition within another one needs no parentheses if both have the same.
  private enum Operator {
    case none, and, or
  }

  private var pieces: [Piece]
  private var top = Operator.none
  private var comparisons = 1
  private var nesting = 0

  init(_ pieces: [Piece]) { self.pieces = pieces }

  func and(_ other: Self) -> Self { joined(to: other, .and, " AND ") }

  func or(_ other: Self) -> Self { joined(to: other, .or, " OR ") }

  var negated: Self {
    var result = inParentheses
    // NOT would make NULL of NULL.
    result.pieces.append(.sql(" IS NOT TRUE"))
    return result
  }

  private func joined(to other: Self, _ top: Operator, _ sql: String) -> Self {
    var result = part(of: top)
    let other = other.part(of: top)
    result.pieces.append(.sql(sql))
    result.pieces += other.pieces
    result.top = top
    result.comparisons += other.comparisons
    result.nesting = max(result.nesting, other.nesting)
    return result
  }

  private func part(of top: Operator) -> Self { self.top == top || self.top == .none ? self : inParentheses }

  private var inParentheses: Self {
    var result = self
    result.pieces = [.sql("(")] + pieces + [.sql(")")]
    result.top = .none
    result.nesting = nesting + 1
    return result
  }
}

extension RecordCondition {
  /// The positions of the columns that the condition compares.
  var columns: Set<Int> {
    Set(pieces.compactMap { if case .column(let position) = $0 { position } else { nil } })
  }

  /// The largest number of values. SQLite has at most 32,766 parameters, some of which are the query's own.
  static var mostValues: Int { 30_000 }

  /// Returns the condition in SQL, and the values of its parameters.
  ///
  /// - Parameters:
  ///   - name: Returns the name that the column at a position has in the file.
  ///   - blindIndexes: Returns the blind indexes of a value of the field with a number: one for each record key.
  /// - Throws: ``StorageProblem/queryTooLarge`` if SQLite does not take a condition of this size.
  func sql(
    _ name: (Int) -> String, blindIndexes: (SQLiteValue, _ number: Int) throws(StorageProblem) -> [Int64]
  ) throws(StorageProblem) -> (sql: String, values: [SQLiteValue]) {
    guard comparisons <= 500, nesting <= 20 else { throw .queryTooLarge }
    var sql: String = ""
    var values: [SQLiteValue] = []
    for piece in pieces {
      switch piece {
      case .sql(let text): sql += text
      case .column(let position): sql += RecordShape.quoted(name(position))
      case .value(let value):
        sql += "?"
        values.append(value)
      case .blind(let value, let number):
        let indexes = try blindIndexes(value, number)
        sql += indexes.map { _ in "?" }.joined(separator: ", ")
        values += indexes.map { .integer($0) }
      }
    }
    guard values.count <= Self.mostValues else { throw .queryTooLarge }
    return (sql, values)
  }
}

extension RecordCondition: CustomStringConvertible, CustomReflectable {
  var description: String { "RecordCondition(redacted)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension RecordPredicate: CustomStringConvertible, CustomReflectable {
  public var description: String { "RecordPredicate(redacted)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A column that a query is sorted by, and the direction.
public struct RecordOrder<Record: StorageRecord>: Sendable {
  let term: RecordOrderTerm

  init(position: Int, isDescending: Bool) {
    term = RecordOrderTerm(position: position, isDescending: isDescending)
  }
}

/// A term of `ORDER BY`.
struct RecordOrderTerm: Sendable, Equatable {
  let position: Int
  let isDescending: Bool

  /// - Parameter name: Returns the name that the column at a position has in the file.
  func sql(_ name: (Int) -> String) -> String {
    RecordShape.quoted(name(position)) + (isDescending ? " DESC" : "")
  }
}
