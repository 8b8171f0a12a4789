import { type AttemptCase, type PayoutAnswer, verdictOnAnswer } from '../../domain/payout';

const SENT = new Date('2026-01-02T10:00:00Z');
const at = (seconds: number): Date => new Date(SENT.getTime() + seconds * 1000);
const attempt = (over: Partial<AttemptCase> = {}): AttemptCase => ({
  sentAt: SENT,
  answeredAt: null,
  failureReportedAt: null,
  successReportedAt: null,
  failureFinalDelaySeconds: 600,
  answerWithinSeconds: 1_800,
  ...over,
});
const ACCEPTED: PayoutAnswer = { kind: 'ACCEPTED', channelOrderNo: 'S1' };
const COMPLETED: PayoutAnswer = {
  kind: 'COMPLETED',
  channelOrderNo: 'S1',
  bankReference: null,
  cost: null,
};
const REFUSED: PayoutAnswer = { kind: 'REFUSED', reason: 'no' };
const FAILED: PayoutAnswer = { kind: 'FAILED', reason: 'no', channelOrderNo: 'S1' };
const RETURNED: PayoutAnswer = { kind: 'RETURNED', reason: 'no', channelOrderNo: 'S1' };
const UNKNOWN: PayoutAnswer = { kind: 'UNKNOWN', reason: 'no' };

describe('a channel’s answer for a payout', () => {
  it.each<[string, Partial<AttemptCase>, PayoutAnswer, number, string]>([
    ['a success is final', {}, COMPLETED, 1, 'PAID'],
    ['a success after a reported failure is final', { failureReportedAt: SENT }, COMPLETED, 1, 'PAID'],
    ['a returned payout counts as paid', {}, RETURNED, 1, 'PAID'],
    ['a refusal is final', {}, REFUSED, 1, 'REFUSED'],
    ['a refusal after a reported success is not final', { successReportedAt: SENT }, REFUSED, 1, 'WAIT'],
    ['a first failure waits', {}, FAILED, 9_999, 'WAIT'],
    ['a failure waits for its delay', { failureReportedAt: SENT }, FAILED, 599, 'WAIT'],
    ['a failure is final after its delay', { failureReportedAt: SENT }, FAILED, 600, 'FAILED'],
    [
      'a failure after a reported success is never final',
      { failureReportedAt: SENT, successReportedAt: SENT },
      FAILED,
      1_799,
      'WAIT',
    ],
    [
      'a failure after a reported success needs a person',
      { failureReportedAt: SENT, successReportedAt: SENT },
      FAILED,
      1_800,
      'INTERVENE',
    ],
    ['an unknown payout is queried again', {}, UNKNOWN, 1_799, 'WAIT'],
    ['an unknown payout needs a person after 30 minutes', {}, UNKNOWN, 1_800, 'INTERVENE'],
    ['the 30 minutes count from the last answer', { answeredAt: at(1_000) }, UNKNOWN, 2_799, 'WAIT'],
    ['a payout under way is waited for', {}, ACCEPTED, 86_400, 'WAIT'],
    ['a payout under way needs a person after three days', {}, ACCEPTED, 3 * 86_400, 'INTERVENE'],
  ])('%s', (_what, over, answer, seconds, verdict) => {
    expect(verdictOnAnswer(attempt(over), answer, at(seconds)).kind).toBe(verdict);
  });

  it('gives the time at which a failure becomes final', () => {
    const verdict = verdictOnAnswer(attempt(), FAILED, at(10));
    expect(verdict.kind === 'WAIT' && verdict.until).toEqual(at(610));
  });
});
