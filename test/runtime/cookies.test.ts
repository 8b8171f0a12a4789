import { readCookie, writeCookie } from '../../runtime/cookies';

describe('readCookie', () => {
  it.each([
    ['causeway=token', 'token'],
    ['theme=dark; causeway=token; other=1', 'token'],
    ['theme=dark;causeway=token', 'token'],
    ['causeway=; causeway=token', 'token'],
    ['xcauseway=no; causewayx=no', undefined],
    ['theme=causeway=no', undefined],
    ['causeway=', undefined],
    ['causeway', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('in %p finds %p', (header, value) => {
    expect(readCookie(header, 'causeway')).toBe(value);
  });
});

it('writeCookie names every attribute, and hides the cookie from scripts', () => {
  const cookie = { path: '/', maxAgeSeconds: 60.7, sameSite: 'Strict', secure: true } as const;
  expect(writeCookie('causeway', 'token', cookie)).toBe(
    'causeway=token; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
  );
  expect(writeCookie('causeway', '', { ...cookie, secure: false })).toBe(
    'causeway=; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
  );
});
