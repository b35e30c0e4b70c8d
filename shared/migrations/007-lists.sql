-- Visits by how they ended, the newest first: what operators list. Written once a visit, at its end.
CREATE INDEX sessions_ended ON sessions (status) WHERE status IN ('done', 'failed', 'expired', 'blocked');
