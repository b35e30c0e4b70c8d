/** The checker: the simulator's memory and the database must tell the same story. Each finding is a sentence. */
import { integrityFaults } from "../../shared/backup/database.ts";
import type { Booth } from "./booth.ts";
import { checkBills } from "./check-bills.ts";
import { checkCalls } from "./check-calls.ts";
import { checkCauses } from "./check-causes.ts";
import { checkEnds } from "./check-ends.ts";
import { checkGroups } from "./check-groups.ts";
import { checkLeads } from "./check-leads.ts";
import { checkHistory } from "./check-moves.ts";
import { checkPauses } from "./check-pauses.ts";
import { checkPresses } from "./check-presses.ts";
import { checkPromises } from "./check-sent.ts";
import { checkShown } from "./check-shown.ts";
import { checkVisits } from "./check-visits.ts";
import { checkWords } from "./check-words.ts";
import { checkOrders, type Orders } from "./operator.ts";
import type { Request, Visit } from "./people.ts";
import { PORT_TAKEN } from "./slot.ts";

export type People = { visits: Visit[]; requests: Request[]; orders: Orders };

export function check(booth: Booth, { visits, requests, orders }: People): string[] {
  return [
    ...checkAlways(booth),
    ...checkPromises(booth),
    ...checkVisits(booth, visits),
    ...checkEnds(booth, visits),
    ...checkShown(booth),
    ...checkPauses(booth),
    ...checkGroups(booth),
    ...checkWords(booth, visits),
    ...checkLeads(booth, requests),
    ...checkOrders(booth, orders),
    ...checkBills(booth),
    ...checkPresses(booth, requests),
    ...checkCalls(booth),
    ...checkCauses(booth),
  ];
}

/** What holds whenever nothing is under way. */
export const checkAlways = (booth: Booth): string[] => [
  ...booth.faults,
  ...booth.sim.violations.map((what) => `Telegram or an artist objected: ${what}`),
  ...integrityFaults(booth.db).map((what) => `database: ${what}`),
  ...checkProcesses(booth),
  ...checkHistory(booth),
  ...checkOrphans(booth),
];

const BUG =
  /"err":"[^"]*(TypeError|RangeError|ReferenceError|SyntaxError|constraint failed|bad parameter or other API misuse)/;

/** Nothing dies by itself, and nothing throws what no one thought of. */
function checkProcesses(booth: Booth): string[] {
  const { slots } = booth;
  const deaths = slots
    .flatMap((slot) => slot.deaths)
    // Another program of this machine took the port while nobody held it.
    .filter(({ output }) => !output.includes(PORT_TAKEN))
    .filter((death) => !death.expected && !(death.output.includes("cannot start") && wasTroubled(booth, death.at)))
    .map((death) => `the ${death.who} ended by itself with ${death.code}: ${death.output}`);
  const lines = slots.flatMap((slot) => [...slot.lines, ...(slot.program?.lines ?? [])]);
  const bugs = lines
    // What Telegram or an artist answered is no bug of ours, however our parser words it.
    .filter((line) => BUG.test(line) && !/"reason":|SetupFailed/.test(line))
    .map((line) => `a bug in the log: ${line.slice(0, 400)}`);
  return [...deaths, ...bugs.slice(0, 5)];
}

const wasTroubled = (booth: Booth, at: number) => booth.spans.some(({ from, to }) => from <= at && at <= to + 6_000);

const orphans: Record<string, string> = {
  "a visit at photo_taken without a living job":
    "SELECT token AS id FROM sessions s WHERE status = 'photo_taken' AND NOT EXISTS (SELECT 1 FROM jobs WHERE session_token = s.token AND status IN ('queued', 'running', 'delivering'))",
  "a job whose visit ended otherwise":
    "SELECT j.id FROM jobs j JOIN sessions s ON s.token = j.session_token WHERE j.status IN ('done', 'failed') AND j.status <> s.status",
  "a visit done or failed without such a job":
    "SELECT token AS id FROM sessions s WHERE status IN ('done', 'failed') AND problem IS NOT 'erased' AND NOT EXISTS (SELECT 1 FROM jobs WHERE session_token = s.token AND (status = s.status OR status = 'cancelled' AND problem = 'cancelled' AND s.problem = 'cancelled'))",
  "a done job without a pack that Telegram has":
    "SELECT id FROM jobs j WHERE status = 'done' AND NOT EXISTS (SELECT 1 FROM packs WHERE job_id = j.id AND created_at IS NOT NULL)",
  "a job that ended and is still held":
    "SELECT id FROM jobs WHERE status NOT IN ('running') AND (owner IS NOT NULL OR lease_until IS NOT NULL)",
  "a question that is still open for a visit that has gone on":
    "SELECT session_token AS id FROM questions WHERE session_token NOT IN (SELECT token FROM sessions WHERE status = 'linked')",
  "a job given up before its workers had died often":
    "SELECT id FROM jobs WHERE status = 'failed' AND problem = 'worker_died' AND attempt < 3",
  "a job given up before the artists had been asked often":
    "SELECT id FROM jobs WHERE status = 'failed' AND problem = 'providers_down' AND rounds < 5",
  "a card of no lead": "SELECT message_id AS id FROM lead_cards WHERE number NOT IN (SELECT number FROM leads)",
  "history of no row":
    "SELECT id FROM history WHERE (machine = 'jobs' AND subject NOT IN (SELECT CAST(id AS TEXT) FROM jobs)) OR (machine = 'sessions' AND subject NOT IN (SELECT token FROM sessions)) OR (machine = 'leads' AND subject NOT IN (SELECT CAST(number AS TEXT) FROM leads))",
};

function checkOrphans(booth: Booth): string[] {
  const found = Object.entries(orphans).flatMap(([what, sql]) =>
    booth.rows(sql).map(({ id }: { id: string | number }) => `${what}: ${id}`),
  );
  const owners = booth.rows("SELECT token AS folder FROM sessions UNION ALL SELECT folder FROM tryouts");
  const folders = new Set(owners.map(({ folder }: { folder: string }) => folder));
  const strays = booth
    .files()
    .filter((file) => !file.startsWith("debug_sheets/"))
    // An api that dies right after it stored the photo of a try-out leaves it to the sweep.
    .filter((file) => !(file.startsWith("sessions/tryout-") && booth.api.deaths.length > 0))
    .filter((file) => !(file.startsWith("sessions/") && folders.has(file.split("/")[1] ?? "")));
  return [...found, ...strays.map((file) => `a file of no visit: ${file}`)];
}
