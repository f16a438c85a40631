// The script of audit.html: search, filters and sorting. The page can be read without it.
"use strict";
