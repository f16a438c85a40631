import LocalData
import RealAppsSecond

/// The keys of a podcast player in its second release, in the order of the stored things.
extension LaterKeys {
  mutating func addEpisodes() {
    add(.speed, .volumeBoost, .trimsSilence, .sleepMinutes, .lastEpisode, .lastPosition)
    add(.outputRoute, .playCount, .listenedSeconds, .installedAt, .widgetImage, .deviceID)
    add(.subscriptions, .blockedFeeds, .folders, .unplayed, .hiddenTabs, .refreshedAt)
    add(.progress, .recentSearches)
    add(.queue, .chapters, .equalizer, .excludedWords, .ratings, .autoDelete)
    add(.nowPlayingTitle, .nowPlayingProgress, .isWidgetPlaying, .widgetOrder)
    add(.syncToken, .patronKey, .feedPasswords)
    add(.showsNotes, .badgeCount, .skipButtons, .lastQuery, .resume)
    add(.listOrder, .archiveOrder, .skipForward, .skipBack, .wifiQuality, .mobileQuality)
    add(.doubleTap, .tripleTap, .downloadOrder, .cleanupOrder)
    add(.language, .deviceName)
    add(
      .resumePoint(userID: Sample.firstID), .seenVersion(userID: Sample.firstID), .isMuted(userID: Sample.secondID),
      .feedVolume(feed: "Feed_7"), .mailDigest(mail: "Jo.Doe@Example.org"))
    add(.trialEnd, .syncedAt)
    add(.chartRegion)
  }
}
