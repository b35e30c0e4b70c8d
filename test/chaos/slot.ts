/** One of the two processes, kept alive as systemd would: whenever it ends, for whatever reason, it is started again. */
import { join } from "node:path";
import { type Env, Program } from "../world.ts";
import { LEVERS_ENV, type Levers, WHO_ENV, type Who } from "./levers.ts";

const RESTART_MS = 60;
const INSIDE = join(import.meta.dir, "inside.ts");
/** A busy machine starts slowly; one that hangs is found all the same. */
const START_MS = 45_000;

/** Longer than either process gives itself to stop. */
const END_MS = 40_000;

/** What the api says of a port that it cannot have. */
export const PORT_TAKEN = "is taken by another program";

export type Death = {
  who: Who;
  at: number;
  code: number | null;
  expected: boolean;
  /** The number of the levers' order of which it died. */
  order: number | null;
  output: string;
};

export class Slot {
  program: Program | null = null;
  readonly deaths: Death[] = [];
  /** Every line of every process that ran here. */
  readonly lines: string[] = [];
  #wanted = false;
  #expected = false;
  #up = Promise.withResolvers<void>();

  constructor(
    readonly who: Who,
    private readonly levers: Levers,
    private readonly env: () => Env,
    /** Told the port of an api that listens, and 0 when it has to look for another one. */
    private readonly listening: (port: number) => void,
  ) {}

  start() {
    this.#wanted = true;
    this.#spawn();
  }

  get pid(): number | null {
    return this.program?.process.exitCode === null && this.program.process.signalCode === null
      ? this.program.process.pid
      : null;
  }

  /** Resolves once the process serves: an api that listens, a bot whose loops run. */
  async up() {
    const late = Bun.sleep(START_MS).then(() => {
      throw new Error(`the ${this.who} did not come up:\n${this.#standing()}`);
    });
    await Promise.race([this.#up.promise, late]);
  }

  /** What the process said, and where it stands. */
  #standing(): string {
    const { exitCode, signalCode, pid } = this.program?.process ?? {};
    return [
      ...this.lines.slice(-8),
      `now: pid ${pid}, ${exitCode}, ${signalCode}`,
      ...(this.program?.lines ?? []),
    ].join("\n");
  }

  /**
   * Ends the process in this way; it comes back by itself. One that does not end is killed, which is noted as an accident.
   * @returns whether there was one
   */
  async kill(signal: NodeJS.Signals): Promise<boolean> {
    const { program } = this;
    if (!program || this.pid === null) return false;
    this.#expected = true;
    program.process.kill(signal);
    const late = setTimeout(() => {
      this.#expected = false;
      program.process.kill("SIGKILL");
    }, END_MS);
    await program.process.exited;
    clearTimeout(late);
    return true;
  }

  signal(signal: NodeJS.Signals) {
    if (this.pid !== null) this.program?.process.kill(signal);
  }

  /** Ends the process for good. @returns its exit code, null when a signal ended it */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#wanted = false;
    await this.kill(signal);
    return this.program?.process.exitCode ?? null;
  }

  #spawn() {
    this.#expected = false;
    const program = new Program(`${this.who}/main.ts`, {
      ...this.env(),
      BUN_OPTIONS: `--preload ${INSIDE}`,
      [LEVERS_ENV]: this.levers.path,
      [WHO_ENV]: this.who,
    });
    this.program = program;
    program.said(this.who === "api" ? '"listening"' : '"the bot works"', START_MS).then(
      (line: { port?: number }) => {
        if (line.port !== undefined) this.listening(line.port);
        this.#up.resolve();
      },
      () => {},
    );
    void program.process.exited.then(async () => {
      const order = this.levers.takeFired(this.who);
      const expected = this.#expected || order !== null;
      this.#up = Promise.withResolvers();
      const { exitCode: code } = program.process;
      const output = program.lines.slice(-12).join("\n");
      this.deaths.push({ who: this.who, at: Date.now(), code, expected, order, output });
      this.lines.push(...program.lines);
      if (program.output.includes(PORT_TAKEN)) this.listening(0);
      if (!this.#wanted) return;
      await Bun.sleep(RESTART_MS);
      if (this.#wanted) this.#spawn();
    });
  }
}
