import { proofType, pictureType } from '../../domain/file-type';

describe('a picture', () => {
  it.each([
    [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], 'image/png'],
    [[0xff, 0xd8, 0xff, 0xe0], 'image/jpeg'],
    [[0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4, 0x57, 0x45, 0x42, 0x50], 'image/webp'],
    [[0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4, 0x57, 0x41, 0x56, 0x45], undefined],
    [[0x89, 0x50, 0x4e, 0x47], undefined],
    [[...Buffer.from('<svg xmlns="x"/>')], undefined],
    [[...Buffer.from('GIF89a')], undefined],
    [[], undefined],
  ])('%j has the type %s', (bytes, type) => {
    expect(pictureType(Uint8Array.from(bytes))).toBe(type);
  });

  it.each([
    [Buffer.from('%PDF-1.7'), 'application/pdf'],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
    [Buffer.from(' %PDF-1.7'), undefined],
    [Buffer.from('<!doctype html>'), undefined],
  ])('or a PDF, %s, has the type %s', (bytes, type) => {
    expect(proofType(bytes)).toBe(type);
  });
});
