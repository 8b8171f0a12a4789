import path from 'node:path';
import { defineConfig } from 'vite';

/** The payer's style and script. The gateway writes the page itself (gateway/cashier/) and reads the manifest. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/cashier/',
  build: {
    outDir: path.join(import.meta.dirname, '..', 'dist', 'cashier'),
    emptyOutDir: true,
    manifest: 'manifest.json',
    // Browsers that payers have: the last five years, and phones that are not updated any more.
    target: ['es2020', 'chrome87', 'safari14'],
    cssTarget: ['chrome87', 'safari14'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: path.join(import.meta.dirname, 'page.ts') },
  },
});
