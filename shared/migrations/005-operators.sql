-- The operators' side: kiosks' signs of life, open alerts, outfits' own pictures and try-outs, and what the lists read by.
CREATE TABLE kiosks (
  id         TEXT PRIMARY KEY,
  version    TEXT,                              -- of the page it shows
  screen     TEXT,                              -- which screen a guest sees now
  camera     TEXT,
  battery    REAL,                              -- 0 to 1
  charging   INTEGER,
  wake_lock  INTEGER,                           -- 0: the screen may fall asleep
  first_at   INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL
) STRICT;

-- What operators were told and what has come since: one row a cause, gone once it is over.
CREATE TABLE alerts (
  cause   TEXT PRIMARY KEY,
  watched INTEGER NOT NULL DEFAULT 0,           -- 1: a state that the watch looks after, 0: something that happened
  text    TEXT NOT NULL,
  ending  TEXT NOT NULL DEFAULT '',             -- what is said when a watched state is over; empty: nothing
  jobs    TEXT NOT NULL DEFAULT '[]',           -- JSON: packs that met it since it was last told
  untold  INTEGER NOT NULL DEFAULT 0,
  told_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  over_at INTEGER                               -- kept for a while after its end, to stay calm when it comes and goes
) STRICT;

-- Pictures of outfit cards that operators uploaded, small and encoded anew; in the database so that backups hold them.
CREATE TABLE pictures (
  name       TEXT PRIMARY KEY,                  -- made of the content's hash: never changes what it shows
  type       TEXT NOT NULL,
  bytes      BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- One drawing of an outfit that an operator wants to see before guests do; the bot draws it.
CREATE TABLE tryouts (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  folder      TEXT NOT NULL,                    -- under sessions/: the same time limit takes its files
  template_id TEXT NOT NULL,
  prompt      TEXT NOT NULL,
  colours     TEXT NOT NULL,
  status      TEXT NOT NULL CHECK (status IN ('waiting', 'drawing', 'done', 'failed')),
  problem     TEXT,
  sheet       TEXT,                             -- file
  stickers    TEXT,                             -- JSON list of files
  actor       TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX tryouts_open ON tryouts (id) WHERE status IN ('waiting', 'drawing');

CREATE INDEX jobs_status ON jobs (status, id);
CREATE INDEX jobs_session ON jobs (session_token, id);
CREATE INDEX jobs_finished ON jobs (finished_at, status, problem, created_at) WHERE finished_at IS NOT NULL;
CREATE INDEX sessions_guests ON sessions (created_at, user_id);
DROP INDEX sessions_created;
CREATE INDEX ai_usage_spent ON ai_usage (at, provider, purpose, outcome, images, usd);
DROP INDEX ai_usage_at;

-- How many visits moved how, by the quarter of an hour (no zone's day begins within one): what the funnel is read from.
-- A visit's second photo, after one that was refused or a retry, is `photo_again`.
CREATE TABLE visit_moves (
  quarter INTEGER NOT NULL,                     -- its first millisecond
  before  TEXT NOT NULL,
  after   TEXT NOT NULL,
  reason  TEXT NOT NULL,
  visits  INTEGER NOT NULL,
  PRIMARY KEY (quarter, before, after, reason)
) STRICT, WITHOUT ROWID;
INSERT INTO visit_moves
  SELECT at / 900000 * 900000, coalesce(before, ''),
    iif(after = 'photo_taken' AND EXISTS (SELECT 1 FROM history o WHERE o.machine = 'sessions' AND o.subject = h.subject
      AND o.id < h.id AND o.after = 'photo_taken'), 'photo_again', after),
    coalesce(reason, ''), count(*)
  FROM history h WHERE machine = 'sessions' GROUP BY 1, 2, 3, 4;
CREATE TRIGGER visit_moved AFTER INSERT ON history WHEN NEW.machine = 'sessions' BEGIN
  INSERT INTO visit_moves VALUES (NEW.at / 900000 * 900000, coalesce(NEW.before, ''),
    iif(NEW.after = 'photo_taken' AND EXISTS (SELECT 1 FROM history o WHERE o.machine = 'sessions' AND o.subject = NEW.subject
      AND o.id < NEW.id AND o.after = 'photo_taken'), 'photo_again', NEW.after),
    coalesce(NEW.reason, ''), 1)
  ON CONFLICT DO UPDATE SET visits = visits + 1;
END;
