# Runs the package's Apple branches on Linux. The output of a system is $BUILD/linux-<system>.output.

# Runs a runner with an argument that UserDefaults shows, in a folder of its own, as a user who is not root, because root ignores permissions. Its output ends
# with a line that counts: "147 held, 0 failed".
run_runner() {
  local runner=$1 output=$2 home status=0 as=()
  home="$(mktemp -d)"; mkdir "$home/tmp"; cp "$runner" "$home/runner"
  # Test vectors that checks read from their current folder.
  cp "$project/Tests/LocalDataStoresTests/Vectors/"*.tsv "$project/Tests/LocalDataStoresTests/Envelope/Golden/"*.hex "$home/"
  [ "$(id -u)" != 0 ] || { chown -R 65534:65534 "$home"; as=(setpriv --reuid=65534 --regid=65534 --clear-groups); }
  (cd "$home" && HOME="$home" TMPDIR="$home/tmp" LIMIT=300 limited "${as[@]}" "$home/runner" -launchArgument dark) >"$output" 2>&1 || status=$?
  chmod -R u+rwx "$home"; rm -rf "$home"
  return "$status"
}

# The number of checks that held, from the last line of a runner's output; nothing if the runner did not get there.
held_in() { sed -n '$s/^\([0-9]*\) held, [0-9]* failed$/\1/p' "$1"; }

# Builds and runs the checks of a system. The findings are there only if the job came to its end.
run_system() {
  local system=$1 findings="$BUILD/linux-$1.findings"
  note_run "$system" >"$findings.new"
  mv "$findings.new" "$findings"
}

# Prints what failed.
note_run() {
  local system=$1 log="$BUILD/linux-$1.log" output="$BUILD/linux-$1.output" status=0
  : >"$output"
  if ! make_runner "$project/Sources" "$system" >"$log" 2>&1; then
    echo "run as on $system: the rewritten package or the runner does not compile; see $log"
    grep -hE '^/.*error:' "$log" | sed "s/^/run as on $system: /" | sort -u
    return
  fi
  run_runner "$BUILD/linux-$system/runner" "$output" || status=$?
  sed -n "s/^FAIL /run as on $system: /p" "$output"
  if [ -z "$(held_in "$output")" ]; then
    echo "run as on $system: the runner ended with $status before it counted; see $output"
  elif [ "$(held_in "$output")" = 0 ]; then
    echo "run as on $system: no check held; see $output"
  elif [ "$status" != 0 ] && ! grep -q '^FAIL ' "$output"; then
    echo "run as on $system: the runner ended with $status; see $output"
  fi
}
