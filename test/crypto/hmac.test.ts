import { hexEquals } from '../../crypto/compare';
import { hmacSha256 } from '../../crypto/hmac';

// RFC 4231, test cases 1, 2 and 6.
test.each([
  [Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  ['Jefe', 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
  [Buffer.alloc(131, 0xaa), 'Test Using Larger Than Block-Size Key - Hash Key First', '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54'],
])('HMAC-SHA256 as in RFC 4231', (key, data, expected) => {
  expect(hmacSha256(key, data)).toBe(expected);
  expect(hmacSha256(key, Buffer.from(data))).toBe(expected);
  expect(hexEquals(expected.toUpperCase(), hmacSha256(key, data))).toBe(true);
  expect(hexEquals(expected.slice(0, 63), hmacSha256(key, data))).toBe(false);
}); // prettier-ignore

test('texts count as UTF-8', () => {
  expect(hmacSha256('é', '😀')).toBe(hmacSha256(Buffer.from('é'), Buffer.from('😀')));
});
