// What must not compile for a watch with a 32-bit Int. Only constants: the compiler finds them behind the type checker.
// swift-format-ignore-file
let literal: Int = 5_000_000_000  // expect: integer literal '5000000000' overflows when stored into 'Int'
let unsigned: UInt = 0x1_0000_0000  // expect: overflows when stored into 'UInt'
func product() -> Int { 2_000_000_000 * 4 }  // expect: arithmetic operation '2000000000 * 4' (on type 'Int') results in an overflow
let fits: Int = 2_000_000_000
let wide: Int64 = 5_000_000_000
