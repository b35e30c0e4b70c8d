-- Questions of consent that stand in a chat with their buttons: gone once the visit has its answer or has ended.
CREATE TABLE questions (
  chat_id       INTEGER NOT NULL,
  message_id    INTEGER NOT NULL,
  session_token TEXT NOT NULL REFERENCES sessions (token),
  PRIMARY KEY (chat_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX questions_session ON questions (session_token);
ALTER TABLE notices ADD COLUMN asks TEXT;       -- the visit whose consent the message asks for
