import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, isObjectType, Kind, parse } from 'graphql';

const ROOT = path.join(__dirname, '..', '..');
const schema = buildSchema(readFileSync(path.join(ROOT, 'docs/schema.graphql'), 'utf8'));

/** Operations of operators that no page has, and why. */
const NOWHERE: Readonly<Record<string, string>> = {
  // Pages show the same data in other ways.
  bankDebit: 'a debit is opened within the list of debits, which has all of it',
  bankTransfers: 'what waits has a page, and what is matched stands with its deposit',
  callbacks: 'a callback stands with its order, and endpoints have a page',
  login: 'the console signs in by signIn, whose cookie no script can read',
  order: 'a page is of one kind of order: deposit and withdrawal ask for it',
  queues: 'queuesChanged sends the counts at once, and whenever they change',
  // A person works on one order at a time, scripts on many.
  orders: 'for scripts, which hold numbers of both kinds',
  cancelDeposits: 'for scripts: a person cancels one deposit after a look at it',
  resendCallbacks: 'for scripts: the page of endpoints resends all that failed',
  bankTransfersChanged: 'for scripts that follow the money: pages look again by themselves',
  lastBankTransferSeq: 'for scripts that follow the money, beside bankTransfersChanged',
  exportBankTransfers: 'no page lists every bank transfer; by the API, or as a stream',
  depositTotals: 'for reports: the console has no page of figures',
  withdrawalTotals: 'for reports: the console has no page of figures',
  // Machines report these; people correct them in other ways.
  recordBankNotification: 'an agent that fell out is replaced by a script, as docs/bank-notifications.md says',
  recordBankDebit: 'an agent that fell out is replaced by a script, as docs/bank-notifications.md says',
  sandboxMails: 'of sandboxes alone, for tests of the mails themselves',
};

/** The root fields of the console's own documents. */
function placed(): ReadonlySet<string> {
  const files = readdirSync(path.join(ROOT, 'console'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.graphql'))
    .map((file) => readFileSync(path.join(ROOT, 'console', file), 'utf8'));
  return new Set(
    files
      .flatMap((text) => parse(text).definitions)
      .flatMap((definition) =>
        definition.kind === Kind.OPERATION_DEFINITION
          ? definition.selectionSet.selections.map((one) => (one.kind === Kind.FIELD ? one.name.value : ''))
          : [],
      ),
  );
}

describe('the console', () => {
  const offered = ['Query', 'Mutation', 'Subscription'].flatMap((root) => {
    const type = schema.getType(root);
    return isObjectType(type) ? Object.keys(type.getFields()) : [];
  });

  it('has a page for each operation of operators, or a reason for its absence', () => {
    const has = placed();
    expect(offered.filter((root) => !has.has(root) && NOWHERE[root] === undefined)).toEqual([]);
    expect(Object.keys(NOWHERE).filter((root) => !offered.includes(root))).toEqual([]);
    expect(Object.values(NOWHERE).filter((reason) => reason.length < 20)).toEqual([]);
  });
});
