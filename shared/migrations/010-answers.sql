-- Answers to what somebody asked go before what is told unasked, within a chat.
ALTER TABLE notices ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
DROP INDEX notices_waiting;
CREATE INDEX notices_waiting ON notices (chat_id, asked DESC, id) WHERE sent_at IS NULL;
