import LocalData
import RealAppsFirst
import RealAppsSecond

extension RealApp {
  /// The names of containers in the build that is tested: what an app puts together from its bundle.
  static let containers = [
    "relay": "com.example.beta.purse.relay", "autofill": "com.example.beta.cabinet.autofill",
    "autofillGroup": "TEAM.beta.cabinet.shared", "home": "com.example.beta.rooms.home",
    "complication": "group.com.example.beta.rooms.complication",
    "charts": "com.example.beta.episodes.charts", "profile": "com.example.beta.pages.profile",
    "share": "group.com.example.beta.pages.share",
  ]

  /// The apps.
  static var all: [RealApp] {
    [
      RealApp(
        name: "Purse", first: RealAppsFirst.PurseCatalog.self, second: RealAppsSecond.PurseCatalog.self,
        things: PurseThings.add, laterKeys: { $0.addPurse() }),
      RealApp(
        name: "Cabinet", first: RealAppsFirst.CabinetCatalog.self, second: RealAppsSecond.CabinetCatalog.self,
        things: CabinetThings.add, laterKeys: { $0.addCabinet() }),
      RealApp(
        name: "Rooms", first: RealAppsFirst.RoomsCatalog.self, second: RealAppsSecond.RoomsCatalog.self,
        things: RoomsThings.add, laterKeys: { $0.addRooms() }),
      RealApp(
        name: "Episodes", first: RealAppsFirst.EpisodesCatalog.self, second: RealAppsSecond.EpisodesCatalog.self,
        things: EpisodesThings.add, laterKeys: { $0.addEpisodes() }),
      RealApp(
        name: "Pages", first: RealAppsFirst.PagesCatalog.self, second: RealAppsSecond.PagesCatalog.self,
        things: PagesThings.add, laterKeys: { $0.addPages() }),
    ]
  }
}
