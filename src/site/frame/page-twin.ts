import type { Half } from '../../contract/operation.ts';
import { PAGE_SCHEMA } from '../../contract/schema-document.ts';
import type { Manifest } from '../../snapshot/manifest.ts';
import { metaOf } from '../../snapshot/meta.ts';
import type { Language } from '../language.ts';
import type { PageView } from '../view.ts';

const LETTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** The address of a page, and the half of its data. */
interface PageTwin {
  siteUrl: string;
  url: string;
  language: Language;
  half: Half;
  manifest: Manifest;
}

/** The `index.json` of a page without an operation: the text of the page for programs. */
export const pageTwin = (
  { title, description, main }: PageView,
  { siteUrl, url, language, half, manifest }: PageTwin,
): string =>
  JSON.stringify({
    data: { url, language, title, description, text: textOf(String(main)) },
    meta: metaOf(manifest, { id: PAGE_SCHEMA, half }, siteUrl, 0),
  });

/** The text of HTML that `html` made: a line for each block, without scripts, drawings and forms. */
const textOf = (html: string): string =>
  html
    .replace(/<(script|style|svg|noscript|form|button)\b.*?<\/\1>/gs, '')
    .replace(/<\/(th|td)>/g, '\t')
    .replace(/<\/(p|h\d|li|tr|div|section|label|summary|figcaption|dt|dd)>|<br>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => LETTERS[name] ?? '')
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim();
