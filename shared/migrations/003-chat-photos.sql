-- Photos that guests sent in the chat: fetched from Telegram by a loop, so that a slow download holds up nobody.
CREATE TABLE chat_photos (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  session_token TEXT NOT NULL REFERENCES sessions (token),
  user_id       INTEGER NOT NULL,
  file_id       TEXT NOT NULL,
  size          INTEGER NOT NULL,
  tries         INTEGER NOT NULL DEFAULT 0,
  next_at       INTEGER NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT;
