/** Bodies of requests, read within bounds: one sent in pieces does not say its length beforehand. */
import { AppError } from "../shared/errors.ts";

/** What is let go of a refused request: as much as Caddy lets through, and no longer than this. */
const LET_GO_BYTES = 21 * 1024 * 1024;
const LET_GO_MS = 10_000;

/** @throws AppError `too_large`, as soon as there is more than `limit`; `bad_request` when the caller hangs up */
export async function bytesWithin(request: Request, limit: number, sentence: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    // The server reads no more than was announced, so a known length needs no counting.
    const announced = request.headers.get("content-length");
    if (announced !== null && Number(announced) <= limit) return await request.bytes();
    await eachPiece(request, (piece) => {
      size += piece.length;
      if (size > limit) throw new AppError("too_large", sentence);
      pieces.push(piece);
    });
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("bad_request", "The request broke off before its end. Send it again.", { cause });
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/**
 * Reads and forgets what a refused request still has to say. A caller who is sending when the answer comes may lose it:
 * the connection is torn by what nobody reads, or the caller no longer listens. One that announces too much for that is
 * answered at once.
 */
export async function letGo(request: Request): Promise<void> {
  if (Number(request.headers.get("content-length") ?? 0) > LET_GO_BYTES) return;
  const late = performance.now() + LET_GO_MS;
  let size = 0;
  const enough = (piece: Uint8Array) => {
    size += piece.length;
    if (size > LET_GO_BYTES || performance.now() > late) throw new Error("enough");
  };
  await eachPiece(request, enough).catch(() => {});
}

/** Hands over the body piece by piece; what is left after a throw can still be read. */
async function eachPiece({ body }: Request, take: (piece: Uint8Array) => void) {
  if (!body || body.locked) return;
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value);
  } finally {
    reader.releaseLock();
  }
}
