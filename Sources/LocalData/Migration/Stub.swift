import Foundation
extension PlaceID: Comparable { package static func < (a: PlaceID, b: PlaceID) -> Bool { a.text < b.text } }
extension PlaceID { init(_ plan: KeyPlan) { text = "\(plan.isFoundation)\(plan.place)" } }
