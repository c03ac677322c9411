import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vitest/config';

const OUT = join(import.meta.dirname, 'dist');

/** Writes a compressed file beside each one that gets shorter by it: the simulator serves these as they are. */
function compressed() {
  return {
    name: 'compressed', apply: 'build' as const,
    closeBundle() {
      for (const entry of readdirSync(OUT, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(html|js|css|svg|json)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const plain = readFileSync(path);
        const short = gzipSync(plain, { level: constants.Z_BEST_COMPRESSION });
        if (short.length < plain.length) writeFileSync(`${path}.gz`, short);
      }
    },
  };
}

export default defineConfig({
  plugins: [compressed()],
  // The simulator may serve the page below any path.
  base: './',
  build: {
    outDir: OUT,
    target: 'es2022',
    // Data addresses would be needed in the content security policy for nothing.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    // The polyfill is an inline-like helper that modern browsers do not need.
    modulePreload: { polyfill: false },
  },
  // During development the simulator (or `npm run mock 8642`) runs beside vite; it lets in only
  // pages of its own.
  server: {
    proxy: {
      '/ws': { target: 'ws://127.0.0.1:8642', ws: true, changeOrigin: true, headers: { origin: 'http://127.0.0.1:8642' } },
      '/pictures': { target: 'http://127.0.0.1:8642', changeOrigin: true },
      '/access': { target: 'http://127.0.0.1:8642', changeOrigin: true },
      '/recordings': { target: 'http://127.0.0.1:8642', changeOrigin: true },
    },
  },
  test: {
    projects: [
      // Some go over a whole terrain, which takes a busy machine seconds.
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 60_000 } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          // Software rendering on a busy machine is slow: waiting is bounded, but generously.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 90_000, interval: 50 } },
          // A machine that stalls for seconds cuts drivers off, as it should: such a run shows nothing.
          retry: 2,
          globalSetup: ['tests/e2e/chromium.ts'],
          // Each file has a simulator of its own, unless there is one that runs already. How many run at
          // once is said in package.json.
          fileParallelism: !process.env.ROLIMA_URL,
        },
      },
    ],
  },
});
