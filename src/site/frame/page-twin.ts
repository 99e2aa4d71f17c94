import type { Manifest } from '../../snapshot/manifest.ts';
import type { Language } from '../language.ts';
import type { PageView } from '../view.ts';

const LETTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** What stands at `index.json` beside a page that shows no answer of an operation: what it says, for programs. */
export const pageTwin = (
  { title, description, main }: PageView,
  { url, language, manifest }: { url: string; language: Language; manifest: Manifest },
): string =>
  JSON.stringify({
    data: { url, language, title, description, text: textOf(String(main)) },
    meta: { dataset_id: manifest.dataset_id, generated_at: manifest.generated_at },
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
