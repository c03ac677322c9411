import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The simulator may serve the page below any path.
  base: './',
  build: {
    outDir: 'dist',
    target: 'es2022',
    // Data addresses would be needed in the content security policy for nothing.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // The polyfill is an inline-like helper that modern browsers do not need.
    modulePreload: { polyfill: false },
  },
  // During development the simulator (or the mock) runs beside vite.
  server: {
    proxy: {
      '/ws': { target: 'ws://127.0.0.1:8008', ws: true },
      '/pictures': { target: 'http://127.0.0.1:8008' },
    },
  },
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          // Software rendering on a busy machine is slow: waiting is bounded, but generously.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
