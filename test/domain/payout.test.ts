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
  ...{ kind: 'COMPLETED', channelOrderNo: 'S1' },
  ...{ bankReference: null, cost: null },
};
const REFUSED: PayoutAnswer = { kind: 'REFUSED', reason: 'no' };
const FAILED: PayoutAnswer = { kind: 'FAILED', reason: 'no', channelOrderNo: 'S1' };
const RETURNED: PayoutAnswer = { kind: 'RETURNED', reason: 'no', channelOrderNo: 'S1' };
const UNKNOWN: PayoutAnswer = { kind: 'UNKNOWN', reason: 'no' };

describe('a channel’s answer for a payout', () => {
  it.each<[string, Partial<AttemptCase>, PayoutAnswer, number, string]>([
    ['a success is believed', {}, COMPLETED, 1, 'PAID'],
    ['after a reported failure', { failureReportedAt: SENT }, COMPLETED, 1, 'PAID'],
    ['what came back was paid', {}, RETURNED, 1, 'PAID'],
    ['a refusal is believed', {}, REFUSED, 1, 'REFUSED'],
    ['but not after a reported success', { successReportedAt: SENT }, REFUSED, 1, 'WAIT'],
    ['a first failure waits', {}, FAILED, 9_999, 'WAIT'],
    ['a failure waits for its delay', { failureReportedAt: SENT }, FAILED, 599, 'WAIT'],
    ['and is final with it', { failureReportedAt: SENT }, FAILED, 600, 'FAILED'],
    [
      'never after a reported success',
      { failureReportedAt: SENT, successReportedAt: SENT },
      FAILED,
      1_799,
      'WAIT',
    ],
    [
      'but a person decides',
      { failureReportedAt: SENT, successReportedAt: SENT },
      FAILED,
      1_800,
      'INTERVENE',
    ],
    ['what is unknown is asked again', {}, UNKNOWN, 1_799, 'WAIT'],
    ['for a while', {}, UNKNOWN, 1_800, 'INTERVENE'],
    ['from when it last answered', { answeredAt: at(1_000) }, UNKNOWN, 2_799, 'WAIT'],
    ['what it has is waited for', {}, ACCEPTED, 86_400, 'WAIT'],
    ['for days', {}, ACCEPTED, 3 * 86_400, 'INTERVENE'],
  ])('%s', (_what, over, answer, seconds, verdict) => {
    expect(verdictOnAnswer(attempt(over), answer, at(seconds)).kind).toBe(verdict);
  });

  it('gives the time at which a failure becomes final', () => {
    const verdict = verdictOnAnswer(attempt(), FAILED, at(10));
    expect(verdict.kind === 'WAIT' && verdict.until).toEqual(at(610));
  });
});
