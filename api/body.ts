/** Bodies of requests, read within bounds: one sent in pieces does not say its length beforehand. */
import { AppError } from "../shared/errors.ts";

/** @throws AppError `too_large`, as soon as there is more than `limit`; `bad_request` when the caller hangs up */
export async function bytesWithin(request: Request, limit: number, sentence: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    // The server reads no more than was announced, so a known length needs no counting.
    const announced = request.headers.get("content-length");
    if (announced !== null && Number(announced) <= limit) return await request.bytes();
    for await (const piece of request.body ?? []) {
      size += piece.length;
      if (size > limit) throw new AppError("too_large", sentence);
      pieces.push(piece);
    }
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
