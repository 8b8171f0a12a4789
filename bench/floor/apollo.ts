import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import DataLoader from 'dataloader';
import postgres from 'postgres';

/*
 * The floor under a list of the operators' GraphQL: plain Apollo over the same rows of the same PostgreSQL, as a tutorial
 * would write it. It knows no login, no permissions, no filters and no limits, and logs nothing.
 */

const TYPES = `
  type Merchant { id: ID! name: String! }
  type Deposit {
    id: ID! orderNo: String! merchantOrderNo: String! amount: String! currencyCode: String! status: String!
    createdAt: String! merchant: Merchant!
  }
  type PageInfo { hasNextPage: Boolean! }
  type Deposits { nodes: [Deposit!]! pageInfo: PageInfo! }
  type Query { deposits(first: Int): Deposits! }
`;

interface MerchantRow {
  readonly id: string;
  readonly name: string;
}
interface DepositRow {
  readonly merchantId: string;
  readonly createdAt: Date;
}
interface Context {
  readonly merchants: DataLoader<string, MerchantRow>;
}

const sql = postgres(process.env['DATABASE_URL'] ?? '', {
  transform: { column: { from: postgres.toCamel } },
});

const merchantsById = async (ids: readonly string[]): Promise<MerchantRow[]> => {
  const rows = await sql<MerchantRow[]>`select * from merchants where id = any(${ids as string[]})`;
  return ids.map((id) => rows.find((row) => row.id === id) as MerchantRow);
};

const server = new ApolloServer<Context>({
  typeDefs: TYPES,
  resolvers: {
    Query: {
      deposits: async (_root: unknown, { first }: { first: number }) => {
        const rows = await sql<DepositRow[]>`
          select * from deposit_orders order by created_at desc, id desc limit ${first + 1}`;
        return { nodes: rows.slice(0, first), pageInfo: { hasNextPage: rows.length > first } };
      },
    },
    Deposit: {
      createdAt: ({ createdAt }: DepositRow) => createdAt.toISOString(),
      merchant: async ({ merchantId }: DepositRow, _args: unknown, { merchants }: Context) =>
        await merchants.load(merchantId),
    },
  },
});

startStandaloneServer(server, {
  listen: { host: '127.0.0.1', port: 0 },
  context: async () => await Promise.resolve({ merchants: new DataLoader(merchantsById) }),
}).then(
  ({ url }) => process.send?.({ ready: true, url }),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
process.on('disconnect', () => {
  process.exit(0);
});
