-- The booth: guests, visits, the queue of jobs, packs, and what both processes leave for each other.
-- Times are milliseconds since 1970 UTC. CHECK lists of statuses are held against shared/status.ts by a test.

CREATE TABLE users (
  id             INTEGER PRIMARY KEY,           -- Telegram's user id
  first_name     TEXT NOT NULL DEFAULT '',
  lang           TEXT NOT NULL DEFAULT 'ru' CHECK (lang IN ('ru', 'uz', 'en')),
  lang_chosen    INTEGER NOT NULL DEFAULT 0,    -- 1 once the guest picked it: language_code no longer decides
  unreachable_at INTEGER,                       -- Telegram answered 403: blocked or deactivated
  created_at     INTEGER NOT NULL,
  seen_at        INTEGER NOT NULL
) STRICT;

CREATE TABLE templates (
  id       TEXT PRIMARY KEY,
  title_ru TEXT NOT NULL,
  title_uz TEXT NOT NULL,
  title_en TEXT NOT NULL,
  prompt   TEXT NOT NULL,
  colours  TEXT NOT NULL DEFAULT '[]',          -- JSON list of #rrggbb: the sheet's key colour keeps away from them
  image    TEXT NOT NULL,                       -- URL path of the card's picture
  enabled  INTEGER NOT NULL DEFAULT 1,
  position INTEGER NOT NULL,
  version  INTEGER NOT NULL DEFAULT 1           -- two operators saving at once: the second is told
) STRICT;

