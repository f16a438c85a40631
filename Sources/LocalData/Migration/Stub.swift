import Foundation
extension PlaceID { init(_ plan: KeyPlan) { text = "\(plan.isFoundation)\(plan.place)" } }
extension ValueStore {
  func makeDurable(_ container: StorageContainer) throws(StorageFault) {}
  func purge(_ container: StorageContainer) throws(StorageFault) {}
  var removesAtNextLaunch: Bool { false }
}
