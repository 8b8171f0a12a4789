import type { Database, Transaction } from '../client';
import type { Discrepancy } from './rule';

/** The newest link of the chain over the postings. */
export interface Head {
  readonly seq: bigint;
  /** SHA-256, hex. */
  readonly hash: string;
  readonly sealedAt: Date;
}

/** Postings of one statement, which must end within its timeout, however long the chain is. */
const CHUNK = 2_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Appends all committed postings to the chain. @param all also those with a time of more than ten minutes ago
 * @param onChunk after each part, for heartbeats
 * @returns how many
 */
export async function sealLedger(
  { sql }: Database,
  all: boolean,
  now: Date,
  onChunk: () => void = () => undefined,
): Promise<number> {
  let sealed = 0;
  for (let after = all ? FIRST : null; ;) {
    const [chunk] = await sql<{ sealed: number; last: string | null }[]>`
      select sealed, last from seal_ledger(${after}, ${CHUNK}, ${now})`;
    onChunk();
    sealed += chunk?.sealed ?? 0;
    if (!chunk?.last) return sealed;
    after = chunk.last;
  }
}

/** Adds what was sealed since to the sums of the accounts. @param onChunk after each part, for heartbeats */
export async function sumLedger({ sql }: Database, onChunk: () => void = () => undefined): Promise<void> {
  for (;;) {
    const [chunk] = await sql<{ added: number }[]>`select sum_ledger(${CHUNK}) as added`;
    onChunk();
    if (!chunk?.added) return;
  }
}

/** Undefined before the first posting was sealed. */
export async function findHead({ sql }: Pick<Database, 'sql'>): Promise<Head | undefined> {
  const [row] = await sql<{ seq: string; hash: string; sealedAt: Date }[]>`
    select seq::text, encode(hash, 'hex') as hash, sealed_at from ledger_seals s order by s.seq desc limit 1`;
  return row && { ...row, seq: BigInt(row.seq) };
}

/**
 * Verifies the chain: a posting that was changed, removed or inserted breaks it. @param from the first link to check;
 * the one before it is trusted
 */
export async function proveSeals(tx: Transaction, from: bigint, onChunk: () => void): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  for (let after = from - 1n; ;) {
    const [chunk] = await tx<{ last: string | null; faults: Discrepancy[] }[]>`
      with links as materialized (
        select * from ledger_seals where seq >= ${after.toString()}::bigint order by seq limit ${CHUNK + 1}
      ), walked as (
        select l.seq, l.transfer_id, l.hash, lag(l.seq) over (order by l.seq) as seq_before,
          case l.seq when 1 then sha256(convert_to(p.identity::text, 'UTF8'))
            else lag(l.hash) over (order by l.seq) end as hash_before,
          -- A purge leaves the digest instead of the posting.
          t.id is null and l.digest is null as gone, coalesce(l.digest, ledger_digest(t)) as digest
        from links l left join ledger_transfers t on t.id = l.transfer_id, platform p where p.id = 1
      )
      select max(seq)::text as last, coalesce(jsonb_agg(jsonb_build_object('subject', 'seal ' || seq, 'problem',
          case when gone then format('the posting %s that it sealed is gone', transfer_id)
            when seq > 1 and seq_before is distinct from seq - 1 then 'the links before it are gone'
            else format('the posting %s or a link is not as it was sealed', transfer_id) end) order by seq)
        filter (where seq > ${after.toString()}::bigint
          and (gone or seq > 1 and seq_before is distinct from seq - 1
            or hash is distinct from sha256(hash_before || digest))), '[]') as faults
      from walked`;
    onChunk();
    found.push(...(chunk?.faults ?? []));
    const last = BigInt(chunk?.last ?? 0);
    if (last <= after) return found;
    after = last;
  }
}

/**
 * Checks heads of the chain that were stored outside: if one is no longer in the chain, the chain was cut or rewritten.
 */
export async function proveHeads(
  tx: Transaction,
  noted: readonly { readonly seq: bigint; readonly hash: string }[],
): Promise<Discrepancy[]> {
  return await tx<Discrepancy[]>`
    select 'seal ' || n.seq as subject, case when s.seq is null then 'it was noted outside, and the chain ends before it'
      else 'it was noted outside with another hash' end as problem
    from unnest(${noted.map(({ seq }) => seq.toString())}::bigint[], ${noted.map(({ hash }) => hash)}::text[]) as n(seq, hash)
    left join ledger_seals s on s.seq = n.seq
    where encode(s.hash, 'hex') is distinct from n.hash order by n.seq limit 100`;
}
