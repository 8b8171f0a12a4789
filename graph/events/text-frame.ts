/** First byte of a whole text message: FIN, opcode 1. */
const TEXT = 0x81;
/** Lengths that the second byte holds itself; 126 and 127 there mean that two or eight more bytes hold the length. */
const SHORT = 125;
const TWO_BYTES = 0xffff;

/**
 * A text message as a WebSocket server sends it: one frame, not masked, not compressed (RFC 6455, 5.2).
 * @param parts of its text, as UTF-8
 */
export function textFrame(parts: readonly Buffer[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  const header = length <= SHORT ? 2 : length <= TWO_BYTES ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = TEXT;
  if (header === 2) {
    frame[1] = length;
  } else if (header === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  let at = header;
  for (const part of parts) {
    part.copy(frame, at);
    at += part.length;
  }
  return frame;
}
