/** All outfits by the id of their template; an id that is not known gets the first, so that a new template still draws. */
import { astronaut } from "./astronaut.ts";
import { chef } from "./chef.ts";
import { chopon } from "./chopon.ts";
import { detective } from "./detective.ts";
import type { Outfit } from "./parts.ts";
import { rockstar } from "./rockstar.ts";
import { royal } from "./royal.ts";
import { superhero } from "./superhero.ts";
import { wizard } from "./wizard.ts";

export const outfits: Record<string, Outfit> = {
  astronaut,
  royal,
  superhero,
  chef,
  rockstar,
  wizard,
  chopon,
  detective,
};

export const outfitOf = (id: string): Outfit => (Object.hasOwn(outfits, id) ? outfits[id]! : astronaut);
