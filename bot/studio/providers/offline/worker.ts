/** The artist's own thread: one job after the other, so that the bot's loops never wait for pixels. */
import { parentPort } from "node:worker_threads";
import { checkSelfie } from "./check-selfie.ts";
import { checkSheet } from "./check-sheet.ts";
import type { JobMessage, ResultMessage } from "./jobs.ts";
import { drawSheet } from "./sheet.ts";

let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (job: JobMessage) => {
  last = last.then(async () => parentPort?.postMessage(await answer(job)));
});

async function answer(job: JobMessage): Promise<ResultMessage> {
  const stop = new Int32Array(job.stop);
  const checkpoint = () => {
    if (Atomics.load(stop, 0)) throw new Error("stopped");
  };
  try {
    checkpoint();
    return { id: job.id, value: await perform(job, checkpoint) };
  } catch (error) {
    return { id: job.id, fault: error instanceof Error ? error.message : String(error) };
  }
}

function perform(job: JobMessage, checkpoint: () => void) {
  switch (job.name) {
    case "checkSelfie":
      return checkSelfie(job.input.selfie);
    case "drawSheet":
      return drawSheet(job.input, checkpoint);
    case "checkSheet":
      return checkSheet(job.input.sheet, job.input.count);
  }
}
