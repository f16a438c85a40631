import Foundation
import LocalData
import RealAppsFirst

/// The stored things of a home automation app.
enum RoomsThings {
  static func add(to things: inout StoredThings) {
    display(&things)
    behavior(&things)
    servers(&things)
    homePreferences(&things)
    theHomeKeychain(&things)
    theHomeWidget(&things)
    aComputedName(&things)
    anArgumentAtTheLaunch(&things)
    filesOfTheHome(&things)
    containersOfTheBuild(&things)
    unmanaged(&things)
  }

  private static func display(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.usesLargeTiles, preferences.text("display.largeTiles"), true, false)
    things.add(.usesDarkMap, preferences.text("display.darkMap"), false, true)
    things.add(.startPanel, preferences.text("display.startPanel"), "rooms", "energyDashboard", as: .rooms, .energy)
    things.add(.unit, preferences.text("display.unit"), "C", "F", as: .celsius, .fahrenheit)
    things.add(.detail, preferences.text("display.detail"), 0, 2, as: .low, .full)
    things.add(.columnCount, preferences.text("display.columns"), 3, 2)
    things.add(.fontScale, preferences.text("display.fontScale"), 1.1, 0.9)
    things.add(.greeting, preferences.text("display.greeting"), "Hello \"you\"\n", "Hej / hi")
    things.add(.roomOrder, preferences.text("display.roomOrder"), ["Kitchen", "Bath"], [])
    things.add(.hiddenRooms, preferences.text("display.hiddenRooms"), ["Cellar", "Attic"], ["Cellar"])
    things.add(.roomColors, preferences.text("display.roomColors"), ["Kitchen": 16711680], [:])
    things.add(
      .panelOrder, preferences.text("display.panels"), ["scenes", "rooms"], ["energyDashboard"], as: [.scenes, .rooms],
      [.energy])
    things.add(.lastRoom, preferences.text("display.lastRoom"), "Küche", "Bad")
    things.add(.zoomLevel, preferences.text("display.zoom"), 0.5, 2)
  }

  private static func behavior(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.asksBeforeOpening, preferences.text("behavior.confirmDoors"), true, false)
    things.add(.vibrates, preferences.text("behavior.haptics"), false, true)
    things.add(.refreshSeconds, preferences.text("behavior.refresh"), 30, 5)
    things.add(.fadeSeconds, preferences.text("behavior.fade"), 2.5, 0)
    things.add(.idleDim, preferences.text("behavior.idleDim"), 0.25, 0.75)
    things.add(
      .favoriteScene, preferences.text("behavior.favorite"), Setting(name: "Evening", lights: ["a": 0.5]),
      Setting(name: "Off", lights: [:]), as: Scene(name: "Evening", lights: ["a": 0.5]), Scene(name: "Off", lights: [:])
    )
    things.add(
      .scenes, preferences.text("behavior.scenes"), [Setting(name: "Day", lights: ["b": 1])], [],
      as: [Scene(name: "Day", lights: ["b": 1])], [])
    things.add(.wakeHours, preferences.text("behavior.wakeHours"), [6, 7], [9])
    things.add(.holidayMode, preferences.text("behavior.holiday"), true, false)
    things.add(.alarmCode, preferences.text("behavior.alarmCode"), "1234", "0000")
    things.add(.thresholds, preferences.text("behavior.thresholds"), ["co2": 1000.5], ["co2": 800, "noise": 60])
    things.add(.mutedDevices, preferences.text("behavior.muted"), ["d1"], ["d1", "d2"])
  }

  private static func servers(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .server, preferences.text("connection.server"), Host(host: "home.local", port: 8123, isSecure: false),
      Host(host: "h", port: 443, isSecure: true), as: Server(host: "home.local", port: 8123, isSecure: false),
      Server(host: "h", port: 443, isSecure: true))
    things.add(
      .otherServers, preferences.text("connection.others"), [Host(host: "x", port: 1, isSecure: true)], [],
      as: [Server(host: "x", port: 1, isSecure: true)], [])
    things.add(.homeNetworks, preferences.text("connection.networks"), ["Home 5G"], ["Home", "Guest"])
    things.add(.usesCloud, preferences.text("connection.cloud"), false, true)
    things.add(.lastLatency, preferences.text("connection.latency"), 12.5, 80)
    things.add(.retryCount, preferences.text("connection.retries"), 0, 7)
    things.add(.clientName, preferences.text("connection.client"), "Hall tablet", "Phone")
    things.add(.protocolVersion, preferences.text("connection.version"), 4, 5)
    things.add(.serverNames, preferences.text("connection.names"), ["a": "b"], ["a": "c", "d": "e"])
    things.add(.trustsLocal, preferences.text("connection.trust"), true, false)
    things.add(.deviceCount, preferences.text("connection.devices"), 41, 0)
    things.add(
      .webhookID, preferences.text("connection.webhook"), Sample.firstID, Sample.secondID, as: Sample.firstID,
      Sample.secondID)
    things.add(.sensorRates, preferences.text("connection.sensors"), ["steps": 60], [:])
    things.add(.pendingActions, preferences.text("connection.pending"), [["on", "a"], []], [])
  }

  private static func homePreferences(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.homeLaunches, preferences["HomeLaunchCount"], 7, 8)
    things.add(.ratedVersion, preferences["RatedVersion"], "2.1", "2.2")
    things.add(.sensorNames, preferences["SensorNames"], ["t1": "Balcony"], [:])
    things.add(.energyGoal, preferences["DailyEnergyGoal"], 8.5, 9)
    things.add(.homeAddedAt, preferences["HomeAddedDate"], Sample.firstDate, Sample.wholeDate)
    things.add(.floorPlan, preferences["FloorPlanDrawing"], Data([1, 0, 1]), Data([2]))
    things.add(.intentDonated, preferences["didDonateIntents"], true, false)
  }

  private static func theHomeKeychain(_ things: inout StoredThings) {
    let keychain = things.app.keychain("com.example.rooms")
    things.add(.homeToken, keychain["accessToken"], "h1", "h2")
    things.add(.homeRefresh, keychain["refreshToken"], "r1", "r2")
    things.add(.cameraPasswords, keychain.json("cameras"), ["c": "p"], [:])
  }

  private static func theHomeWidget(_ things: inout StoredThings) {
    let group = things.app.preferences("group.com.example.rooms")
    things.add(.widgetRoom, group["widgetRoom"], "Hall", "Bath")
    things.add(.widgetScenes, group["widgetScenes"], ["Day"], ["Night", "Off"])
    things.add(.widgetTemperature, group["widgetTemperature"], 21.5, -3)
  }

  private static func aComputedName(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.homeDeviceName, preferences["HomeDeviceName"], "Wall", "Desk")
  }

  private static func anArgumentAtTheLaunch(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.demoHome, preferences["DemoHome"], true, false)
  }

  private static func filesOfTheHome(_ things: inout StoredThings) {
    let group = things.app.files(.group("group.com.example.rooms"))
    let files = things.app.files(.library)
    things.add(.eventLog, group.json("Logs/Events.json"), ["on"], ["on", "off"])
    things.add(.launchMarker, files.data("Boot.marker"), Data([1]), Data([2]))
  }

  private static func containersOfTheBuild(_ things: inout StoredThings) {
    let home = things.app.preferences("com.example.beta.rooms.home")
    things.add(.updateChannel, home["UpdateChannel"], "beta", "nightly")
    let complication = "group.com.example.beta.rooms.complication"
    things.add(.complicationRoom, things.app.preferences(complication)["complicationRoom"], "Kitchen", "Attic")
    things.add(
      .complicationState, things.app.files(.group(complication)).json("State.json"), ["light": 0.5], ["light": 1])
  }

  private static func unmanaged(_ things: inout StoredThings) {
    things.keep(
      "sensorStore", things.app.files(.group("group.com.example.rooms")).texts("Sensors.sqlite", table: "reading"),
      ["21.5", "22"])
    things.keep("cameraPictures", things.app.files(.caches).data("Cameras/door.jpg"), Data([0xFF, 0xD8]))
  }
}

/// A scene, as the earlier app encodes it.
private struct Setting: Codable, Equatable {
  var name: String
  var lights: [String: Double]
}

/// A server, as the earlier app encodes it.
private struct Host: Codable, Equatable {
  var host: String
  var port: Int
  var isSecure: Bool
}
