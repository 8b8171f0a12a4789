import path from 'node:path';
import { defineConfig } from 'vite';

/** The graph role replaces this nonce in each answer (graph/console-files.ts). */
const NONCE = '__NONCE__';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  html: { cspNonce: NONCE },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: path.join(import.meta.dirname, '..', 'dist', 'console'),
    emptyOutDir: true,
    // Supported browsers: those of the last two years.
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
    modulePreload: { polyfill: false },
  },
  // `npx vite console` while a platform runs: the page from here, GraphQL from there.
  server: {
    proxy: { '/graphql': { target: process.env.GRAPH_URL ?? 'http://127.0.0.1:4000', ws: true } },
  },
});
