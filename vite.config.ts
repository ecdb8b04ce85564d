// Builds the page (src-renderer) to dist/renderer. Why no inlined assets and no polyfill: the page's
// content policy allows nothing but files of its own.
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'src-renderer',
  plugins: [vue()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
});
