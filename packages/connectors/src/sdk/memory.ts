/**
 * Gives the memory of bytes back at once, where they have it to themselves; they are empty afterwards. Left to the garbage
 * collector, many megabytes would call it often, and each time for the whole heap.
 */
export function giveBack(bytes: Buffer): void {
  const { buffer } = bytes;
  // Small buffers share a pool.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
