/** All migrations in order. A released one is never edited: what it got wrong, the next one mends. */
import type { Migration } from "../db.ts";
import booth from "./001-booth.sql" with { type: "text" };
import outfits from "./002-outfits.sql" with { type: "text" };
import chatPhotos from "./003-chat-photos.sql" with { type: "text" };
import leads from "./004-leads.sql" with { type: "text" };
import operators from "./005-operators.sql" with { type: "text" };
import lean from "./006-lean.sql" with { type: "text" };
import lists from "./007-lists.sql" with { type: "text" };
import questions from "./008-questions.sql" with { type: "text" };
import firstCards from "./009-first-cards.sql" with { type: "text" };
import answers from "./010-answers.sql" with { type: "text" };
import lateEdits from "./011-late-edits.sql" with { type: "text" };
import lateSets from "./012-late-sets.sql" with { type: "text" };
import discardedSets from "./013-discarded-sets.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
  { version: 1, name: "001-booth", sql: booth },
  { version: 2, name: "002-outfits", sql: outfits },
  { version: 3, name: "003-chat-photos", sql: chatPhotos },
  { version: 4, name: "004-leads", sql: leads },
  { version: 5, name: "005-operators", sql: operators },
  { version: 6, name: "006-lean", sql: lean },
  { version: 7, name: "007-lists", sql: lists },
  { version: 8, name: "008-questions", sql: questions },
  { version: 9, name: "009-first-cards", sql: firstCards },
  { version: 10, name: "010-answers", sql: answers },
  { version: 11, name: "011-late-edits", sql: lateEdits },
  { version: 12, name: "012-late-sets", sql: lateSets },
  { version: 13, name: "013-discarded-sets", sql: discardedSets },
];
