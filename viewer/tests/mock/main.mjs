// Runs the mock by hand: `npm run mock [PORT]`, then open the printed address (after `npm run build`).
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';
import { runnerImport } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const { module } = await runnerImport(join(here, 'server.ts'), { configFile: false });
const server = new module.MockServer(join(here, '../../dist'));
console.log(await server.start(Number(process.argv[2] ?? 8008)));
