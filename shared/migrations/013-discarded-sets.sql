-- Sets that nobody wants, by name: a job that is tried again has a set of another name, and the one before is still to go.
CREATE TABLE discarded_sets (
  name      TEXT PRIMARY KEY,
  delete_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO discarded_sets SELECT name, delete_again_at FROM packs WHERE delete_again_at IS NOT NULL;
DROP INDEX packs_delete_again;
ALTER TABLE packs DROP COLUMN delete_again_at;
