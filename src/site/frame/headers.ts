export const HTML = 'text/html; charset=utf-8';

/** What every page keeps to itself. */
const PRIVACY = [
  ...['Referrer-Policy', 'no-referrer'],
  ...['Permissions-Policy', 'camera=(), microphone=(), payment=(), geolocation=(self)'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
];

/** What a page may load and do: what this server serves, and nothing else. */
export const HTML_HEADERS: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ...PRIVACY,
];

/** A drawing that stands alone carries its style in itself, and may be shown in other pages. */
export const SVG_HEADERS: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'",
  ...PRIVACY,
];
