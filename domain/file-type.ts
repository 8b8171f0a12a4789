const begins = (bytes: Uint8Array, at: number, expected: readonly number[]): boolean =>
  expected.every((byte, index) => bytes[at + index] === byte);

/** The accepted pictures. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** The type of a picture by its first bytes; undefined for all but the three accepted types. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  if (begins(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (begins(bytes, 0, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (begins(bytes, 0, [0x52, 0x49, 0x46, 0x46]) && begins(bytes, 8, [0x57, 0x45, 0x42, 0x50])) return 'image/webp';
  return undefined;
}

/** The type of a picture or a PDF by its first bytes; undefined for anything else. */
export const proofType = (bytes: Uint8Array): PictureType | 'application/pdf' | undefined =>
  // %PDF-
  begins(bytes, 0, [0x25, 0x50, 0x44, 0x46, 0x2d]) ? 'application/pdf' : pictureType(bytes);
