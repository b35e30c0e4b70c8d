/** The truth about both processes, for the kiosk, the operators and whoever watches the machine. */
import { Elysia } from "elysia";
import { lastBackupAt } from "../shared/backup/list.ts";
import { diskFree } from "../shared/files.ts";
import { allHeartbeats, isLate, POLL } from "../shared/heartbeats.ts";
import { outboxState } from "../shared/leads/outbox.ts";
import { countNotices } from "../shared/notices.ts";
import { countJobs } from "../shared/queue.ts";
import { maintenance } from "../shared/settings.ts";
import { isoOrNull } from "../shared/time.ts";
import type { ApiContext } from "./context.ts";

export function healthOf({ db, config, now, version }: ApiContext) {
  const beats = allHeartbeats(db);
  const poll = beats.find((b) => b.loop === POLL);
  const late = beats.filter((b) => isLate(b, now())).map((b) => b.loop);
  const well = poll !== undefined && late.length === 0;
  const { queued, running, delivering, failed } = countJobs(db);
  const leads = outboxState(db, now());
  return {
    status: well ? "ok" : "degraded",
    db: "ok",
    bot: {
      last_poll_at: isoOrNull(poll?.last_ok_at ?? null),
      loops: Object.fromEntries(beats.filter((b) => b !== poll).map((b) => [b.loop, isoOrNull(b.last_ok_at)])),
      /** Which of them, the poll included, should have been heard of by now. */
      late,
    },
    queue: { queued, running, delivering, failed },
    outbox: { notices: countNotices(db), leads: leads.waiting, oldest_lead_seconds: secondsOrNull(leads.oldestMs) },
    maintenance: maintenance(db) !== null,
    disk_free_bytes: diskFree(config.DATA_DIR),
    last_backup_at: isoOrNull(lastBackupAt(config.DATA_DIR)),
    version,
  };
}

const secondsOrNull = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000));

export const healthRoutes = (context: ApiContext) =>
  new Elysia({ name: "health" }).get("/health", ({ set }) => {
    set.headers["cache-control"] = "no-store";
    try {
      const health = healthOf(context);
      if (health.status !== "ok") set.status = 503;
      return health;
    } catch (error) {
      context.log.error({ err: error }, "the database does not answer");
      set.status = 503;
      return { status: "down", db: "error", version: context.version };
    }
  });
