import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { DatasetContents } from '../dataset/contents.ts';
import { buildingsByWard, sunlightBulkName } from '../dataset/sunlight.ts';
import { featureTexts, type Selection, writeSources, writeWindows } from '../export/tables.ts';
import type { Box } from '../geo/grid-square.ts';
import { DatasetError } from '../snapshot/manifest.ts';
import { countText, inPieces, remark, sayAll, wholeFile } from './output.ts';
import { oneOf, webUrl } from './setting.ts';

/** The control character RS, by which a reader of RFC 8142 finds the next feature after a damaged one. */
const RECORD_SEPARATOR = '\x1e';

const KINDS = ['geojsonseq', 'windows', 'sources'] as const;

interface Flags {
  as: (typeof KINDS)[number];
  ward?: string;
  bbox?: Box;
  recordSeparators: boolean;
  out?: string;
  static?: string;
  siteUrl?: string;
  bulk: boolean;
  gzip: boolean;
}

/** Adds `hidamari export DATASET`. */
export function define(command: Command): void {
  command
    .description(
      'Writes buildings for other programs: `geojsonseq`, a feature a line (GeoJSON text sequence: ogr2ogr, QGIS, ' +
        'tippecanoe, DuckDB); `windows`, the sunlit windows of every face, floor and month, and `sources`, what casts ' +
        'the shade, as Parquet. The hours of all buildings are in the dataset as Parquet already: bulk/.',
    )
    .argument('<dataset>', 'a dataset, or a data folder: then the newest dataset in it')
    .option('--as <kind>', `what to write: ${KINDS.join(', ')}`, oneOf(KINDS), 'geojsonseq')
    .option('--ward <code>', 'only buildings with this ward or municipality code, such as 13101', wardCode)
    .option('--bbox <w,s,e,n>', 'only buildings that meet this box, degrees: west,south,east,north', box)
    .option(
      '--static <place>',
      'write pages, lists, tiles, bulk files and packs of all answers there: a folder or s3://bucket/prefix',
    )
    .option('--site-url <url>', 'with --static: the address at which these files are served', webUrl)
    .option('--no-bulk', 'with --static: without the bulk files')
    .option(
      '--no-gzip',
      'with --static: pages, tiles and scripts as they are; otherwise they are gzipped: in a folder as .gz, in a bucket with Content-Encoding',
    )
    .option('--record-separators', 'put the character RS before each feature (RFC 8142)', false)
    .option('--out <file>', 'the file to write; without it GeoJSON goes to standard output');
  command.action(async (dataset: string, flags: Flags) => {
    const { as, ward, bbox, out, recordSeparators, siteUrl, bulk, gzip } = flags;
    if (flags.static !== undefined) {
      if (siteUrl === undefined) command.error('error: --static needs --site-url: it is part of the answers');
      if (ward !== undefined || bbox !== undefined || out !== undefined)
        command.error('error: --static writes the whole dataset: leave --ward, --bbox and --out out');
      const { exportStatic } = await import('./export-static.ts');
      const version = command.parent?.version() ?? '';
      return await exportStatic({ dataset, out: flags.static, siteUrl, version, bulk, gzip });
    }
    const selection: Selection = { ward: ward ?? null, box: bbox ?? null };
    if (as === 'geojsonseq') {
      await exportBuildings(dataset, ward, 'buildings', (contents) =>
        writeFeatures(out, featureTexts(contents, selection), recordSeparators ? RECORD_SEPARATOR : ''),
      );
      return;
    }
    if (out === undefined) command.error(`error: --as ${as} needs --out: Parquet is not for standard output`);
    const write = as === 'windows' ? writeWindows : writeSources;
    await exportBuildings(dataset, ward, 'rows', (contents) =>
      wholeFile(out, (part) => write(part, contents, selection)),
    );
  });
}

/**
 * Opens the dataset, writes its buildings, and prints how much was written.
 * @param what name of what `write` writes and counts; it may select by a box
 */
async function exportBuildings(
  dataset: string,
  ward: string | undefined,
  what: string,
  write: (contents: DatasetContents) => Promise<number>,
): Promise<void> {
  const contents = await DatasetContents.open(dataset);
  try {
    const { manifest, folder } = contents.files;
    if (!manifest.halves.sunlight) throw new DatasetError(`${folder}: was built without city models: no buildings`);
    if (ward !== undefined) checkWard(contents, ward);
    const rows = await write(contents);
    remark(`${countText(rows)} ${what} of dataset ${manifest.dataset_id}`);
    if (rows === 0) remark('Nothing was found: does the box meet buildings of this dataset?');
  } finally {
    contents.close();
  }
}

/** @throws DatasetError when the dataset has no building of the ward, before anything is written */
function checkWard({ files: { folder, manifest } }: DatasetContents, ward: string): void {
  if (sunlightBulkName(ward) in manifest.files) return;
  throw new DatasetError(
    `${folder}: no buildings of --ward ${ward}; it has those of ${[...buildingsByWard(manifest).keys()].join(', ')}`,
  );
}

/**
 * Writes features as lines.
 * @param out undefined: to standard output
 * @param recordSeparator what stands before each feature
 * @returns the number of features
 */
async function writeFeatures(
  out: string | undefined,
  features: Iterable<string>,
  recordSeparator: string,
): Promise<number> {
  let count = 0;
  /** The lines of the features; counts them. */
  function* lines(): Generator<string> {
    for (const feature of features) {
      count++;
      yield `${recordSeparator}${feature}\n`;
    }
  }
  if (out === undefined) await sayAll(lines());
  else await wholeFile(out, (part) => pipeline(Readable.from(inPieces(lines())), createWriteStream(part)));
  return count;
}

/** @throws InvalidArgumentError */
function wardCode(text: string): string {
  if (/^\d{5}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a code of five digits, such as 13101.');
}

/**
 * The value of `--bbox`.
 * @throws InvalidArgumentError
 */
function box(text: string): Box {
  const [west, south, east, north, ...more] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  // Every comparison with NaN is false.
  const isOnEarth = west >= -180 && east <= 180 && south >= -90 && north <= 90;
  if (isOnEarth && west < east && south < north && more.length === 0) return { west, south, east, north };
  throw new InvalidArgumentError('It must be west,south,east,north in degrees, such as 139.76,35.67,139.78,35.69.');
}
