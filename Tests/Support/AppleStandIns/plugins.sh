# Compiles the plugins with a stand-in of the module that Xcode adds for its projects, and runs them with it.

PLUGIN_NAMES=(LocalDataBuildPlugin LocalDataGenerate)
PLUGIN_LIBRARY="$SWIFT_LIBRARY/pm/PluginAPI"

# Compiles one module to an object file, as SwiftPM compiles plugins.
compile_plugin() {
  local to=$1 module=$2; shift 2
  limited swiftc -parse-as-library -swift-version 6 -package-description-version 6.2.0 -package-name localdata \
    -warnings-as-errors -wmo -Onone -emit-module -emit-object -module-name "$module" \
    -emit-module-path "$to/$module.swiftmodule" -o "$to/$module.o" -I "$to" -I "$PLUGIN_LIBRARY" \
    -module-cache-path "$BUILD/linux-cache" "$@"
}

# Builds and runs the checks of the plugins. The findings are there only if the job came to its end.
run_plugins() {
  local findings="$WORK/plugins.findings"
  note_plugins "$1" >"$findings.new"
  mv "$findings.new" "$findings"
}

# Prints what failed. The output of the runner is $WORK/plugins/output.
note_plugins() {
  local tool=$1 to="$WORK/plugins" log="$WORK/plugins/log" folder name held status=0
  rm -rf "$to"; mkdir -p "$to/projects"
  : >"$to/output"
  if [ ! -x "$tool" ]; then echo "plugins: $tool is missing; run 'swift build' first, or name another build folder"; return; fi
  # A tool is made with a path, which is deprecated.
  compile_plugin "$to" XcodeProjectPlugin -Wwarning DeprecatedDeclaration "$KIT/plugins/XcodeProjectPlugin.swift" \
    >"$log" 2>&1 || status=$?
  for name in "${PLUGIN_NAMES[@]}"; do
    folder="$project/Sources/$name/"
    # Each plugin has a main function of its own. The runner has another.
    compile_plugin "$to" "$name" -enable-testing -Xfrontend -entry-point-function-name -Xfrontend "${name}_main" \
      "$KIT/plugins/Diagnostics.swift" "$folder"*.swift >>"$log" 2>&1 || status=$?
  done
  if [ "$status" = 0 ]; then
    { compile_plugin "$to" Runner "$KIT/plugins/Runner.swift" &&
      limited swiftc -o "$to/runner" "$to"/*.o -L "$PLUGIN_LIBRARY" -lPackagePlugin \
        -Xlinker -rpath -Xlinker "$PLUGIN_LIBRARY"; } >>"$log" 2>&1 || status=$?
  fi
  if [ "$status" != 0 ]; then
    echo "plugins: they do not compile with Xcode's module; see $log"
    grep -hE '^[^ 0-9|].*error: ' "$log" | sed "s,^$project/,," | sort -u | sed 's/^/plugins: /'
    return
  fi
  limited "$to/runner" "$to/projects" "$tool" >"$to/output" 2>&1 || status=$?
  sed -n 's/^FAIL /plugins: /p' "$to/output"
  held="$(held_in "$to/output")"
  if [ "${held:-0}" = 0 ]; then
    echo "plugins: no check held, and the runner ended with $status; see $to/output"
  elif [ "$status" != 0 ] && ! grep -q '^FAIL ' "$to/output"; then
    echo "plugins: the runner ended with $status; see $to/output"
  fi
}
