import { pictureType } from '../../domain/file-type';
import { barePicture } from '../../steps/cashier/bare-picture';
import {
  exifWithPlace,
  JPEG,
  jpegOfPhone,
  PNG,
  pngOf,
  pngOfPhone,
  riff,
  SECRETS,
  segment,
  WEBP,
  webpOfPhone,
} from '../support/pictures';

const bare = (bytes: Buffer): Buffer | undefined => {
  const type = pictureType(bytes);
  return type && barePicture(bytes, type);
};

/** The orientation that a picture states in the one entry of its EXIF block. */
const statedIn = (bytes: Buffer): number | undefined => {
  const at = bytes.indexOf(Buffer.from('4d4d002a000000080001011200030000000100', 'hex'));
  return at < 0 ? undefined : bytes[at + 19];
};

describe('a picture as it is kept', () => {
  it.each([
    ['JPEG', JPEG, jpegOfPhone],
    ['PNG', PNG, pngOfPhone],
    ['WebP', WEBP, webpOfPhone],
  ])('of %s, has its pixels and colours, and nothing of what a telephone adds', (_, plain, ofPhone) => {
    // Not written twice: a picture without additions stays as it is, byte for byte.
    expect(bare(plain)).toEqual(plain);
    expect(bare(ofPhone(1))).toEqual(plain);
    const turned = bare(ofPhone(6)) ?? Buffer.alloc(0);
    for (const secret of SECRETS) {
      expect(ofPhone(6).includes(secret)).toBe(true);
      expect(turned.includes(secret)).toBe(false);
    }
    expect(statedIn(turned)).toBe(6);
    expect(turned.length - plain.length).toBeLessThan(50);
    expect(bare(turned)).toEqual(turned);
    for (const nonsense of [0, 9, 65_535]) expect(bare(ofPhone(nonsense))).toEqual(plain);
  });

  it('keeps each scan of a JPEG, and an upload that ended early, but no small picture', () => {
    const scan = JPEG.subarray(JPEG.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
    const end = JPEG.subarray(-2);
    const twice = Buffer.concat([JPEG.subarray(0, -2), segment(0xfe, Buffer.from('x')), scan, end]);
    expect(bare(twice)).toEqual(Buffer.concat([JPEG.subarray(0, -2), scan, end]));
    expect(bare(JPEG.subarray(0, -4))).toEqual(Buffer.concat([JPEG.subarray(0, -4), end]));
    const small = Buffer.concat([JPEG.subarray(6, 18), Buffer.from([1, 1, 9, 9, 9])]);
    const withSmall = Buffer.concat([JPEG.subarray(0, 2), segment(0xe0, small), JPEG.subarray(20)]);
    expect(bare(withSmall)).toEqual(JPEG);
  });

  it('keeps the frames of an animation, without what stands in them', () => {
    const still = WEBP.subarray(-54);
    const frame = (...more: Buffer[]): Buffer =>
      riff(
        'RIFF',
        Buffer.concat([
          Buffer.from('WEBP', 'latin1'),
          riff('VP8X', Buffer.alloc(10)),
          riff('ANIM', Buffer.alloc(6)),
          riff('ANMF', Buffer.concat([Buffer.alloc(16), still, ...more])),
        ]),
      );
    expect(bare(frame(riff('EXIF', exifWithPlace(1))))).toEqual(frame());
  });

  it('is no more than its signature if it has no structure, or is cut within', () => {
    const broken = [
      ...[PNG, WEBP].flatMap((whole) => [12, 20, 40, whole.length - 1].map((n) => whole.subarray(0, n))),
      ...[3, 12, 100, 600].map((n) => JPEG.subarray(0, n)),
      Buffer.concat([PNG.subarray(0, 8), Buffer.from([1, 2, 3])]),
      Buffer.concat([PNG.subarray(0, 8), PNG.subarray(33)]),
      Buffer.concat([JPEG.subarray(0, 2), JPEG]),
      Buffer.concat([JPEG.subarray(0, 2), JPEG.subarray(-2)]),
      Buffer.concat([JPEG.subarray(0, 2), Buffer.from('ffe1ffff', 'hex'), JPEG.subarray(2)]),
      Buffer.concat([JPEG.subarray(0, 2), Buffer.alloc(50, 0xff)]),
      riff('RIFF', Buffer.from('WEBP', 'latin1')),
      riff('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), riff('ANMF', Buffer.alloc(5))])),
    ];
    const signatures: Readonly<Record<string, number>> = {
      'image/jpeg': 3,
      'image/png': 8,
      'image/webp': 12,
    };
    for (const bytes of broken) expect(bare(bytes)).toEqual(bytes.subarray(0, signatures[pictureType(bytes) ?? '']));
  });

  it('is made in time, whatever the bytes say', () => {
    const many = Buffer.concat([
      JPEG.subarray(0, 2),
      Buffer.concat(Array<Buffer>(500_000).fill(Buffer.from('fffe0002', 'hex'))),
      JPEG.subarray(2),
    ]);
    expect(bare(many)).toEqual(JPEG);
    // A directory that counts more entries than there are, and one that begins behind the end.
    for (const at of [8, 4]) {
      const exif = exifWithPlace(6);
      exif.fill(0xff, at, at + 2);
      const picture = Buffer.concat([
        JPEG.subarray(0, 2),
        segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif])),
        JPEG.subarray(2),
      ]);
      expect(bare(picture)).toBeDefined();
    }
    expect(bare(pngOf(Buffer.from('pixels')))).toEqual(pngOf(Buffer.from('pixels')));
  });
});
