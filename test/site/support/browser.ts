import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian and others keep a Chromium. The first has no windows, which take most of the time of many short pages. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of this machine; null where there is none. */
export const browserPath = (): string | null => PLACES.find((path) => existsSync(path)) ?? null;

/** Starts a browser that asks nobody but the pages it is shown. */
export const startBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      // Pages without a graphics card are drawn twice as fast so, and WebGL is there, in software.
      '--disable-gpu',
      '--enable-unsafe-swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
