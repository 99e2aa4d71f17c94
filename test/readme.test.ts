import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { hidamari, ROOT } from './support/run.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const scripts = Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts);

/** Every page for people, by its path. */
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

const withoutCode = (text: string) => text.replace(/^ *```[\s\S]*?^ *```/gm, '');

/** Paragraphs and list items; code, tables, headings and comments are none. */
function paragraphsOf(text: string): string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const line of withoutCode(text).split('\n')) {
    if (/^\s*($|\||#|<!--)/.test(line)) isOpen = false;
    else if (isOpen && !/^\s*([-*]|\d+\.)\s/.test(line)) found.push(`${found.pop()} ${line.trim()}`);
    else {
      found.push(line.trim());
      isOpen = true;
    }
  }
  return found;
}

/** The anchors of a page's headings, as forges make them. */
const anchorsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the documents', () => {
  it('have no paragraph and no list item over 80 words', () => {
    const long = pages.flatMap(({ path, text }) =>
      paragraphsOf(text)
        .map((paragraph) => ({ words: paragraph.split(/\s+/).length, start: `${path}: ${paragraph.slice(0, 60)}…` }))
        .filter(({ words }) => words > 80),
    );
    assert.deepEqual(long, []);
    assert.deepEqual(paragraphsOf('a\nb\n\n- c\n  d\n- e\n| f |\n```\ng\n```\n# h\ni'), ['a b', '- c d', '- e', 'i']);
  });

  it('link to files and headings that exist', () => {
    let count = 0;
    for (const { path, text } of pages) {
      for (const [, target, anchor] of withoutCode(text).matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g)) {
        const file = target === '' ? path : join(dirname(path), target!);
        assert.ok(existsSync(join(ROOT, file)), `${path}: ${target}`);
        const page = pages.find((one) => one.path === file);
        if (anchor !== undefined && page !== undefined)
          assert.ok(anchorsOf(page.text).includes(anchor), `${path}: ${target}#${anchor}`);
        count++;
      }
    }
    assert.ok(count > 100, `${count} links`);
  });
});

describe('README.md', () => {
  it('names commands, options and scripts that exist', async () => {
    const help = (await hidamari(['--help'])).stdout;
    const code = [...README.matchAll(/```sh\n([\s\S]*?)```/g)]
      .map(([, text]) => text!.replaceAll('\\\n', ' '))
      .join('\n');
    for (const [, command, rest] of code.matchAll(/npx hidamari (\w+)(.*)/g)) {
      assert.match(help, new RegExp(`^  ${command}\\b`, 'm'));
      const { stdout } = await hidamari([command!, '--help']);
      for (const [option] of rest!.matchAll(/--[a-z-]+/g)) assert.ok(stdout.includes(option), `${command} ${option}`);
    }
    for (const [, script] of README.matchAll(/^npm (?:run )?(\S+)/gm)) assert.ok(scripts.includes(script!), script);
  });
});
