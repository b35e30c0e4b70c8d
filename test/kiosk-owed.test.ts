/** Sessions that a guest left while the network was away: closed later, without a flood of calls meanwhile. */
import { expect, test } from "bun:test";
import { onScreen } from "./kiosk/browser.ts";
import { holdClock, walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

const EXPIRE = /\/expire$/;
/** kiosk/visit.js waits so long between two tries. */
const RETRY_S = 5;

inChromium("sessions still to be closed", ({ open }) => {
  test(
    "are each asked for once in five seconds, however long the server is away, and closed when it is back",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      mock.faults = [{ path: EXPIRE, status: 503, code: "unavailable" }];
      for (const guests of [1, 2]) {
        await walkTo(stand, "qr", "en", "start");
        await page.click("#qr [data-do=leave]");
        await onScreen(page, "start");
        expect(mock.sessions.size).toBe(guests);
      }
      await holdClock(page);
      const before = mock.asked(EXPIRE);
      const since = () => mock.asked(EXPIRE) - before;
      let seconds = 0;
      for (; since() < 20; seconds++) await page.clock.runFor(1000);
      // The two that were on their way, and two in each five seconds.
      expect(since()).toBeLessThanOrEqual(2 + 2 * Math.ceil(seconds / RETRY_S));
      mock.faults = [];
      const closed = () => [...mock.sessions.values()].every(({ status }) => status === "expired");
      while (!closed()) await page.clock.runFor(1000);
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "are not asked for again while an answer is on its way",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      const { promise: heldUntil, resolve: letGo } = Promise.withResolvers<void>();
      mock.faults = [{ path: EXPIRE, heldUntil }];
      await walkTo(stand, "qr");
      // An answer that takes more than ten seconds of the page's is no longer waited for.
      await holdClock(page);
      await page.click("#qr [data-do=leave]");
      await mock.until(() => mock.asked(EXPIRE) === 1);
      const settle = () => page.evaluate((path) => import(path).then((visit) => visit.settleOwed()), "/visit.js");
      for (let times = 0; times < 3; times++) await settle();
      // A call that goes out after those would be the second one.
      await page.evaluate(() => fetch("/templates?lang=en").then((answer) => answer.text()));
      expect(mock.asked(EXPIRE)).toBe(1);
      letGo();
      await page.waitForFunction(() => sessionStorage.getItem("kiosk.expire") === null);
    },
    TEST_MS,
  );
});
