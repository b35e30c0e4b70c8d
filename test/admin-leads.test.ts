/** The page's desk of leads: two operators, one lead. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { moveLead } from "../shared/leads/lead.ts";
import { admin, openBooth, TEST_MS, USER } from "./admin-world.ts";
import { store, withDb } from "./leads-world.ts";
import type { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openBooth({ bot: false });
}, TEST_MS);
afterAll(() => world[Symbol.asyncDispose]());

const setStatus = (number: number, body: unknown) => admin(world, `POST leads/${number}/status`, body);
const statusOf = (number: number) => world.rows("SELECT status FROM leads WHERE number = ?", number)[0].status;
const audits = () => world.rows("SELECT count(*) AS n FROM audit_log WHERE action = 'lead'")[0].n;

test("a status that is as it was seen is changed; with none seen as ever", async () => {
  const [one, two] = withDb(world, (db) => [store(db), store(db)]) as [number, number];
  expect(await setStatus(one, { status: "in_progress", seen: "new" })).toMatchObject({
    status: 200,
    body: { status: "in_progress", status_by: USER },
  });
  expect((await setStatus(two, { status: "won" })).body.status).toBe("won");
  expect((await setStatus(two, { status: "new", seen: null })).body.status).toBe("new");
});

test("the second of two operators is told who was first, and nothing is overwritten", async () => {
  const number = withDb(world, (db) => {
    const made = store(db);
    moveLead(db, made, { to: "lost", actor: "operator:7 Ann", by: "Ann (@ann)", now: Date.now() });
    return made;
  });
  const before = audits();
  // Also when both wanted the same: whose it is, is news.
  for (const status of ["won", "in_progress", "lost"]) {
    const { status: code, body } = await setStatus(number, { status, seen: "new" });
    expect([code, body.error]).toEqual([409, "conflict"]);
    expect(body.message).toBe(
      `Lead ${number} was changed meanwhile: it is lost now, by Ann (@ann). Look at it again, then choose.`,
    );
  }
  expect([statusOf(number), audits()]).toEqual(["lost", before]);
  const closed = await setStatus(number, { status: "won" });
  expect([closed.status, closed.body.error]).toEqual([409, "wrong_status"]);
});

test("what is no status is refused by its field", async () => {
  const number = withDb(world, (db) => store(db));
  const { status, body } = await setStatus(number, { status: "won", seen: "old" });
  expect([status, Object.keys(body.fields)]).toEqual([422, ["seen"]]);
  expect((await setStatus(999_999, { status: "won" })).status).toBe(404);
});
