// swift-format-ignore-file

/// The texts of `audit.css` and `audit.js`. HTMLResourceTests writes this file.
enum HTMLResourceText {
  static let style: StaticString = ##"""
/* The styles of audit.html. They are embedded in the tool, and their hash is in the policy of the page. */
:root { color-scheme: light dark; }

"""##

  static let script: StaticString = ##"""
// The script of audit.html: search, filters and sorting. The page can be read without it.
"use strict";

"""##
}
