import assert from 'node:assert/strict';
import { test } from 'node:test';
import { robotsText } from '../../src/site/frame/discovery.ts';

test('the robots.txt of a site below a path closes the paths of this site', () => {
  const lines = robotsText({ siteUrl: 'https://host.example/app' }).split('\n');
  for (const path of ['/app/api/', '/app/search/', '/app/en/search/']) assert.ok(lines.includes(`Disallow: ${path}`));
});
