import { hash } from 'node:crypto';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that is safe in HTML and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Escaped text in which `words in backticks` become code. */
export function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const STYLE =
  'body{font:1rem/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fff}' +
  'code{background:#f3efe2;padding:.1em .3em}a{color:#8a4b00}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}code{background:#333}a{color:#ffb454}}';

/** A whole page. `body` is HTML, `title` is text. */
export function htmlPage(title: string, body: string): string {
  return (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)} · Hidamari</title><style>${STYLE}</style></head>\n<body>\n${body}\n</body></html>\n`
  );
}

export const HTML = 'text/html; charset=utf-8';

/** What a browser may do with a page: show it, with its own style, and nothing else. */
export const HTML_HEADERS = [
  'Content-Security-Policy',
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  ...['Referrer-Policy', 'no-referrer'],
] as const;
