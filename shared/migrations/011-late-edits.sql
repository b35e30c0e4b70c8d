-- An edit whose answer never came may still arrive, after a newer one: when the card is drawn once more.
ALTER TABLE lead_cards ADD COLUMN again_at INTEGER;
CREATE INDEX lead_cards_again ON lead_cards (again_at) WHERE again_at IS NOT NULL;
