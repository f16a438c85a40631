/// The sources that become the tool, by which the plugins of a checkout recognize an installed tool.
///
/// The digest is of all files of the targets that the tool is linked from, this one excepted. A test keeps it current, and with
/// `LOCALDATA_RECORD=1` writes it.
enum ToolSources {
  static let digest = "c405ece5681a3dec"
}
