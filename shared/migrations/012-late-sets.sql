-- A creation whose answer never came may still be carried out, after the set was deleted: when it is deleted once more.
ALTER TABLE packs ADD COLUMN delete_again_at INTEGER;
CREATE INDEX packs_delete_again ON packs (delete_again_at) WHERE delete_again_at IS NOT NULL;
