/// Functions that make the fields of the wallet's records from those of earlier releases.
public enum WalletUpgrade {
  /// Returns a value that earlier releases stored in plain. Only its encryption is another one.
  public static func unchanged<Value>(_ value: Value) -> Value { value }
}
