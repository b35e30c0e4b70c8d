-- When the group first saw a lead: its card may be sent anew, and nobody can be late with what they have not seen.
ALTER TABLE leads ADD COLUMN first_published_at INTEGER;
UPDATE leads SET first_published_at = published_at;
