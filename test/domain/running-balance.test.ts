import { money } from '../../domain/money';
import { type BalanceChain, chainOf, followBalance, keptChain } from '../../domain/running-balance';
import { seededDraw } from '../../domain/seeded-draw';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const EMPTY: BalanceChain = { newest: null, start: null, loose: [], due: [], held: [] };

/** An account as its row keeps it, to which movements are reported. */
class Account {
  chain = EMPTY;
  isOpen = true;
  pauses = 0;
  readonly credited = new Set<string>();
  private clock = 0;

  /** +10=110: a credit of 10, after which the balance is 110. @returns what becomes of it */
  report(said: string, bankSecond = ++this.clock): string {
    const [, sign, amount = '', after = ''] = /^([+-])([\d.]+)=(-?[\d.]+)/.exec(said) ?? [];
    const verdict = followBalance(
      this.chain,
      {
        id: said,
        direction: sign === '+' ? 'CREDIT' : 'DEBIT',
        amount: money(amount),

        balanceAfter: money(after),
        bankTime: at(bankSecond),
        receivedAt: at(++this.clock / 8),
      },
      this.isOpen,
    );
    const { chain, outside, pause, resume } = verdict;
    if (chain) {
      const kept = JSON.parse(JSON.stringify(keptChain(chain))) as unknown;
      this.chain = chainOf(chain.newest, kept);
    }
    if (pause) this.pauses++;
    this.isOpen = resume || (this.isOpen && !pause);
    if (!outside && this.isOpen && sign === '+') this.credited.add(said);
    for (const id of this.chain.due) this.credited.add(id);
    this.chain = { ...this.chain, due: [] };
    return [outside ? 'waits' : 'follows', pause && 'pauses', resume && 'resumes'].filter(Boolean).join(' ');
  }

  wait(seconds: number): void {
    this.clock += seconds * 8;
  }

  get balance(): string | undefined {
    return this.chain.newest?.balance.toFixed();
  }
}

/** Reports movements one after another. */
const reported = (...said: readonly string[]): [Account, string[]] => {
  const account = new Account();
  return [account, said.map((one) => account.report(one))];
};

