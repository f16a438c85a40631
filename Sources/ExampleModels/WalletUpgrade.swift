/// Functions that make the fields of the wallet's records from those of earlier releases.
public enum WalletUpgrade {
  /// Returns a value that earlier releases stored under another number. Only its encryption or its reference is another one.
  public static func unchanged<Value>(_ value: Value) -> Value { value }
}
