/** What goes wrong at night: slips of the hand, a neighbour on our ports, a full disk, a clock that was ahead. On a machine of its own. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { migrations } from "../shared/migrations/index.ts";
import { ROOT, scratch } from "./deploy/booth.ts";
import { bootMachine, type Machine } from "./deploy/machine.ts";
import { bunPackage, releaseArchive } from "./deploy/release.ts";

setDefaultTimeout(240_000);

const SIM_PORT = 8932;
const DOMAIN = "booth.test";
const APP = "/opt/sticker-booth";
const STATE = "/var/lib/sticker-booth";
const FIRST = "20260101T000000Z-aaaaaaa";
const BAD = "20260102T000000Z-bbbbbbb";
const booted = await bootMachine();
if (typeof booted === "string")
  console.warn(`Tests of the deployment's bad nights on a machine of its own are left out: ${booted}.`);
const machine = booted as Machine;
const folder = scratch("nights-");

async function send(path: string, name: string) {
  const words = ["nsenter", ...machine.entry, "bash", "-c", `mkdir -p '/tmp/in here' && cat > '/tmp/in here/${name}'`];
  expect(await Bun.spawn(words, { stdin: await Bun.file(path).bytes(), stdout: "ignore" }).exited).toBe(0);
}

const setup = (words: string) => machine.sh(`bash /tmp/setup/deploy/setup.sh ${words}`);
const update = (name: string, words = "") =>
  machine.sh(`bash /tmp/setup/deploy/update.sh '/tmp/in here/${name}.tar.gz' ${name} ${words}`, {
    HEALTHY_WITHIN_S: "20",
  });
const serving = async () => (await machine.ok(`readlink ${APP}/current`)).trim().split("/").at(-1);

describe.if(typeof booted !== "string")("on a bad night", () => {
  beforeAll(async () => {
    const bun = bunPackage(folder.path);
    const lock = { "bun.lock": bun.lock };
    await send(releaseArchive(folder.path, FIRST, lock), `${FIRST}.tar.gz`);
    const broken = {
      "bot/main.ts": "process.exit(1);\n",
      "shared/migrations/999-trial.sql": "CREATE TABLE trial (x TEXT) STRICT;",
      "shared/migrations/index.ts": (text: string) =>
        text
          .replace("export const", `import trial from "./999-trial.sql" with { type: "text" };\nexport const`)
          .replace(/\n\];/, `\n  { version: ${migrations.length + 1}, name: "999-trial", sql: trial },\n];`),
    };
    await send(releaseArchive(folder.path, BAD, { ...lock, ...broken }), `${BAD}.tar.gz`);
    await send(bun.file, "bun package.tgz");
    await machine.ok(`rm -rf /etc/caddy; mkdir -p /etc/caddy/sites /tmp/setup; rm -f /usr/local/bin/booth
      ufw --force reset; tar -xzf '/tmp/in here/${FIRST}.tar.gz' -C /tmp/setup
      printf '{\\nlocal_certs\\nskip_install_trust\\n}\\nimport sites/neighbour.caddy\\n' > /etc/caddy/Caddyfile
      printf 'http://neighbour.test:8081 {\\nrespond "still here"\\n}\\n' > /etc/caddy/sites/neighbour.caddy
      systemd-run --unit=trial-sim --property=StandardOutput=file:/run/sim.env ${process.execPath} ${ROOT}test/deploy/sim-server.ts ${SIM_PORT}`);
  });
  afterAll(async () => {
    await machine.stop();
    folder[Symbol.dispose]();
  });

  test("a domain or an address that is none is refused before anything is written", async () => {
    for (const [words, complaint] of [
      [`--domain https://${DOMAIN}`, "is no domain"],
      [`--domain ${DOMAIN} --api 8000`, "HOST:PORT"],
    ] as const) {
      const { code, err } = await setup(words);
      expect([words, code, err]).toEqual([words, 1, expect.stringContaining(complaint)]);
    }
    expect((await machine.sh("ls -d /etc/sticker-booth || id sticker")).code).not.toBe(0);
  });

  test("where another program has port 80, it is said; the next run goes on, and sshd's own port stays open", async () => {
    // The umask of a guarded root must not make what the booth's user cannot read.
    await machine.ok("mkdir -p /run/sshd && echo 'Port 2299' > /etc/ssh/sshd_config.d/trial.conf");
    await machine.ok(`systemctl stop caddy; systemd-run --unit=squatter --service-type=exec ${process.execPath} -e 'Bun.serve({ port: 80, fetch: () => new Response() })'
      until curl -s http://127.0.0.1:80/; do sleep 0.1; done`);
    const words = `--domain ${DOMAIN} --bun '/tmp/in here/bun package.tgz'`;
    const taken = await machine.sh(`umask 077; bash /tmp/setup/deploy/setup.sh ${words}`);
    expect([taken.code, taken.err]).toEqual([1, expect.stringContaining("port 80 or 443")]);
    await machine.ok("systemctl stop squatter; systemctl reset-failed caddy");
    const again = await setup(words);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining("done")]);
    expect(await machine.ok("ufw status")).toMatch(/2299\/tcp +ALLOW/);
    // Also where the main file names its sites one by one.
    expect(await machine.ok(`curl -sSk --resolve ${DOMAIN}:443:127.0.0.1 https://${DOMAIN}/health`)).toContain(
      "unavailable",
    );
    expect(await machine.ok("curl -sS -H 'Host: neighbour.test' http://127.0.0.1:8081/")).toBe("still here");
    expect(await machine.ok("ls -A /etc/caddy")).toBe("Caddyfile\nsites\n");
  });

  test("a file that a full disk has no room for stays the old one", async () => {
    const { code } =
      await machine.sh(`mkdir -p /tmp/small && mount -t tmpfs -o size=12k tmpfs /tmp/small && echo old > /tmp/small/unit
      head -c 20000 /dev/zero > /tmp/larger; . /tmp/setup/deploy/lib.sh; put 0644 /tmp/larger /tmp/small/unit`);
    expect(code).not.toBe(0);
    expect(await machine.ok("ls -A /tmp/small && cat /tmp/small/unit")).toBe("unit\nold\n");
  });

  test("before the first release `booth` says what is missing; a slip in an option changes nothing", async () => {
    const { code, err } = await machine.sh("booth doctor");
    expect([code, err]).toEqual([1, expect.stringContaining("There is no release here yet")]);
    await machine.ok("cat /run/sim.env >> /etc/sticker-booth/env");
    const slip = await update(FIRST, "--dryrun");
    expect([slip.code, slip.err]).toEqual([1, expect.stringContaining("does not know --dryrun")]);
    expect((await machine.sh(`readlink -e ${APP}/current`)).code).toBe(1);
  });

  test("a broken archive is refused in words, by a root with a strict umask and a foreign language too", async () => {
    await machine.ok(`head -c 100000 '/tmp/in here/${FIRST}.tar.gz' > '/tmp/in here/half.tar.gz'`);
    const half = await machine.sh(`bash /tmp/setup/deploy/update.sh '/tmp/in here/half.tar.gz' ${FIRST}`);
    expect([half.code, half.err]).toEqual([1, expect.stringContaining("could not be unpacked")]);
    // What a power cut left of another update goes; two at once are one too many.
    await machine.ok(`mkdir ${APP}/releases/.20251231T000000Z-0000000.new`);
    const both = await machine.sh(
      `exec 8>${APP}/.lock; flock 8; bash /tmp/setup/deploy/update.sh '/tmp/in here/${FIRST}.tar.gz' ${FIRST} 8>&-`,
    );
    expect([both.code, both.err]).toEqual([1, expect.stringContaining("Another update is running")]);
    const words = `umask 077; bash /tmp/setup/deploy/update.sh '/tmp/in here/${FIRST}.tar.gz' ${FIRST}`;
    const { code, out } = await machine.sh(words, { LC_ALL: "ru_RU.UTF-8", LANG: "ru_RU.UTF-8" });
    expect([code, out]).toEqual([0, expect.stringContaining(`${FIRST} serves`)]);
    expect(await machine.ok(`ls -A ${APP}/releases`)).toBe(`${FIRST}\n`);
    const slip = await machine.sh(`bash ${APP}/current/deploy/rollback.sh --dryrun`);
    expect([slip.code, slip.err]).toEqual([1, expect.stringContaining("does not know --dryrun")]);
  });

  test("an update that is killed leaves the running release alone, and no other to fall back to", async () => {
    await machine.ok(`bash /tmp/setup/deploy/update.sh '/tmp/in here/${BAD}.tar.gz' ${BAD} > /tmp/killed 2>&1 & update=$!
      until grep -q rehearsal /tmp/killed; do kill -0 $update || exit 1; sleep 0.1; done; kill -9 $update
      flock -w 120 ${APP}/.lock true`);
    expect(await serving()).toBe(FIRST);
    expect(await machine.ok("systemctl is-active sticker-api sticker-bot")).toBe("active\nactive\n");
    expect(await machine.ok(`ls ${APP}/releases`)).toBe(`${FIRST}\n`);
  });

  test("an update that is killed while nothing runs: the booth is started again", async () => {
    await machine.ok(`bash /tmp/setup/deploy/update.sh '/tmp/in here/${BAD}.tar.gz' ${BAD} > /tmp/killed 2>&1 & update=$!
      until ! systemctl -q is-active sticker-api; do kill -0 $update || exit 1; done; kill -9 $update
      flock -w 120 ${APP}/.lock true; until systemctl -q is-active sticker-api && systemctl -q is-active sticker-bot; do sleep 0.1; done`);
    expect(await serving()).toBe(FIRST);
  });

  test("a backup that root brought is refused with the way to mend it", async () => {
    await machine.ok(
      `booth backup && cd ${STATE}/backups && cp "$(ls | tail -n 1)" 'a copy.gz' && chmod 600 'a copy.gz'`,
    );
    const { code, err } = await machine.sh("booth restore 'a copy.gz' --dry-run");
    expect([code, err]).toEqual([1, expect.stringContaining(`chown sticker: '${STATE}/backups/a copy.gz'`)]);
    await machine.ok(`chown sticker: '${STATE}/backups/a copy.gz' && booth restore 'a copy.gz' --dry-run`);
  });

  test("going back takes the backup of this update, not one of a clock that was ahead, and waits for whoever reads", async () => {
    // Good in itself, and of another day: it must not come back.
    await machine.ok(`booth stop && cd ${APP}/current && runuser -u sticker -- env DATA_DIR=${STATE} ./bun -e '
      import { takeBackup } from "./shared/backup/take.ts";
      await takeBackup("${STATE}", Date.UTC(2099, 0, 1))' && booth start
      curl -sS --fail --retry 60 --retry-connrefused --retry-delay 1 -X POST -H 'Content-Type: application/json' -d '{}' http://127.0.0.1:8000/session`);
    // Somebody looks into the database while the old one is to come back, and is done some seconds later.
    await machine.ok(`systemd-run --unit=reader --uid=sticker --service-type=exec --working-directory=${APP}/current bash -c '
      until grep -q "going back" ${APP}/update.log; do sleep 0.1; done
      exec ./bun -e "
        import { openReadOnly } from \\"./shared/db.ts\\";
        const db = openReadOnly(\\"${STATE}/app.db\\");
        db.query(\\"SELECT count(*) FROM users\\").get();
        await Bun.sleep(8000);"'`);
    const { code, err } = await update(BAD);
    expect([code, err]).toEqual([1, expect.stringContaining(`${FIRST} serves again`)]);
    expect(await serving()).toBe(FIRST);
    const visits = await machine.ok(`cd ${APP}/current && DATA_DIR=${STATE} ./bun -e '
      import { factsOf } from "./shared/backup/database.ts";
      console.log(factsOf("${STATE}/app.db").rows.sessions)'`);
    expect(visits).toBe("1\n");
  });
});