describe('the running balance of an account', () => {
  it('goes on by value, whatever the time', () => {
    const [account, said] = reported('+10=110', '+20=130', '-5=125');
    expect(said).toEqual(['follows', 'follows', 'follows']);
    expect(account.report('-200=-75', 1)).toBe('follows');
    expect([account.balance, account.pauses]).toEqual(['-75', 0]);
  });

  it('makes what contradicts it wait, whatever its time, and goes on', () => {
    const [account] = reported('+10=110');
    for (const second of [0, 1, 99]) {
      expect(account.report(`+5000=${9_000 + second}`, second)).toBe('waits');
      expect(account.report(`+1=${111 + second}`)).toMatch(/follows|waits/);
    }
    expect([account.isOpen, account.credited.has('+5000=9000')]).toEqual([true, false]);
  });

  it('takes in what came out of order as soon as the gap closes', () => {
    const orders = [
      ['+1=101', '+3=106', '+2=103'],
      ['+3=106', '+1=101', '+2=103'],
      ['+2=103', '+1=101', '+3=106'],
      ['+3=106', '-2=104', '+1=101', '+2=103', '+5=109'],
    ];
    for (const order of orders) {
      const [account] = reported('+1=100', ...order);
      expect([order, account.isOpen, account.credited.size]).toEqual([
        ...[order, true, 1 + order.filter((one) => one.startsWith('+')).length],
      ]);
    }
  });

  it.each([true, false])('takes in 1,000 that are shuffled, with a first one: %s', (hasFirst) => {
    const draw = seededDraw('shuffled');
    const all = Array.from({ length: 1_000 }, (_, n) => `+${n + 1}=${((n + 1) * (n + 2)) / 2}`);
    for (let n = all.length - 1; n > 0; n--) {
      const other = Math.floor(draw(String(n)) * (n + 1));
      [all[n], all[other]] = [all[other] ?? '', all[n] ?? ''];
    }
    const account = new Account();
    if (hasFirst) account.report('+7=0');
    all.forEach((one, n) => account.report(one, n % 300));
    expect([account.isOpen, account.balance]).toEqual([true, '500500']);
    expect(account.credited.size).toBe(1_000 + (hasFirst ? 1 : 0));
    expect(account.chain.loose).toEqual([]);
  });

  it.each([true, false])('credits six in each of their 720 orders, with a first one: %s', (hasFirst) => {
    const permute = (rest: readonly string[]): readonly (readonly string[])[] =>
      rest.length === 0 ? [[]] : rest.flatMap((one) => permute(rest.filter((o) => o !== one)).map((o) => [one, ...o]));
    for (const order of permute(['+1=101', '+2=103', '+3=106', '-4=102', '+5=107', '+6=113'])) {
      const [account] = reported(...(hasFirst ? ['+9=100'] : []), ...order, '+7=120');
      expect([order, account.isOpen, account.balance]).toEqual([order, true, '120']);
      expect([order, account.credited.size]).toEqual([order, hasFirst ? 7 : 6]);
    }
  });

  it('lets no flood of guesses wait for a balance that comes true', () => {
    for (const guesses of [50, 400]) {
      const [account] = reported('+10=110');
      for (let n = 0; n < guesses; n++) account.report(`+4321=${4_321 + 200 + n}`, n);
      for (let n = 1; n <= 200; n++) account.report(`+3=${110 + 3 * n}`);
      const forged = [...account.credited].filter((one) => one.startsWith('+4321'));
      expect([guesses, forged, account.isOpen, account.balance]).toEqual([...[guesses, [], true, '710']]);
    }
  });

  it('heals when a message comes late, after others have come', () => {
    const [account] = reported('+10=100');
    account.report('+10=120');
    account.wait(20 * 60);
    expect(account.report('+10=110')).toBe('follows');
    expect([account.report('+10=130'), account.report('+10=140')]).toEqual(['waits', 'follows']);
    expect([account.isOpen, account.balance, account.credited.size]).toEqual([true, '140', 5]);
  });

  it('pauses when it goes on from an unexplained balance, until the gap is closed', () => {
    // 50 are missing.
    const [account, said] = reported('+10=110', '+1=161', '+2=163', '+3=166');
    expect(said).toEqual(['follows', 'waits', 'waits pauses', 'waits']);
    expect([account.balance, account.isOpen]).toEqual(['110', false]);
    expect(account.report('+50=160')).toBe('follows resumes');
    expect([account.balance, account.isOpen, account.credited.size]).toEqual(['166', true, 5]);
  });

  it('begins again where a person opens the account', () => {
    const [account] = reported('+10=110', '+1=161', '+2=163');
    account.isOpen = true;
    expect(account.report('+3=166')).toBe('follows');
    expect(account.report('+50=160')).toBe('waits');
    expect(account.credited.has('+1=161')).toBe(false);
  });

  it('opens again when its own chain goes on: the other one was invented', () => {
    const [account, said] = reported('+10=110', '+5000=9000', '+5000=14000', '+1=111', '+2=113');
    expect(said.slice(2)).toEqual(['waits pauses', 'follows resumes', 'follows']);
    expect([...account.credited]).toEqual(['+10=110', '+1=111', '+2=113']);
  });

  it('pauses within two further messages after 1,000 hostile ones that paused nothing', () => {
    const [account] = reported('+10=110');
    for (let n = 0; n < 1_000; n++) {
      account.report(`+${4_000 + n}=${((n * 7_919) % 10_007) + 2_000}.37`, n % 7);
      if (n % 50 === 0) account.report(`+1=${111 + n / 50}`);
    }
    expect([account.pauses, account.isOpen, account.credited.size]).toEqual([0, true, 21]);
    expect([account.report('+1=181'), account.report('+2=183')]).toEqual(['waits', 'waits pauses']);
  });
});
