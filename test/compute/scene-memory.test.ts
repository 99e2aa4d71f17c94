import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ServedCity, serveCity, smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOUSES = 12_000;
