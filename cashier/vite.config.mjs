import path from 'node:path';
import { defineConfig } from 'vite';

/** Bundles a page's style and script. The gateway renders the page and reads the manifest (gateway/cashier/assets.ts). */
export default defineConfig({
  root: import.meta.dirname,
  base: '/cashier/',
  build: {
    outDir: path.join(import.meta.dirname, '..', 'dist', 'cashier'),
    emptyOutDir: true,
    manifest: 'manifest.json',
    // Supported browsers: the last five years, for phones without updates.
    target: ['es2020', 'chrome87', 'safari14'],
    cssTarget: ['chrome87', 'safari14'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: path.join(import.meta.dirname, 'page.ts') },
  },
});
