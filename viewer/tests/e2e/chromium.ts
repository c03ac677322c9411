// One Chromium for each worker, started once for all test files: a browser takes seconds to start, and
// draws the pages of a worker in one process, so that workers have browsers of their own.
//
// CHROMIUM     path of the browser

import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

/** As many as test files run side by side (package.json): software graphics keep about a core busy each. */
const WORKERS = 2;

const ARGUMENTS = [
  '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
];

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the browsers, one for each worker. */
    browsers: string[];
  }
}

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const launch = () => chromium.launchServer({ executablePath, args: ARGUMENTS });
  const servers = await Promise.all(Array.from({ length: WORKERS }, launch));
  project.provide('browsers', servers.map((server) => server.wsEndpoint()));
  return async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
}
