import LocalData
import RealAppsSecond

/// The keys of a home automation app in its second release, in the order of the stored things.
extension LaterKeys {
  mutating func addRooms() {
    add(.usesLargeTiles, .usesDarkMap, .startPanel, .unit, .detail, .columnCount)
    add(.fontScale, .greeting, .roomOrder, .hiddenRooms, .roomColors, .panelOrder)
    add(.lastRoom, .zoomLevel)
    add(.asksBeforeOpening, .vibrates, .refreshSeconds, .fadeSeconds, .idleDim, .favoriteScene)
    add(.scenes, .wakeHours, .holidayMode, .alarmCode, .thresholds, .mutedDevices)
    add(.server, .otherServers, .homeNetworks, .usesCloud, .lastLatency, .retryCount)
    add(.clientName, .protocolVersion, .serverNames, .trustsLocal, .deviceCount, .webhookID)
    add(.sensorRates, .pendingActions)
    add(.homeLaunches, .ratedVersion, .sensorNames, .energyGoal, .homeAddedAt, .floorPlan)
    add(.intentDonated)
    add(.homeToken, .homeRefresh, .cameraPasswords)
    add(.widgetRoom, .widgetScenes, .widgetTemperature)
    add(.homeDeviceName)
    add(.demoHome)
    add(.eventLog, .launchMarker)
    add(.updateChannel, .complicationRoom, .complicationState)
  }
}
