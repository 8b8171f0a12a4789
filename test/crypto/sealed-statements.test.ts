import { randomBytes } from 'node:crypto';
import { KeyRing, platformKey } from '../../crypto/key-ring';
import { createSealer, sealedBy } from '../../crypto/seal';
import { openLine, openLineText, openPart, sealLine, sealPart } from '../../crypto/statements';

describe('what statements say of persons', () => {
  const ring = new KeyRing([platformKey(randomBytes(32))]);
  const sealer = createSealer(ring);
  const line = {
    statementId: 's',
    line: 7,
    amount: '5',
    memo: '',
    partyName: 'สมชาย ใจดี',
    partyAccount: '12-34',
    raw: null,
  };
  const file = Buffer.from('Date,Amount\n2026-01-31,five');

  it('opens as it was', () => {
    const kept = sealLine(sealer, line);
    expect(kept).toMatchObject({ statementId: 's', line: 7, amount: '5', raw: null });
    for (const text of ['memo', 'partyName', 'partyAccount'] as const) {
      expect(kept[text].startsWith(sealedBy(ring.current))).toBe(true);
      expect(openLineText(sealer, kept, text)).toBe(line[text]);
    }
    expect(openLineText(sealer, kept, 'raw')).toBeNull();
    expect(openLine(sealer, kept)).toEqual(line);
    const part = sealPart(sealer, 's', 0, file);
    expect(part.includes('five')).toBe(false);
    expect(openPart(sealer, 's', 0, part)).toEqual(file);
  });

  it('opens in its own row and column only', () => {
    const kept = sealLine(sealer, line);
    for (const moved of [
      { ...kept, line: 8 },
      { ...kept, statementId: 't' },
      { ...kept, memo: kept.partyName },
    ])
      expect(() => openLine(sealer, moved)).toThrow('does not open');
    const part = sealPart(sealer, 's', 0, file);
    expect(() => openPart(sealer, 's', 1, part)).toThrow('does not open');
  });

  it('opens as it was where it looks sealed', () => {
    const text = sealer.seal('Ann', 'elsewhere');
    const odd = { ...line, memo: text };
    expect(openLine(sealer, sealLine(sealer, odd))).toEqual(odd);
    const bytes = sealer.sealBytes(file, 'elsewhere');
    expect(openPart(sealer, 's', 0, sealPart(sealer, 's', 0, bytes))).toEqual(bytes);
  });
});