CREATE TABLE sessions (
  token          TEXT PRIMARY KEY,
  status         TEXT NOT NULL CHECK (status IN
    ('created', 'linked', 'consented', 'template_chosen', 'photo_taken', 'done', 'failed', 'expired', 'blocked')),
  kiosk          TEXT,
  lang           TEXT NOT NULL CHECK (lang IN ('ru', 'uz', 'en')),
  user_id        INTEGER REFERENCES users (id) ON DELETE SET NULL,
  template_id    TEXT REFERENCES templates (id) ON DELETE SET NULL,
  problem        TEXT,
  photo_sha256   TEXT,                          -- of the upload as it came: the same photo again is the same job
  photo_answer   TEXT,                          -- what its sender was answered, to be answered again
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  expires_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_open ON sessions (expires_at) WHERE status IN ('created', 'linked', 'consented', 'template_chosen');
CREATE INDEX sessions_user ON sessions (user_id, created_at);
CREATE INDEX sessions_created ON sessions (created_at);

CREATE TABLE jobs (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  session_token TEXT NOT NULL REFERENCES sessions (token),
  user_id       INTEGER REFERENCES users (id) ON DELETE SET NULL,
  template_id   TEXT NOT NULL,
  lang          TEXT NOT NULL CHECK (lang IN ('ru', 'uz', 'en')),
  status        TEXT NOT NULL CHECK (status IN ('queued', 'running', 'delivering', 'done', 'failed', 'cancelled')),
  attempt       INTEGER NOT NULL DEFAULT 0,     -- bumped by each claim; every later write of that claim names it
  strikes       INTEGER NOT NULL DEFAULT 0,     -- claims that no worker has ended in its own words
  owner         TEXT,
  lease_until   INTEGER,
  not_before    INTEGER NOT NULL DEFAULT 0,
  rounds        INTEGER NOT NULL DEFAULT 0,     -- times all providers were tried in vain
  problem       TEXT,
  -- what each finished step left behind
  selfie        TEXT NOT NULL,                  -- file under DATA_DIR/sessions/<token>
  selfie_check  TEXT,                           -- JSON verdict
  draws         INTEGER NOT NULL DEFAULT 0,
  key_colour    TEXT,
  sheet         TEXT,                           -- file
  sheet_by      TEXT,                           -- provider that drew it
  sheet_check   TEXT,                           -- JSON verdict
  stickers      TEXT,                           -- JSON [{file, emoji}]
  files_removed_at INTEGER,                     -- the TTL took the files, the row says so
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  started_at    INTEGER,
  finished_at   INTEGER
) STRICT;
-- One living job a session, whatever races: a cancelled one (a selfie refused, an operator's word) makes room.
CREATE UNIQUE INDEX jobs_one_per_session ON jobs (session_token) WHERE status <> 'cancelled';
CREATE INDEX jobs_queue ON jobs (not_before, id) WHERE status = 'queued';
CREATE INDEX jobs_active ON jobs (status, lease_until) WHERE status IN ('running', 'delivering');
CREATE INDEX jobs_user ON jobs (user_id, created_at);
CREATE INDEX jobs_created ON jobs (created_at);

CREATE TABLE packs (
  job_id         INTEGER PRIMARY KEY REFERENCES jobs (id),
  user_id        INTEGER REFERENCES users (id) ON DELETE SET NULL,
  name           TEXT NOT NULL UNIQUE,          -- stored before the first call, never reused
  title          TEXT NOT NULL,
  stickers       INTEGER NOT NULL,
  decided_at     INTEGER NOT NULL,
  created_at     INTEGER,                       -- Telegram has the set
  first_sticker  TEXT,                          -- its file_id
  page_seen      INTEGER NOT NULL DEFAULT 0,    -- times in a row
  visible_at     INTEGER,
  link_sent_at   INTEGER,
  sticker_sent_at INTEGER,
  deleted_at     INTEGER
) STRICT;
CREATE INDEX packs_user ON packs (user_id, decided_at);

-- Where each status came from. Written by move() alone, in the transaction of the change itself.
CREATE TABLE history (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  machine TEXT NOT NULL CHECK (machine IN ('sessions', 'jobs', 'leads')),
  subject TEXT NOT NULL,
  before  TEXT,
  after   TEXT NOT NULL,
  actor   TEXT NOT NULL,
  reason  TEXT,
  at      INTEGER NOT NULL
) STRICT;
CREATE INDEX history_subject ON history (machine, subject, id);
CREATE INDEX history_at ON history (machine, at);

-- Finished steps of a job with their length, for the operators' timeline and the benchmark.
CREATE TABLE steps (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id  INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  name    TEXT NOT NULL,
  outcome TEXT NOT NULL,
  at      INTEGER NOT NULL,
  ms      INTEGER NOT NULL
) STRICT;
CREATE INDEX steps_job ON steps (job_id, id);

CREATE TABLE ai_usage (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id        INTEGER REFERENCES jobs (id),
  provider      TEXT NOT NULL,
  model         TEXT NOT NULL,
  purpose       TEXT NOT NULL CHECK (purpose IN ('selfie', 'sheet', 'draw', 'tryout')),
  outcome       TEXT NOT NULL,
  reason        TEXT,
  input_tokens  INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  images        INTEGER NOT NULL,
  usd           REAL NOT NULL,
  ms            INTEGER NOT NULL,
  at            INTEGER NOT NULL
) STRICT;
CREATE INDEX ai_usage_at ON ai_usage (at);
CREATE INDEX ai_usage_job ON ai_usage (job_id);

CREATE TABLE audit_log (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  at     INTEGER NOT NULL,
  actor  TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL DEFAULT '',
  before TEXT,
  after  TEXT
) STRICT;

CREATE TABLE settings (
  name       TEXT PRIMARY KEY,
  value      TEXT NOT NULL,                     -- JSON
  updated_at INTEGER NOT NULL
) STRICT;

-- Calls to Telegram that something already true in the database has promised: sent at least once, in order a chat.
CREATE TABLE notices (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  chat_id    INTEGER NOT NULL,
  method     TEXT NOT NULL,
  payload    TEXT NOT NULL,                     -- JSON; emptied once sent
  once       TEXT UNIQUE,                       -- what may be said only once says so here
  tries      INTEGER NOT NULL DEFAULT 0,
  next_at    INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  sent_at    INTEGER,
  outcome    TEXT
) STRICT;
CREATE INDEX notices_waiting ON notices (chat_id, id) WHERE sent_at IS NULL;

-- Updates already handled: Telegram repeats what it is not sure that we got.
CREATE TABLE updates (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE heartbeats (
  loop          TEXT PRIMARY KEY,
  every_ms      INTEGER NOT NULL,
  last_ok_at    INTEGER,
  last_error_at INTEGER,
  last_error    TEXT,
  failures      INTEGER NOT NULL DEFAULT 0      -- in a row
) STRICT;
