import { crc32 } from 'node:zlib';

/** Pictures of 3 by 2 pixels, as Chromium writes them, with a colour profile where it adds one. */
const whole = (base64: readonly string[]): Buffer => Buffer.from(base64.join(''), 'base64');
export const JPEG = whole([
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAA',
  'EAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKA',
  'AAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0',
  'AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWi',
  'AAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQA',
  'AAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbA',
  'BlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQ',
  'c1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpK',
  'SkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/',
  'xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAX/xAAXEQADAQAAAAAAAAAAAAAAAAAAAT',
  'EC/9oADAMBAAIRAxEAPwCWANqsuKH/2Q==',
]);
export const PNG = whole([
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAGUlEQVR4AWJiYDjz/wwDAxgznWEwYYABAAAAAP//ts',
  'TMcgAAAAZJREFUAwByZgZmyYXXAAAAAABJRU5ErkJggg==',
]);
export const WEBP = whole([
  'UklGRhwCAABXRUJQVlA4WAoAAAAgAAAAAgAAAQAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAA',
  'EAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKA',
  'AAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0',
  'AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWi',
  'AAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQA',
  'AAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbA',
  'BlACAASQBuAGMALgAgADIAMAAxADZWUDggLgAAAHABAJ0BKgMAAgAEAGglqAJ0AUAAAP7uCmZIga5twogjf/JoPL/0',
  'm/2VmTxwAAA=',
]);

/** What a telephone adds: the place, its model, an orientation. Each text of it is in the bytes as it stands here. */
export const SECRETS = ['Secret Phone 9', '13.7563N 100.5018E', 'Somchai at home'] as const;
const [MODEL, PLACE, WORDS] = SECRETS;

/** An EXIF block, little-endian: model, orientation, and a directory of the place. */
export function exifWithPlace(orientation: number): Buffer {
  const text = (words: string): Buffer => Buffer.from(`${words}\0`, 'latin1');
  const [model, place] = [text(MODEL), text(PLACE)];
  const entry = (tag: number, type: number, count: number, value: number): Buffer => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(count, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const gpsAt = 8 + 2 + 3 * 12 + 4;
  const textsAt = gpsAt + 2 + 12 + 4;
  return Buffer.concat([
    Buffer.from('49492a00080000000300', 'hex'),
    entry(0x0110, 2, model.length, textsAt),
    entry(0x0112, 3, 1, orientation),
    entry(0x8825, 4, 1, gpsAt),
    Buffer.alloc(4),
    Buffer.from('0100', 'hex'),
    entry(0x001c, 7, place.length, textsAt + model.length),
    Buffer.alloc(4),
    model,
    place,
  ]);
}

/** A JPEG's segment. */
export function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** A PNG's chunk. */
export function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

/** A chunk of a WebP. */
export function riff(name: string, data: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** A PNG whose pixels are these bytes: its structure is right, and nothing decodes it. */
export const pngOf = (pixels: Buffer): Buffer =>
  Buffer.concat([PNG.subarray(0, 33), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);

const exif = (orientation: number): Buffer =>
  Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exifWithPlace(orientation)]);
const words = Buffer.from(WORDS, 'latin1');
const named = (name: string): Buffer => Buffer.concat([Buffer.from(`${name}\0`, 'latin1'), words]);

/** The JPEG as a telephone writes it: EXIF, XMP, IPTC, a comment, further pictures after its end. */
export const jpegOfPhone = (orientation: number): Buffer =>
  Buffer.concat([
    JPEG.subarray(0, 2),
    segment(0xe1, exif(orientation)),
    segment(0xe1, named('http://ns.adobe.com/xap/1.0/')),
    segment(0xe2, named('MPF')),
    segment(0xed, named('Photoshop 3.0')),
    segment(0xfe, words),
    JPEG.subarray(2),
    segment(0xe1, exif(orientation)),
    words,
  ]);

/** The PNG with every kind of text. */
export const pngOfPhone = (orientation: number): Buffer =>
  Buffer.concat([
    PNG.subarray(0, 33),
    chunk('eXIf', exifWithPlace(orientation)),
    ...['tEXt', 'zTXt', 'iTXt', 'tIME', 'prVt'].map((name) => chunk(name, named('Comment'))),
    PNG.subarray(33),
    words,
  ]);

/** The WebP with EXIF and XMP, marked in its head. */
export function webpOfPhone(orientation: number): Buffer {
  const inner = Buffer.concat([
    WEBP.subarray(8),
    riff('EXIF', exifWithPlace(orientation)),
    riff('XMP ', words),
    riff('NOTE', words),
  ]);
  const picture = riff('RIFF', inner);
  picture[20] = (picture[20] ?? 0) | 0x0c;
  return Buffer.concat([picture, words]);
}
