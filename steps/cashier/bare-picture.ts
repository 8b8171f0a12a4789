import { crc32 } from 'node:zlib';
import type { PictureType } from '../../domain/file-type';

/** Upright, as EXIF numbers it; 2 to 8 are turned or mirrored. */
const UPRIGHT = 1;

/** The orientation that an EXIF block (TIFF) states in its first directory. */
function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return UPRIGHT;
  const read = (at: number, size: 2 | 4): number => {
    if (at + size > tiff.length) return 0;
    return order === 'II' ? tiff.readUIntLE(at, size) : tiff.readUIntBE(at, size);
  };
  const directory = read(4, 4);
  for (let n = 0; n < read(directory, 2); n++) {
    const entry = directory + 2 + 12 * n;
    if (read(entry, 2) !== 0x0112) continue;
    const value = read(entry + 8, 2);
    return value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
}

/** An EXIF block that states an orientation and nothing else. */
function exifOf(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const beginsWith = (data: Buffer, name: string): boolean => data.toString('latin1', 0, name.length) === name;

const segmentOf = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** What is kept of a JPEG's application segment: the sizes of pixels, the colours; undefined for all else. */
function keptOf(marker: number, data: Buffer): Buffer | undefined {
  // Without the small picture that may follow.
  if (marker === 0xe0 && beginsWith(data, 'JFIF\0') && data.length >= 14)
    return Buffer.concat([data.subarray(0, 12), Buffer.alloc(2)]);
  if (marker === 0xe2 && beginsWith(data, 'ICC_PROFILE\0')) return data;
  if (marker === 0xee && beginsWith(data, 'Adobe') && data.length >= 12) return data.subarray(0, 12);
  return undefined;
}

/** Whether a marker stands alone, without a segment; none but the end may stand between segments. */
const isBare = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd9;

/** Where a scan's data end: before the next marker, which is not a restart, or at the picture's end. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
  return bytes.length;
}

function bareJpeg(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)];
  let orientation: number | undefined;
  let hasJfif = false;
  let at = 2;
  for (let scans = 0; ;) {
    // An upload that ended early shows its upper part.
    if (at === bytes.length && scans > 0) break;
    if (bytes[at] !== 0xff) return undefined;
    while (bytes[at] === 0xff) at++;
    const marker = bytes[at++] ?? 0;
    if (marker === 0xd9) {
      if (scans === 0) return undefined;
      break;
    }
    const size = at + 2 > bytes.length ? 0 : bytes.readUInt16BE(at);
    if (size < 2 || at + size > bytes.length || marker < 0xc0 || isBare(marker)) return undefined;
    const data = bytes.subarray(at + 2, at + size);
    at += size;
    if (marker === 0xda) {
      const end = endOfScan(bytes, at);
      kept.push(segmentOf(marker, data), bytes.subarray(at, end));
      scans++;
      at = end;
    } else if (marker < 0xe0) {
      kept.push(segmentOf(marker, data));
    } else if (marker === 0xe1 && beginsWith(data, EXIF.toString('latin1'))) {
      orientation ??= orientationOf(data.subarray(EXIF.length));
    } else {
      const part = keptOf(marker, data);
      if (!part) continue;
      hasJfif ||= marker === 0xe0 && kept.length === 1;
      kept.push(segmentOf(marker, part));
    }
  }
  if (orientation !== undefined && orientation !== UPRIGHT) {
    const exif = segmentOf(0xe1, Buffer.concat([EXIF, exifOf(orientation)]));
    kept.splice(hasJfif ? 2 : 1, 0, exif);
  }
  // Nothing of what follows the end: cameras put further pictures and films there.
  return Buffer.concat([...kept, Buffer.from([0xff, 0xd9])]);
}

/** Chunks of a PNG that make the picture: its pixels, colours, sizes and steps. */
const PNG_CHUNKS: ReadonlySet<string> = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'bKGD', 'hIST'],
  ...['pHYs', 'cICP', 'mDCV', 'cLLI', 'acTL', 'fcTL', 'fdAT'],
]);

