import postgres from 'postgres';
import { functionsOf, OWN_SCHEMA } from '../../db/release';
import type { Bench, Finding } from '../bench';

/** How often all functions are applied. */
const TIMES = 30;
/** The most milliseconds that this may take: roles wait for the locks of an upgrade. */
const BOUND_MS = 100;

export const functions: Bench = {
  sentence: 'all functions and triggers applied again, as an upgrade does',
  needs: { temporal: false, countStatements: false },
  async open({ servers: { databaseUrl } }, { short }) {
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
    const { text } = functionsOf(OWN_SCHEMA, 'sandbox');
    return await Promise.resolve({
      heats: [],
      findings: async (): Promise<readonly Finding[]> => {
        const took: number[] = [];
        for (let n = 0; n < (short ? 1 : TIMES); n++) {
          const start = performance.now();
          await sql.unsafe(`begin; set local check_function_bodies = off; ${text}; commit`);
          took.push(performance.now() - start);
        }
        const median = took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? NaN;
        if (!short && median > BOUND_MS) throw new Error(`the functions took ${median} ms`);
        return [
          {
            what: 'applied',
            value: (text.match(/create or replace function/g) ?? []).length,
            unit: 'functions',
          },
          { what: 'all of them took, median', value: median, unit: 'ms' },
          { what: 'the slowest of the runs', value: took.at(-1) ?? NaN, unit: 'ms' },
        ];
      },
      close: async () => {
        await sql.end();
      },
    });
  },
};
