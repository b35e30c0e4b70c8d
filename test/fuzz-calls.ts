/** A call that each route likes: its body, and what has to exist for it. */
import type { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { addOutfit, allOutfits, removeOutfit } from "../shared/admin/outfits.ts";
import { branding } from "../shared/branding.ts";
import { sessionDir, writeWhole } from "../shared/files.ts";
import { jobById } from "../shared/jobs.ts";
import { noteKiosk } from "../shared/kiosks.ts";
import { takeLead } from "../shared/leads/intake.ts";
import { failJob } from "../shared/outcomes.ts";
import { overridesVersion } from "../shared/overrides.ts";
import { openBooth } from "../shared/pause.ts";
import { templateById } from "../shared/templates.ts";
import { visitAtCamera, visitInQueue } from "./fresh.ts";

export const lead = {
  name: "Aziz",
  contact: "@aziz",
  locale: "uz",
  event_type: "wedding",
  guests: 20,
  utm: { source: "x" },
};

/** Stand in a body for what is known only when it is sent: it would be refused, or be no change, a second time. */
const [NEW_ID, NEW_WORDS, NEW_NUMBER] = ["a new id", "new words", 90_001];
const [VERSION, EVERY_OUTFIT, SELFIE] = [90_002, "every outfit", "a selfie"];

const OUTFIT = "cook";
const KIOSK = "one";
const outfit = {
  title_ru: "Повар",
  title_uz: "Oshpaz",
  title_en: "Chef",
  prompt: NEW_WORDS,
  colours: ["#ffffff"],
  enabled: true,
};
const liked: Record<string, Record<string, unknown>> = {
  "POST /session": { kiosk: KIOSK, lang: "en" },
  "POST /session/:token/template": { template_id: "chef" },
  "POST /session/:token/expire": {},
  "POST /leads": { request_id: NEW_ID, ...lead },
  "POST /kiosk/heartbeat": {
    kiosk: KIOSK,
    version: "1",
    screen: "start",
    camera: "ok",
    battery: 0.5,
    charging: true,
  },
  "DELETE /admin/api/kiosks/:id": {},
  "PUT /admin/api/settings": {
    PACK_LIMIT: 3,
    DAILY_BUDGET_USD: NEW_NUMBER,
    SESSION_TTL_MINUTES: 10,
    DIGEST_HOUR: 9,
    version: VERSION,
  },
  "POST /admin/api/budget": { usd: NEW_NUMBER },
  "POST /admin/api/maintenance": { on: true, reason: NEW_WORDS },
  "POST /admin/api/jobs/:id/retry": {},
  "POST /admin/api/jobs/:id/cancel": {},
  "POST /admin/api/leads/:number/status": { status: "won", seen: "new" },
  "POST /admin/api/templates": { id: OUTFIT, ...outfit },
  "PUT /admin/api/templates/:id": { ...outfit, version: VERSION },
  "POST /admin/api/templates/order": { ids: [EVERY_OUTFIT] },
  "DELETE /admin/api/templates/:id": {},
  "PUT /admin/api/branding": {
    name: NEW_WORDS,
    welcome_en: "Hello",
    paper: "#ffffff",
    ink: "#000000",
    accent: "#7a1f1f",
    pin: "1234",
    version: VERSION,
  },
  "POST /admin/api/tryouts": { template_id: "chef", prompt: "a hat", photo: SELFIE },
};

export const likedBy = (route: string) => liked[route];
export const likedRoutes = Object.keys(liked);
export const likedByAll = Object.assign({}, ...Object.values(liked)) as Record<string, unknown>;

type Booth = { db: Database; dataDir: string; now: () => number };

/** @param selfie a photo as the try-outs take it */
export function goodCalls({ db, dataDir, now }: Booth, selfie: string) {
  const by = () => ({ actor: "fuzz", now: now() });
  let count = 0;
  let guest = 7000;
  let token = "";

  /** Its time never runs out: whoever looks at an overdue visit closes it, a row in `history`, also when refused. */
  const stay = (visit: string, status: string) =>
    db
      .query("UPDATE sessions SET expires_at = ? WHERE token = ? AND status = ?")
      .run(Date.parse("2100-01-01"), visit, status).changes;
  function openVisit(): string {
    if (stay(token, "template_chosen") === 0) {
      token = visitAtCamera(db, ++guest, now());
      stay(token, "template_chosen");
    }
    return token;
  }

  function pack(status: "queued" | "failed"): string {
    const { jobId } = visitInQueue(db, ++guest, now());
    const job = jobById(db, jobId);
    if (job && status === "failed") {
      // There is another try as long as its photo is there.
      writeWhole(join(sessionDir(dataDir, job.session_token), job.selfie), new Uint8Array(1));
      failJob(db, job, "providers_down", "fuzz", now());
    }
    return String(jobId);
  }

  function newLead(): string {
    const given = { request_id: crypto.randomUUID(), name: "A", contact: "@aaa", locale: "uz" } as const;
    const taken = takeLead(db, given, { mark: given.request_id, limit: 1 }, now());
    return taken.kind === "flood" ? "none" : String(taken.number);
  }

  function theOutfit(): string {
    if (!templateById(db, OUTFIT)) addOutfit(db, OUTFIT, {}, by());
    return OUTFIT;
  }

  /** Few may wait at once, and nobody draws here. */
  function noTryouts(): string {
    const gone = db.query("DELETE FROM tryouts RETURNING folder").all() as { folder: string }[];
    for (const { folder } of gone) rmSync(sessionDir(dataDir, folder), { recursive: true });
    return "";
  }

  /** Makes what the route's good call is about. @returns its name in the address */
  const made: Record<string, () => string> = {
    "POST /session": () => String(openBooth(db, "fuzz", now())),
    "POST /admin/api/maintenance": () => String(openBooth(db, "fuzz", now())),
    "POST /session/:token/template": openVisit,
    "POST /session/:token/expire": openVisit,
    "DELETE /admin/api/kiosks/:id": () => {
      noteKiosk(db, { kiosk: KIOSK }, now());
      return KIOSK;
    },
    "POST /admin/api/jobs/:id/retry": () => pack("failed"),
    "POST /admin/api/jobs/:id/cancel": () => pack("queued"),
    "POST /admin/api/leads/:number/status": newLead,
    "POST /admin/api/templates": () => {
      if (templateById(db, OUTFIT)) removeOutfit(db, OUTFIT, by());
      return OUTFIT;
    },
    "PUT /admin/api/templates/:id": theOutfit,
    "DELETE /admin/api/templates/:id": theOutfit,
    "POST /admin/api/tryouts": noTryouts,
  };
  const version: Record<string, () => number | undefined> = {
    "PUT /admin/api/settings": () => overridesVersion(db),
    "PUT /admin/api/branding": () => branding(db).version,
    "PUT /admin/api/templates/:id": () => templateById(db, OUTFIT)?.version,
  };

  return {
    openVisit,
    make: (route: string) => made[route]?.() ?? "",

    /** The body with everything in it that stood for something else. */
    filled(route: string, body: string): string {
      count += 1;
      const ids = allOutfits(db).map(({ id }) => id);
      return body
        .replaceAll(`"${NEW_ID}"`, `"${crypto.randomUUID()}"`)
        .replaceAll(`"${NEW_WORDS}"`, `"words ${count}"`)
        .replaceAll(String(NEW_NUMBER), String(1 + (count % 50)))
        .replaceAll(String(VERSION), String(version[route]?.() ?? 1))
        .replaceAll(`["${EVERY_OUTFIT}"]`, () => JSON.stringify(ids.reverse()))
        .replaceAll(`"${SELFIE}"`, `"${selfie}"`);
    },
  };
}
