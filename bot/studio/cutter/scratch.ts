/**
 * Memory for work that is done over and over, one piece after the other: being given fresh memory by the
 * system costs more than all that a sticker does with it.
 */
export class Scratch {
  private words = new Int32Array(0);

  /** Room for so many 32-bit values, holding whatever was left there; what was handed out before is overwritten. */
  room(length: number): Int32Array<ArrayBuffer> {
    if (this.words.length < length) this.words = new Int32Array(length);
    return this.words.subarray(0, length);
  }
}
