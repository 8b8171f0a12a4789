import type { Connection } from '@temporalio/client';
import { OUTBOX_RANK } from '../../domain/outbox';
import { linksOf } from '../../temporal/links';
import { registerWhereAllowed } from '../../temporal/search-attributes';
import { startOptions } from '../../temporal/starts';

const NOW = new Date('2026-01-02T03:04:05Z');
const order = {
  version: 1 as const,
  orderNo: 'D1',
  merchantCode: 'M',
  merchantOrderNo: 'their-1',
  currencyCode: 'THB',
  amount: '1.0000',
};

/** The search attributes of a start, by name. */
const shown = ({ typedSearchAttributes }: ReturnType<typeof startOptions>) =>
  Object.fromEntries(typedSearchAttributes.map(({ key, value }) => [key.name, value]));

describe('the start of a workflow', () => {
  it('shows what the order waits for, and its numbers', () => {
    const deposit = { ...order, depositId: 'd' };
    expect(shown(startOptions('deposit', deposit, OUTBOX_RANK.start, NOW))).toEqual({
      OrderNo: 'D1',
      MerchantOrderNo: 'their-1',
      MerchantCode: 'M',
      CurrencyCode: 'THB',
      OrderPhase: 'PENDING',
      WaitsFor: 'PAYER',
      WaitingSince: NOW,
    });
  });

  it('shows no wait for a deposit whose money has come, nor for a withdrawal that has ended', () => {
    const paid = startOptions('deposit', { ...order, depositId: 'd' }, OUTBOX_RANK.money, NOW);
    const ended = startOptions(
      'withdrawal',
      { ...order, withdrawalId: 'w', status: 'COMPLETED' },
      ...([OUTBOX_RANK.money, NOW] as const),
    );
    for (const start of [paid, ended]) expect(shown(start)).not.toHaveProperty('WaitsFor');
  });

  it.each([
    ['PENDING', 'DECISION'],
    ['APPROVED', 'CHANNEL'],
  ] as const)('of a withdrawal that is %s waits for %s', (status, waitsFor) => {
    const start = { ...order, withdrawalId: 'w', status };
    expect(shown(startOptions('withdrawal', start, OUTBOX_RANK.money, NOW))).toMatchObject({
      OrderPhase: status,
      WaitsFor: waitsFor,
    });
  });

  it.each([
    ['money', 1],
    ['work', 3],
    ['start', 4],
  ] as const)('of rank %s has priority %d, and its merchant takes turns', (rank, priorityKey) => {
    const { priority } = startOptions('deposit', { ...order, depositId: 'd' }, ...([OUTBOX_RANK[rank], NOW] as const));
    expect(priority).toEqual({ priorityKey, fairnessKey: 'M' });
  });

  it('links to the console and the runbook', () => {
    const consoleUrl = 'https://ops.example.com/console';
    const links = (id: string, runbookUrl: string | null = 'https://docs.example.com/runbook.md') =>
      linksOf(id, { consoleUrl, runbookUrl });
    expect(links('callback:W7:withdrawal_approved')).toBe(
      '[W7 in the console](https://ops.example.com/console/withdrawals/W7)\n\n' +
        '[Runbook](https://docs.example.com/runbook.md#a-callback-failed)',
    );
    expect(links('deposit:D7', null)).toBe(
      '[D7 in the console](https://ops.example.com/console/deposits/D7)\n\n' +
        'Runbook: docs/runbook.md#an-order-that-nothing-moves',
    );
    expect(links('mail:1')).toBe('[Runbook](https://docs.example.com/runbook.md#a-session-or-a-mail-waits)');
    expect(links('reconcile-2026')).toBe('');
  });
});

/** A server that answers each registration with this gRPC code. */
const answering = (code: number): Connection =>
  ({
    operatorService: {
      addSearchAttributes: () => Promise.reject(Object.assign(new Error('refused'), { code })),
    },
  }) as unknown as Connection;

describe('search attributes', () => {
  it('are left to migrate where a worker may not register them, and fail otherwise', async () => {
    const [ALREADY_EXISTS, PERMISSION_DENIED, UNAVAILABLE] = [6, 7, 14];
    const register = async (code: number) => {
      await registerWhereAllowed(answering(code), 'default');
    };
    await expect(register(ALREADY_EXISTS)).resolves.toBeUndefined();
    await expect(register(PERMISSION_DENIED)).resolves.toBeUndefined();
    await expect(register(UNAVAILABLE)).rejects.toThrow('refused');
  });
});
