/** From a bare machine to a served, updated, rolled-back and backed-up booth, on a real systemd, ufw and Caddy. One story, in order. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { migrations } from "../shared/migrations/index.ts";
import { ROOT, scratch } from "./deploy/booth.ts";
import { bootMachine, type Machine } from "./deploy/machine.ts";
import { bunPackage, releaseArchive } from "./deploy/release.ts";

setDefaultTimeout(240_000);

const SIM_PORT = 8931;
const DOMAIN = "booth.test";
const APP = "/opt/sticker-booth";
const booted = await bootMachine();
if (typeof booted === "string")
  console.warn(`Tests of the deployment on a machine of its own are left out: ${booted}.`);
const machine = booted as Machine;

// The machine sees the repository, and nothing else of ours: what it needs is put under it.
const folder = scratch("releases-");
const NAMES = {
  first: "20260101T000000Z-aaaaaaa",
  unheard: "20260101T120000Z-abababa",
  badMigration: "20260102T000000Z-bbbbbbb",
  badBot: "20260103T000000Z-ccccccc",
  second: "20260104T000000Z-ddddddd",
  third: "20260105T000000Z-eeeeeee",
  fourth: "20260106T000000Z-fffffff",
};
const newest = migrations.length;
const withMigration = (sql: string) => ({
  "shared/migrations/999-trial.sql": sql,
  "shared/migrations/index.ts": (text: string) =>
    text
      .replace("export const", `import trial from "./999-trial.sql" with { type: "text" };\nexport const`)
      .replace(/\n\];/, `\n  { version: ${newest + 1}, name: "999-trial", sql: trial },\n];`),
});
const brokenBot = { "bot/main.ts": "// a release that was never tried\nprocess.exit(1);\n" };

const update = (name: string) =>
  machine.sh(`bash ${APP}/current/deploy/update.sh /tmp/in/${name}.tar.gz ${name}`, { HEALTHY_WITHIN_S: "60" });
const serving = async () => (await machine.ok(`readlink ${APP}/current`)).trim().split("/").at(-1);
/** Waits until the api listens: a unit counts as started before. */
const served = () =>
  machine.ok("curl -sS --retry 60 --retry-connrefused --retry-delay 1 http://127.0.0.1:8000/templates");
const health = async () => JSON.parse(await machine.ok("curl -sS http://127.0.0.1:8000/health"));
const rows = async () =>
  Number(
    await machine.ok(`cd ${APP}/current && DATA_DIR=/var/lib/sticker-booth ./bun -e '
  import { factsOf } from "./shared/backup/database.ts";
  console.log(factsOf("/var/lib/sticker-booth/app.db").rows.sessions)'`),
  );
/** A visit, as a tablet starts one through Caddy. */
const visit = () =>
  machine.ok(
    `curl -sSk --fail --resolve ${DOMAIN}:443:127.0.0.1 -X POST -H 'Content-Type: application/json' -d '{}' https://${DOMAIN}/session`,
  );
/** Waits until the operators were told so. */
const tells = (text: string) =>
  machine.ok(
    `for i in $(seq 600); do curl -sS http://127.0.0.1:${SIM_PORT}/sim/state | grep -qF '${text}' && exit; sleep 0.2; done; exit 1`,
  );
const told = () => machine.ok(`curl -sS http://127.0.0.1:${SIM_PORT}/sim/state`);

/** Puts a file into the machine's /tmp/in. */
async function send(path: string) {
  const bytes = await Bun.file(path).bytes();
  const name = path.split("/").at(-1);
  const into = Bun.spawn(["nsenter", ...machine.entry, "bash", "-c", `mkdir -p /tmp/in && cat > /tmp/in/${name}`], {
    stdin: bytes,
    stdout: "ignore",
  });
  expect(await into.exited).toBe(0);
}

