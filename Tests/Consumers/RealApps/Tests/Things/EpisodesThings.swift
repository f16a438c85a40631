import Foundation
import LocalData
import RealAppsFirst

/// The stored things of a podcast player.
enum EpisodesThings {
  static func add(to things: inout StoredThings) {
    playback(&things)
    lists(&things)
    encodedValues(&things)
    theWidget(&things)
    accounts(&things)
    textsOfJson(&things)
    valuesThatAreNotParsed(&things)
    computedDefaults(&things)
    namesWithParameters(&things)
    dates(&things)
    containersOfTheBuild(&things)
    unmanaged(&things)
  }

  private static func playback(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.speed, preferences["PlaybackSpeed"], 1, 1.75)
    things.add(.volumeBoost, preferences["volume_boost"], true, false)
    things.add(.trimsSilence, preferences["trim_silence"], false, true)
    things.add(.sleepMinutes, preferences["sleepTimerMinutes"], 15, 45)
    things.add(.lastEpisode, preferences["LastPlayedGUID"], "feed-7/ep-101", "feed-9/ep-3")
    things.add(.lastPosition, preferences["last_position"], 812.5, 3.25)
    things.add(.outputRoute, preferences["audioRouteName"], "Speaker", "Kitchen")
    things.add(.playCount, preferences["stat_played"], 1204, 1205)
    things.add(.listenedSeconds, preferences["stat_seconds"], 86400.5, 90000)
    things.add(.installedAt, preferences["FirstLaunchDate"], Sample.firstDate, Sample.wholeDate)
    things.add(.widgetImage, preferences["widget.thumbnail"], Data([1, 2, 3]), Data([255, 0]))
    things.add(
      .deviceID, preferences["InstallationUUID"], Sample.firstID.uuidString, Sample.secondID.uuidString,
      as: Sample.firstID, Sample.secondID)
  }

  private static func lists(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .subscriptions, preferences["subscribedFeeds"], ["https://a.example/feed", "https://b.example/feed"],
      ["https://c.example/feed"])
    things.add(.blockedFeeds, preferences["BlockedFeeds"], [], ["https://d.example/feed"])
    things.add(.folders, preferences["feed_folders"], ["News": ["a", "b"], "Ö": []], ["Later": ["c"]])
    things.add(.unplayed, preferences["UnplayedCounts"], ["feed-7": 3, "feed-9": 0], ["feed-7": 2])
    things.add(.hiddenTabs, preferences["hiddenTabIndexes"], [2], [0, 3])
    things.add(
      .refreshedAt, preferences["LastRefreshByFeed"], ["feed-7": Sample.firstDate], ["feed-7": Sample.wholeDate])
    things.add(.progress, preferences["episode.progress"], ["ep-1": 0.5, "ep-2": 1], ["ep-1": 0.75])
    things.add(.recentSearches, preferences["RecentSearches"], ["science", "a \"quote\""], ["history"])
  }

  private static func encodedValues(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .queue, preferences.json("UpNextQueue"), [Queued(feed: "f", position: 1.5, isPinned: true)], [],
      as: [QueueEntry(feed: "f", position: 1.5, isPinned: true)], [])
    things.add(
      .chapters, preferences.json("MarkedChapters"), ["e": [Marked(title: "Intro", seconds: 0)]],
      ["e": [Marked(title: "End", seconds: 9)]], as: ["e": [Chapter(title: "Intro", seconds: 0)]],
      ["e": [Chapter(title: "End", seconds: 9)]])
    things.add(.equalizer, preferences.json("eq_gains_json"), [0.5, -3, 6], [0, 0, 0])
    things.add(.excludedWords, preferences.json("excludedTitleWords"), ["ad", "promo"], ["rerun"])
    things.add(.ratings, preferences.json("FeedRatings"), ["f": 5], ["f": 4, "g": 1])
    things.add(.autoDelete, preferences.json("autoDeleteFlags"), [true, false], [true])
  }

  private static func theWidget(_ things: inout StoredThings) {
    let group = things.app.preferences("group.com.example.episodes")
    things.add(.nowPlayingTitle, group["nowPlayingTitle"], "Chapter & Verse", "Morning")
    things.add(.nowPlayingProgress, group["nowPlayingProgress"], 0.25, 1)
    things.add(.isWidgetPlaying, group["isPlaying"], true, false)
    things.add(.widgetOrder, group["WidgetSortOrder"], "newest", "longest", as: .newest, .longest)
  }

  private static func accounts(_ things: inout StoredThings) {
    let keychain = things.app.keychain("com.example.episodes")
    let synchronizable = things.app.keychain("com.example.episodes", isSynchronizable: true)
    things.add(.syncToken, synchronizable["syncToken"], "token-1", "token-2")
    things.add(.patronKey, keychain.data("patronKey"), Data([7, 7]), Data([8]))
    things.add(.feedPasswords, keychain.json("feedPasswords"), ["f": "pw"], ["f": "pw2", "g": "p"])
  }

  private static func textsOfJson(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.showsNotes, preferences.text("player.showNotes"), true, false)
    things.add(.badgeCount, preferences.text("badge.count"), 12, 0)
    things.add(.skipButtons, preferences.text("player.skipButtons"), [10, 60], [30], as: [.short, .long], [.medium])
    things.add(.lastQuery, preferences.text("search.last"), "a/b \"c\"", "d")
    things.add(
      .resume, preferences.text("player.resume"), Marked(title: "x", seconds: 1), Marked(title: "y", seconds: 2),
      as: Chapter(title: "x", seconds: 1), Chapter(title: "y", seconds: 2))
  }

  private static func valuesThatAreNotParsed(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .listOrder, preferences["EpisodeSortOrder"], "alphabetical", "oldest", as: .newest, .oldest, rewritten: "newest")
    things.add(.archiveOrder, preferences["ArchiveSortOrder"], "", "newest", as: .oldest, .newest, rewritten: "oldest")
    things.add(.skipForward, preferences["SkipForwardSeconds"], 31, 60, as: .medium, .long, rewritten: 30)
    things.add(.skipBack, preferences["SkipBackSeconds"], 0, 30, as: .short, .medium, rewritten: 10)
    things.add(.wifiQuality, preferences["quality_wifi"], "best", "LOW", as: .high, .low, rewritten: "HIGH")
    things.add(.mobileQuality, preferences["quality_mobile"], "Low", "ORIGINAL", as: .low, .original, rewritten: "LOW")
    things.add(
      .doubleTap, preferences["gesture.double"], "siri", "mark_position", as: .next, .mark, rewritten: "next_track")
    things.add(
      .tripleTap, preferences["gesture.triple"], "none", "next_track", as: .skip, .next, rewritten: "skip_forward")
    things.add(
      .downloadOrder, preferences["DownloadOrder"], "random", "newest", as: .longest, .newest, rewritten: "longest")
    things.add(
      .cleanupOrder, preferences["CleanupOrder"], "biggest", "longest", as: .oldest, .longest, rewritten: "oldest")
  }

  private static func computedDefaults(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.language, preferences["RecommendationLanguage"], "pt-BR", "de")
    things.add(.deviceName, preferences["SyncDeviceName"], "Tablet", "Phone")
  }

  private static func namesWithParameters(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .resumePoint(userID: Sample.firstID), preferences["\(Sample.firstID.uuidString)_resumePoint"], "r1", "r2")
    things.add(.seenVersion(userID: Sample.firstID), preferences["SeenVersion.\(Sample.firstID.uuidString)"], 3, 4)
    things.add(.isMuted(userID: Sample.secondID), preferences["\(Sample.secondID.uuidString).muted"], true, false)
    things.add(.feedVolume(feed: "Feed_7"), preferences["Volume_Feed_7"], 0.5, 0.75)
    things.add(.mailDigest(mail: "Jo.Doe@Example.org"), preferences["digest:Jo.Doe@Example.org"], true, false)
  }

  private static func dates(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .trialEnd, preferences["trial_expires"], Sample.firstDate.timeIntervalSince1970,
      Sample.secondDate.timeIntervalSince1970, as: Sample.firstDate, Sample.secondDate)
    things.add(
      .syncedAt, preferences["lastSyncMs"], Sample.firstDate.timeIntervalSince1970 * 1000,
      Sample.secondDate.timeIntervalSince1970 * 1000, as: Sample.firstDate, Sample.secondDate)
  }

  private static func containersOfTheBuild(_ things: inout StoredThings) {
    let charts = things.app.preferences("com.example.beta.episodes.charts")
    things.add(.chartRegion, charts["chart.region"], "br", "de")
  }

  private static func unmanaged(_ things: inout StoredThings) {
    things.keep("audio", things.app.files(.caches).data("Audio/101.mp3"), Data([0x49, 0x44]))
    things.keep("artwork", things.app.files(.caches).data("Artwork/f.png"), Data([0x89]))
    things.keep("feedStore", things.app.files(.support).texts("Feeds.sqlite", table: "feed"), ["f", "g"])
    things.keep("playerLog", things.app.files(.documents).data("Logs/player.log"), Data("ok".utf8))
  }
}

/// An entry of the queue, as the earlier app encodes it.
private struct Queued: Codable, Equatable {
  var feed: String
  var position: Double
  var isPinned: Bool
}

/// A chapter, as the earlier app encodes it.
private struct Marked: Codable, Equatable {
  var title: String
  var seconds: Int
}
