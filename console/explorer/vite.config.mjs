import path from 'node:path';
import { defineConfig } from 'vite';

/** The explorer of the schema, which a sandbox serves at its own address (graph/explorer.ts). */
export default defineConfig({
  root: import.meta.dirname,
  base: '/graphql/explorer/',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: path.join(import.meta.dirname, '..', '..', 'dist', 'explorer'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_500,
    modulePreload: { polyfill: false },
  },
});