describe.if(typeof booted !== "string")("a machine", () => {
  beforeAll(async () => {
    const bun = bunPackage(folder.path);
    const releases: [string, Record<string, string | ((text: string) => string)>][] = [
      [NAMES.first, {}],
      [NAMES.unheard, {}],
      [NAMES.badMigration, withMigration("CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);")],
      [NAMES.badBot, { ...withMigration("CREATE TABLE trial (x TEXT) STRICT;"), ...brokenBot }],
      [NAMES.second, withMigration("CREATE TABLE trial (x TEXT) STRICT;")],
      [NAMES.third, withMigration("CREATE TABLE trial (x TEXT) STRICT;")],
      [NAMES.fourth, withMigration("CREATE TABLE trial (x TEXT) STRICT;")],
    ];
    for (const [name, changes] of releases)
      await send(releaseArchive(folder.path, name, { "bun.lock": bun.lock, ...changes }));
    await send(bun.file);
    // The neighbour, who was here first.
    await machine.ok(`rm -rf /etc/caddy/sites; printf '{\\nlocal_certs\\nskip_install_trust\\n}\\nhttp://neighbour.test:8081 {\\nrespond "still here"\\n}\\n' > /etc/caddy/Caddyfile
      systemctl start caddy; ufw --force reset; rm -f /usr/local/bin/booth
      mkdir -p /tmp/setup && tar -xzf /tmp/in/${NAMES.first}.tar.gz -C /tmp/setup`);
    await machine.ok(
      `systemd-run --unit=trial-sim --property=StandardOutput=file:/run/sim.env ${process.execPath} ${ROOT}test/deploy/sim-server.ts ${SIM_PORT}`,
    );
  });
  afterAll(async () => {
    await machine.stop();
    folder[Symbol.dispose]();
  });

  test("a dry run of the setup changes nothing", async () => {
    const { code, out } = await machine.sh(`bash /tmp/setup/deploy/setup.sh --domain ${DOMAIN} --dry-run`);
    expect([code, out]).toEqual([0, expect.stringContaining("nothing was changed")]);
    expect((await machine.sh(`id sticker; ls ${APP} /etc/sticker-booth`)).code).not.toBe(0);
  });

  test("is set up, twice with the same result, and a Bun that bun.lock does not know is refused", async () => {
    const setup = `bash /tmp/setup/deploy/setup.sh --domain ${DOMAIN}`;
    await machine.ok(`printf x > /tmp/in/wrong.tgz`);
    const wrong = await machine.sh(`${setup} --bun /tmp/in/wrong.tgz`);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("SHA-512 differs")]);
    const bun = (await machine.ok("ls /tmp/in/bun-*.tgz")).trim();
    await machine.ok(`${setup} --bun ${bun}`, { SSH_CONNECTION: "203.0.113.5 50000 203.0.113.1 2222" });
    const look = `stat -c '%n %U:%G %a' /etc/sticker-booth/env /var/lib/sticker-booth ${APP} ${APP}/bun/*/bun /etc/systemd/system/sticker* ; ufw status; cat /etc/caddy/Caddyfile; cat /etc/caddy/sites/*; getent passwd sticker; systemctl list-timers --all --no-legend 'sticker-*' | grep -o 'sticker-[a-z-]*.timer' | sort`;
    const first = await machine.ok(look);
    expect(await machine.ok(setup)).toContain("done");
    expect((await machine.ok(look)).replace(/^.*2222.*$/gm, "")).toBe(first.replace(/^.*2222.*$/gm, ""));
    expect(first).toContain("/etc/sticker-booth/env root:sticker 640");
    expect(first).toContain("/var/lib/sticker-booth sticker:sticker 700");
    expect(first).toMatch(/22\/tcp +ALLOW[\s\S]*80\/tcp +ALLOW[\s\S]*443\/tcp +ALLOW/);
    expect(first).toMatch(/2222\/tcp +ALLOW/);
    expect(first).toContain("sticker-backup-check.timer\nsticker-backup.timer");
    expect(first).toMatch(/^sticker:.*nologin$/m);
    expect(await machine.ok("curl -sS -H 'Host: neighbour.test' http://127.0.0.1:8081/")).toBe("still here");
  });

  test("a site that Caddy refuses is undone, and the neighbour is served all along", async () => {
    const before = await machine.ok("cat /etc/caddy/Caddyfile /etc/caddy/sites/*");
    await machine.ok(`cp -r /tmp/setup /tmp/broken && echo 'nonsense {' >> /tmp/broken/deploy/caddy/stickers.caddy`);
    const { code, err } = await machine.sh(`bash /tmp/broken/deploy/caddy.sh ${DOMAIN}`);
    expect([code, err]).toEqual([1, expect.stringContaining("everything is as it was")]);
    expect(await machine.ok("cat /etc/caddy/Caddyfile /etc/caddy/sites/*")).toBe(before);
    expect(await machine.ok("curl -sS -H 'Host: neighbour.test' http://127.0.0.1:8081/")).toBe("still here");
  });

  test("without settings the first release is refused in plain words", async () => {
    const { code, out, err } = await machine.sh(
      `bash /tmp/setup/deploy/update.sh /tmp/in/${NAMES.first}.tar.gz ${NAMES.first}`,
    );
    expect([code, err]).toEqual([1, expect.stringContaining("does not run on a copy")]);
    expect(out + err).toContain("BOT_TOKEN is required");
    expect((await machine.sh(`ls -A ${APP}/releases`)).out).toBe("");
  });

  test("a push over real SSH brings the committed tree, once there are settings", async () => {
    await machine.ok("cat /run/sim.env >> /etc/sticker-booth/env; echo KIOSK_KEY= >> /etc/sticker-booth/env");
    await machine.ok(`mkdir -p /run/sshd /root/.ssh && chmod 700 /root/.ssh && rm -f /root/.ssh/*
      ssh-keygen -q -A && ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519 && cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys
      # It goes to the background before it listens.
      /usr/sbin/sshd && for i in $(seq 600); do ssh-keyscan -H 127.0.0.1 > /root/.ssh/known_hosts 2>/dev/null && exit; sleep 0.1; done; exit 1`);
    const push = `cd ${ROOT} && ${process.execPath} deploy/push.ts root@127.0.0.1`;
    const dry = await machine.ok(`${push} --dry-run`);
    expect(dry).toContain("nothing was changed");
    expect((await machine.sh(`readlink -e ${APP}/current`)).code).toBe(1);
    const pushed = await machine.ok(push);
    const name = /as (\S+)/.exec(pushed)?.[1];
    expect(pushed).toContain(`${name} serves`);
    expect(await serving()).toBe(name);
    expect((await health()).status).toBe("ok");
    expect(await machine.ok("ls -d /tmp/tmp.* 2>/dev/null | wc -l")).toBe("0\n");
  });

  test("it serves by TLS through Caddy, as its own user", async () => {
    await machine.ok(`bash /tmp/setup/deploy/update.sh /tmp/in/${NAMES.first}.tar.gz ${NAMES.first}`);
    // The pushed release is dated today, after all those of this story.
    await machine.ok(`cd ${APP}/releases && ls | grep -v ${NAMES.first} | xargs rm -rf`);
    expect(await serving()).toBe(NAMES.first);
    expect((await health()).status).toBe("ok");
    await visit();
    expect(await rows()).toBe(1);
    expect(await machine.ok("ps -o user= -C bun | sort -u")).toContain("sticker");
    expect((await machine.ok("stat -c '%a %U' /var/lib/sticker-booth/app.db")).trim()).toBe("600 sticker");
    const again = await update(NAMES.first);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("already")]);
  });

  test("a backup, its check, the drill and the doctor run by the units and by `booth`", async () => {
    await machine.ok("systemctl start sticker-backup.service");
    expect(await machine.ok("booth check")).toContain("good");
    await machine.ok("systemctl start sticker-backup-check.service");
    expect(await told()).toContain("The restore drill passed");
    // Processes in user namespaces of their own (PrivateUsers=) are not seen in /proc; the database's lock gives them away.
    const held = await machine.sh("booth restore $(ls /var/lib/sticker-booth/backups | head -1)");
    expect([held.code, held.err]).toEqual([1, expect.stringContaining("app.db is in use by")]);
    const doctor = await machine.sh("booth doctor");
    // Its PUBLIC_URL has a name and a certificate that only this machine believes in.
    expect(doctor.out.split("\n").filter((line) => line.startsWith("FAIL"))).toEqual([
      expect.stringContaining(`nothing answers at https://${DOMAIN}`),
    ]);
  });

  test("a unit that fails tells the operators, even when settings are what failed it", async () => {
    await machine.ok("cp -p /etc/sticker-booth/env /root/env && echo PACK_LIMIT=many >> /etc/sticker-booth/env");
    await machine.sh("systemctl restart sticker-api.service");
    await tells("sticker-api.service failed (wrong settings)");
    // Wrong settings do not mend themselves: it is not tried again.
    expect((await machine.sh("systemctl show -p ActiveState -p NRestarts sticker-api")).out).toBe(
      "NRestarts=0\nActiveState=failed\n",
    );
    await machine.ok("cp -p /root/env /etc/sticker-booth/env && booth start");
    await served();

    const backups = "/var/lib/sticker-booth/backups";
    await machine.ok(`mv ${backups} ${backups}.away && touch ${backups}`);
    expect((await machine.sh("systemctl start sticker-backup.service")).code).not.toBe(0);
    await tells("sticker-backup.service failed");
    await machine.ok(`rm ${backups} && mv ${backups}.away ${backups}`);
  });

  test("a release whose migration fails is refused, and the old one never stopped", async () => {
    const since = await machine.ok("systemctl show -p ActiveEnterTimestamp --value sticker-api sticker-bot");
    const { code, err } = await update(NAMES.badMigration);
    expect([code, err]).toEqual([1, expect.stringContaining("Migration 999-trial failed and was rolled back")]);
    expect(await machine.ok("systemctl show -p ActiveEnterTimestamp --value sticker-api sticker-bot")).toBe(since);
    expect((await health()).status).toBe("ok");
    expect((await machine.ok(`ls ${APP}/releases`)).trim()).toBe(NAMES.first);
  });

  test("whatever fails in the midst of the switch, the old release comes back", async () => {
    // Nothing can be written where the units are.
    await machine.ok("mount -o remount,ro /etc/systemd/system");
    const { code, err } = await update(NAMES.second);
    await machine.ok("mount -o remount,rw /etc/systemd/system");
    expect([code, err]).toEqual([1, expect.stringContaining(`${NAMES.first} serves again`)]);
    expect(await serving()).toBe(NAMES.first);
    expect((await health()).status).toBe("ok");
    expect((await machine.ok(`ls ${APP}/releases`)).trim()).toBe(NAMES.first);
  });

  test("an update whose connection breaks goes on to its end, and is written down", async () => {
    const words = `bash ${APP}/current/deploy/update.sh /tmp/in/${NAMES.unheard}.tar.gz ${NAMES.unheard}`;
    await machine.ok(`ssh -o BatchMode=yes root@127.0.0.1 '${words}' > /tmp/heard 2>&1 & ssh=$!
      until grep -q rehearsal /tmp/heard; do kill -0 $ssh || exit 1; sleep 0.1; done; kill -9 $ssh
      flock -w 180 ${APP}/.lock true
      for i in $(seq 600); do tail -n 1 ${APP}/update.log | grep -q ' serves$' && break; sleep 0.1; done`);
    expect(await machine.ok("cat /tmp/heard")).not.toContain("serves");
    expect(await machine.ok(`tail -n 1 ${APP}/update.log`)).toBe(`${NAMES.unheard} serves\n`);
    expect(await serving()).toBe(NAMES.unheard);
    expect((await health()).status).toBe("ok");
    await machine.ok(`bash ${APP}/current/deploy/rollback.sh && rm -r ${APP}/releases/${NAMES.unheard}`);
  });

  test("a release that migrates well but is not healthy goes, its schema too, and the old one serves on", async () => {
    await visit();
    const { code, out, err } = await machine.sh(
      `bash ${APP}/current/deploy/update.sh /tmp/in/${NAMES.badBot}.tar.gz ${NAMES.badBot}`,
      { HEALTHY_WITHIN_S: "20" },
    );
    expect([code, err]).toEqual([1, expect.stringContaining(`${NAMES.first} serves again`)]);
    expect(out).toContain("going back");
    expect(await serving()).toBe(NAMES.first);
    expect((await health()).status).toBe("ok");
    expect(await rows()).toBe(2);
    expect((await machine.ok(`ls ${APP}/releases`)).trim()).toBe(NAMES.first);
  });

  test("a good release serves on the migrated database; the way back asks for a backup, and takes it", async () => {
    const updated = await update(NAMES.second);
    expect([updated.code, updated.err]).toEqual([0, ""]);
    expect(await serving()).toBe(NAMES.second);
    await visit();
    const refused = await machine.sh(`bash ${APP}/current/deploy/rollback.sh`);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`knows up to ${newest}`)]);
    expect(await serving()).toBe(NAMES.second);
    const safe = (await machine.ok("ls /var/lib/sticker-booth/backups | tail -1")).trim();
    await machine.ok(`bash ${APP}/current/deploy/rollback.sh --restore ${safe}`);
    expect(await serving()).toBe(NAMES.first);
    expect(await rows()).toBe(2);
    expect((await machine.ok("ls /var/lib/sticker-booth")).match(/app\.db\.replaced-\S+/g)?.length).toBeGreaterThan(0);
  });

  test("the last three releases are kept", async () => {
    await machine.ok(`rm -rf ${APP}/releases/${NAMES.second}`);
    for (const name of [NAMES.second, NAMES.third, NAMES.fourth]) expect((await update(name)).code).toBe(0);
    expect((await machine.ok(`ls ${APP}/releases`)).trim().split("\n")).toEqual([
      NAMES.second,
      NAMES.third,
      NAMES.fourth,
    ]);
    await machine.ok(`bash ${APP}/current/deploy/rollback.sh`);
    expect(await serving()).toBe(NAMES.third);
    expect(await rows()).toBe(2);
  });

  test("both stop within their limits, cleanly, with a pack in hand, and go on with it after the start", async () => {
    const sim = `curl -sS --fail http://127.0.0.1:${SIM_PORT}/sim`;
    const act = (action: string, ...args: unknown[]) =>
      machine.ok(`${sim}/do -d '${JSON.stringify({ action, args })}'`);
    const api = "curl -sS --fail --retry 30 --retry-all-errors --retry-delay 1 http://127.0.0.1:8000/session";
    const json = "-H 'Content-Type: application/json' -d";
    await machine.ok(`${sim}/fault -d '{"target": "telegram:createNewStickerSet", "do": {"hang": true}}'`);
    const { token } = JSON.parse(await machine.ok(`${api} ${json} '{}'`));
    await act("guestSays", 7001, `/start ${token}`);
    await tells(`consent:${token}:yes`);
    await act("guestPresses", 7001, `consent:${token}:yes`);
    await machine.ok(`${api}/${token}/template ${json} '{"template_id": "chef"}'`);
    await machine.ok(`${api}/${token}/photo -F 'photo=@${ROOT}test/fixtures/selfie.jpg;type=image/jpeg'`);
    const calls = `${sim}/calls | grep -c createNewStickerSet`;
    await machine.ok(`for i in $(seq 300); do ${calls} && exit; sleep 0.2; done; exit 1`);
    const job = async () =>
      machine.ok(`cd ${APP}/current && ./bun -e '
        import { openReadOnly } from "./shared/db.ts";
        const job = openReadOnly("/var/lib/sticker-booth/app.db").query("SELECT status, strikes, owner FROM jobs").get();
        console.log(JSON.stringify(job))'`);
    expect(JSON.parse(await job())).toMatchObject({ status: "running" });
    await machine.ok("booth stop");
    for (const unit of ["sticker-api", "sticker-bot"])
      expect(await machine.ok(`systemctl show -p Result -p ExecMainStatus ${unit}`)).toBe(
        "Result=success\nExecMainStatus=0\n",
      );
    // Given back in the bot's own words, not torn from its hands.
    expect(JSON.parse(await job())).toEqual({ status: "queued", strikes: 0, owner: null });
    await machine.ok("booth start && booth status");
    await tells("/addstickers/booth_1_");
    expect(await rows()).toBe(3);
    await served();
  });
});
