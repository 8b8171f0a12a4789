import { Authorized, Ctx, Field, Int, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import * as db from '../../db/proof/proofs';
import { findHead } from '../../db/proof/seals';
import { type BookRow, findBook } from '../../db/sandbox/purge';
import type { GraphContext } from '../context';
import { enumOf } from '../scalars';

type Kind = db.ProofRow['kind'];
const ProofKindEnum = enumOf<Kind>(['WHOLE', 'NEW']);
registerEnumType(ProofKindEnum, {
  name: 'BooksProofKind',
  description: 'How much a proof of the books looks at.',
  valuesConfig: {
    WHOLE: { description: 'Everything, each night.' },
    NEW: { description: 'What was posted or changed since the one before, each minute.' },
  },
});

/** Differences that are shown; more are counted. */
const SHOWN = 100;

@ObjectType({ simpleResolvers: true, description: 'A completed proof of the books.' })
export class BooksProofRun {
  @Field(() => ProofKindEnum, { description: 'What it covers.' })
  kind!: Kind;

  @Field({ description: 'When it began: what was posted later is in the next.' })
  startedAt!: Date;

  @Field({ description: 'When it ended.' })
  finishedAt!: Date;

  @Field(() => Int, { description: 'Postings that it compared with the rows that they are of.' })
  postings!: number;

  @Field(() => Int, { description: 'Rows that it compared with the postings that they demand.' })
  rows!: number;

  @Field(() => Int, { description: 'Differences that it found.' })
  found!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A difference in the books.' })
export class BooksFinding {
  @Field({ description: 'The row, posting or account that it is about, in words.' })
  subject!: string;

  @Field({ description: 'What is wrong with it.' })
  problem!: string;

  @Field({ description: 'When a proof found it first.' })
  firstSeenAt!: Date;

  @Field({ description: 'When a proof found it last.' })
  lastSeenAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The newest link of the hash chain over all postings.',
})
export class BooksSeal {
  @Field({ description: 'Its number: so many postings are sealed.' })
  seq!: string;

  @Field({ description: 'Its hash, SHA-256, hex: of all postings before it, too.' })
  hash!: string;

  @Field({ description: 'When it was sealed: what committed before is in the chain.' })
  sealedAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: "A book that a sandbox's purge has opened: what was before is carried forward into it.",
})
export class LedgerBook implements BookRow {
  @Field(() => Int, { description: 'Its number, from 1.' })
  number!: number;

  @Field({ description: 'When it was opened.' })
  openedAt!: Date;

  @Field({ description: 'Orders to which something happened since then were kept.' })
  purgedBefore!: Date;

  @Field(() => Int, {
    description: 'Orders with postings that purges have taken away, in all books so far.',
  })
  orders!: number;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Whether the books add up, and since when that is known.',
})
export class BooksProof {
  @Field(() => BooksProofRun, {
    nullable: true,
    description: 'The last proof of what is new; null before the first.',
  })
  newest!: BooksProofRun | null;

  @Field(() => BooksProofRun, {
    nullable: true,
    description: 'The last proof of everything; null before the first.',
  })
  whole!: BooksProofRun | null;

  @Field(() => BooksSeal, {
    nullable: true,
    description: 'How far the books are sealed; null before the first posting.',
  })
  seal!: BooksSeal | null;

  @Field(() => LedgerBook, {
    nullable: true,
    description: "The newest book that a sandbox's purge has opened; null where it has opened none.",
  })
  book!: LedgerBook | null;

  @Field(() => Int, { description: 'Open differences.' })
  openFindings!: number;

  @Field(() => [BooksFinding], { description: `The oldest ${SHOWN} of them.` })
  findings!: BooksFinding[];
}

@Resolver()
export class BooksProofResolver {
  @Authorized('VIEW')
  @Query(() => BooksProof, {
    description: 'The results of the proofs of the books, and how far the books are sealed.',
  })
  async booksProof(@Ctx() { database: { read: sql } }: GraphContext): Promise<BooksProof> {
    const [newest, whole, head, book, openFindings, findings] = await Promise.all([
      db.findProof({ sql }, 'NEW'),
      db.findProof({ sql }, 'WHOLE'),
      findHead({ sql }),
      findBook({ sql }),
      db.countFindings({ sql }),
      db.findFindings({ sql }, SHOWN),
    ]);
    const seal = head ? { ...head, seq: head.seq.toString() } : null;
    return {
      newest: newest ?? null,
      whole: whole ?? null,
      seal,
      book: book ?? null,
      openFindings,
      findings,
    };
  }
}
