-- The sales desk. The outbox is the rows whose published_at is empty; next_publish_at says when to try.
CREATE TABLE leads (
  number           INTEGER PRIMARY KEY AUTOINCREMENT,
  request_id       TEXT NOT NULL UNIQUE,        -- made by the form when it opens
  status           TEXT NOT NULL CHECK (status IN ('new', 'in_progress', 'won', 'lost', 'spam')),
  -- contact data: emptied by the retention
  name             TEXT,
  contact          TEXT,
  city             TEXT,
  comment          TEXT,
  page             TEXT,
  utm              TEXT,                        -- JSON {name: value}
  -- what is counted: stays
  event_type       TEXT,
  event_date       TEXT,                        -- YYYY-MM-DD
  guests           INTEGER,
  locale           TEXT NOT NULL CHECK (locale IN ('ru', 'uz', 'en')),
  source           TEXT NOT NULL,               -- a plain word made of the campaign, for statistics
  status_at        INTEGER NOT NULL,
  status_by        TEXT,                        -- who, as shown on the card
  taken_at         INTEGER,                     -- the first time
  reminders        INTEGER NOT NULL DEFAULT 0,  -- since it became new
  remind_at        INTEGER,                     -- of the next one, once there was one
  erased_at        INTEGER,
  version          INTEGER NOT NULL DEFAULT 1,  -- of what its cards show
  queued_at        INTEGER NOT NULL,            -- waits for a card since
  published_at     INTEGER,
  next_publish_at  INTEGER NOT NULL,
  publish_failures INTEGER NOT NULL DEFAULT 0,  -- in a row
  publish_refused  INTEGER NOT NULL DEFAULT 0,  -- Telegram refuses this card, not the group: others may pass it
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX leads_outbox ON leads (number) WHERE published_at IS NULL;
CREATE INDEX leads_open ON leads (status, number);
CREATE INDEX leads_kept ON leads (created_at) WHERE erased_at IS NULL;

-- Every card that stands in the group.
CREATE TABLE lead_cards (
  chat_id      INTEGER NOT NULL,
  message_id   INTEGER NOT NULL,
  number       INTEGER NOT NULL REFERENCES leads (number) ON DELETE CASCADE,
  shown        INTEGER NOT NULL,                -- the lead's version on it
  stale        INTEGER NOT NULL,                -- shows an older version than the lead's
  failures     INTEGER NOT NULL DEFAULT 0,
  next_edit_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (chat_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_cards_number ON lead_cards (number);
CREATE INDEX lead_cards_stale ON lead_cards (next_edit_at) WHERE stale = 1;
-- Whoever changes what the cards show bumps the version; here they learn of it.
CREATE TRIGGER leads_version AFTER UPDATE OF version ON leads BEGIN
  UPDATE lead_cards SET stale = 1 WHERE number = NEW.number;
END;

-- New leads by visitor, for the flood limit alone: the HMAC of an address, forgotten after minutes.
CREATE TABLE lead_visits (
  visitor TEXT NOT NULL,
  at      INTEGER NOT NULL
) STRICT;
CREATE INDEX lead_visits_visitor ON lead_visits (visitor, at);

-- Callers who presented wrong secrets, as HMACs of their addresses.
CREATE TABLE lockouts (
  scope        TEXT NOT NULL,                   -- what the secret opens
  caller       TEXT NOT NULL,
  wrong        INTEGER NOT NULL,
  last_at      INTEGER NOT NULL,
  locked_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (scope, caller)
) STRICT, WITHOUT ROWID;