function pngChunk(name: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(name, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}

function barePng(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 8)];
  let orientation = UPRIGHT;
  let isPicture = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length || (name === 'IHDR') !== (at === 8)) return undefined;
    if (name === 'IEND') {
      if (!isPicture) return undefined;
      if (orientation !== UPRIGHT) kept.splice(2, 0, pngChunk('eXIf', exifOf(orientation)));
      return Buffer.concat([...kept, pngChunk('IEND', Buffer.alloc(0))]);
    }
    if (name === 'eXIf') orientation = orientationOf(bytes.subarray(at + 8, end - 4));
    if (name === 'IDAT') isPicture = true;
    if (PNG_CHUNKS.has(name)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return undefined;
}

/** Chunks of a WebP that make the picture. */
const WEBP_CHUNKS: ReadonlySet<string> = new Set([...['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']]);
/** Flags of VP8X: it has EXIF, it has XMP. */
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;
/** What stands before the chunks of a frame of an animation, bytes. */
const FRAME_HEAD = 16;

function riffChunk(name: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2));
  chunk.write(name, 0, 'latin1');
  chunk.writeUInt32LE(data.length, 4);
  data.copy(chunk, 8);
  return chunk;
}

/** The chunks within a RIFF chunk; undefined if they do not fit it. The last one may lack its padding. */
function riffChunks(bytes: Buffer): { name: string; data: Buffer }[] | undefined {
  const chunks: { name: string; data: Buffer }[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = at + 8 > bytes.length ? Infinity : bytes.readUInt32LE(at + 4);
    const end = at + 8 + size;
    if (end > bytes.length) return undefined;
    chunks.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, end) });
    at = end + (size % 2);
  }
  return chunks;
}

/** A frame of an animation without what does not make the picture. */
function bareFrame(data: Buffer): Buffer | undefined {
  const inner = riffChunks(data.subarray(FRAME_HEAD));
  if (!inner || data.length < FRAME_HEAD) return undefined;
  const kept = inner.filter(({ name }) => ['VP8 ', 'VP8L', 'ALPH'].includes(name));
  return Buffer.concat([data.subarray(0, FRAME_HEAD), ...kept.map(({ name, data: part }) => riffChunk(name, part))]);
}

function bareWebp(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 12) return undefined;
  const end = 8 + bytes.readUInt32LE(4);
  const chunks = end > bytes.length ? undefined : riffChunks(bytes.subarray(12, end));
  if (!chunks?.some(({ name }) => ['VP8 ', 'VP8L', 'ANMF'].includes(name))) return undefined;
  const exif = chunks.find(({ name }) => name === 'EXIF')?.data;
  const from = exif && beginsWith(exif, EXIF.toString('latin1')) ? EXIF.length : 0;
  const orientation = exif ? orientationOf(exif.subarray(from)) : UPRIGHT;
  const turned = orientation !== UPRIGHT && chunks[0]?.name === 'VP8X';
  const kept: Buffer[] = [];
  for (const { name, data } of chunks) {
    if (!WEBP_CHUNKS.has(name)) continue;
    const part = name === 'ANMF' ? bareFrame(data) : Buffer.from(data);
    if (!part || (name === 'VP8X' && part.length < 10)) return undefined;
    if (name === 'VP8X') part[0] = ((part[0] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | (turned ? HAS_EXIF : 0);
    kept.push(riffChunk(name, part));
  }
  if (turned) kept.push(riffChunk('EXIF', exifOf(orientation)));
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept]));
}

const BARE: Readonly<Record<PictureType, (bytes: Buffer) => Buffer | undefined>> = {
  'image/jpeg': bareJpeg,
  'image/png': barePng,
  'image/webp': bareWebp,
};
const SIGNATURE_BYTES: Readonly<Record<PictureType, number>> = {
  'image/jpeg': 3,
  'image/png': 8,
  'image/webp': 12,
};

/**
 * A picture without what its camera and programs wrote beside it: place, time, device, names, small and further
 * pictures. Its pixels are not decoded and stay as they are; of EXIF only an orientation stays, so that it is shown
 * upright.
 * A picture that cannot be read to its end is no reason to refuse a payer's claim: of it only what names its type stays.
 */
export function barePicture(bytes: Buffer, type: PictureType): Buffer {
  return BARE[type](bytes) ?? bytes.subarray(0, SIGNATURE_BYTES[type]);
}
