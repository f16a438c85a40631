# The self-test: breaks copies on purpose, runs the check on them, and expects it to fail for the right reason.
#
# The cases compile one small target for iOS, with the modules that the check has compiled before. The last one links
# the runner of iOS with a package in which a fix is undone.

# A folder with the smallest package that the check accepts.
small_package() {
  local to=$1
  rm -rf "$to"; mkdir -p "$to/Sources" "$to/teeth"
  cp -r "$project/Sources/StorageVocabulary" "$to/Sources/"
  cp "$TEETH/ios.swift" "$to/teeth/"
  echo 'let package = Package(targets: [.target(name: "StorageVocabulary")])' >"$to/Package.swift"
  echo 'StorageVocabulary Sources/StorageVocabulary ios' >"$to/targets"
}

# expects NAME STATUS TEXT FUNCTION: the check ends with a status and prints a text for a package that a function changed.
expects() {
  local name=$1 wanted=$2 text=$3 change=$4 folder="$BUILD/self-test/${1// /-}" output status=0
  small_package "$folder"
  "$change" "$folder"
  local sdk="$SDK"; [ ! -d "$folder/sdk" ] || sdk="$folder/sdk"
  output="$(KIT_WORK="$folder/work" KIT_SDK="$sdk" KIT_TEETH="$folder/teeth" KIT_TARGETS="$folder/targets" \
    PLATFORMS=ios SYSTEMS="" "$KIT/check" "$folder" 2>&1)" || status=$?
  if [ "$status" != "$wanted" ] || ! grep -qF -- "$text" <<<"$output"; then
    echo "self-test, $name: expected status $wanted and '$text', got status $status and: $output"
    missed=$((missed + 1))
  fi
}

nothing() { :; }
newer_call() { echo 'func newer() { _ = String(validating: [UInt8](), as: UTF8.self) }' >"$1/Sources/StorageVocabulary/Newer.swift"; }
newer_metadata() {
  echo 'struct Failure: Error {}; let steps: [@Sendable () throws(Failure) -> Void] = []' >"$1/Sources/StorageVocabulary/Newer.swift"
}
warning() { echo 'func warning() { let value = 1 }' >"$1/Sources/StorageVocabulary/Warning.swift"; }
no_sources() { rm -r "$1/Sources/StorageVocabulary"; }
no_platform() { sed -i 's/ ios$/ macos/' "$1/targets"; }
unlisted() { echo 'let more = [.target(name: "Forgotten")]' >>"$1/Package.swift"; }
harmless_line() { echo 'let harmless = 1  // expect: an error' >>"$1/teeth/ios.swift"; }
no_teeth() { echo 'let harmless = 1' >"$1/teeth/ios.swift"; }
empty_sdk() { cp -r "$SDK" "$1/sdk"; : >"$1/sdk/overlays/Foundation.swift"; }

# Links the runner with a package that leaves the access group out of its keychain queries.
undone_fix() {
  local from="$BUILD/linux-ios" to="$BUILD/self-test/undone-fix"
  [ -n "$(held_in "$from.output" 2>/dev/null)" ] || { echo "self-test, undone fix: run the check with SYSTEMS=ios first"; return 1; }
  rm -rf "$to"; mkdir -p "$to"
  cp -r "$from/sources" "$to/sources"
  cp "$from/"{StorageVocabulary,LocalDataTesting}.o "$to/"
  sed -i -E 's/(\[kSecAttrAccessGroup as String\] = )[A-Za-z.]+/\1nil/' "$to/sources/LocalData/Keychain/"*.swift
  ! diff -rq "$from/sources" "$to/sources" >/dev/null ||
    { echo "self-test, undone fix: nothing sets kSecAttrAccessGroup any more; adapt undone_fix in self-test.sh"; return 1; }
  { make_rewritten ios LocalData "$to/sources" "$to" && link_runner ios "$to"; } >"$to/log" 2>&1 ||
    { echo "self-test, undone fix: the changed package does not compile; see $to/log"; return 1; }
  run_runner "$to/runner" "$to/output" &&
    { echo "self-test, undone fix: the runner did not notice that queries have no access group"; return 1; }
  local held; held="$(held_in "$to/output")"
  [ "${held:-0}" -lt "$(held_in "$from.output")" ] ||
    { echo "self-test, undone fix: as many checks held without the access group ($held)"; return 1; }
}

# Runs all cases; fails if the check did not notice one.
self_test() {
  local missed=0
  expects "unchanged package" 0 "compiled 1 targets for ios" nothing
  expects "a call that needs iOS 18" 1 "Newer.swift:1:20: error: 'init(validating:as:)' is only available in iOS 18.0" newer_call
  expects "a stored typed throws" 1 "runtime support for typed throws function types is only available in iOS 18.0" newer_metadata
  expects "a warning" 1 "Warning.swift:1:22: warning:" warning
  expects "no sources" 1 "Sources/StorageVocabulary has no Swift files" no_sources
  expects "no platform" 1 "no target is compiled for it" no_platform
  expects "an unlisted target" 1 "'Forgotten' is not checked" unlisted
  expects "a harmless line" 1 "nothing says 'an error'" harmless_line
  expects "no refused lines" 1 "teeth/ios.swift expects nothing" no_teeth
  expects "an empty stand-in" 1 "the stand-in SDK does not compile" empty_sdk
  undone_fix || missed=$((missed + 1))
  echo "self-test: $missed of 11 cases were not noticed"
  [ "$missed" = 0 ]
}
