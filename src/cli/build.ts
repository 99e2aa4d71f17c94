import type { KeyObject } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { HEIGHT_RULES, type HeightRule } from '../city/standing-height.ts';
import { dayInJapan } from '../kaigo/price-list.ts';
import { type BuildOptions, type BuildOutcome, build, planOnly } from '../pipeline/build.ts';
import { Part } from '../pipeline/part.ts';
import { listDatasets, newestDataset } from '../snapshot/listing.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { byListing, byStore, byThisMachine } from '../work/build-by-store.ts';
import type { QueueOptions } from '../work/queue.ts';
import type { StepStore } from '../work/step-store.ts';
import { StepsListed } from '../work/steps.ts';
import { reportLines } from './build-report.ts';
import { type InputPaths, withInputs } from './inputs-folder.ts';
import { countText, durationText, say, sayJson } from './output.ts';
import { progressListener } from './progress.ts';
import {
  AS_OF_OPTION,
  asArgument,
  dayFlag,
  FEES_OPTION,
  SIGN_KEY_OPTION,
  timeOfBuild,
  WORKERS_OPTION,
} from './setting.ts';
import {
  lockOption,
  openQueue,
  openSteps,
  queueOption,
  RUN,
  runOption,
  storeKeyOption,
  storeOption,
  waitOption,
} from './store.ts';

interface Flags extends InputPaths {
  out: string;
  inputs?: string;
  mergeLists: boolean;
  dataThrough?: string;
  fees?: string;
  asOf?: string;
  workers: number;
  resume: boolean;
  base?: string;
  plan: boolean;
  keepGoing: boolean;
  json: boolean;
  signKey?: KeyObject;
  store?: ObjectStore;
  storeKey?: KeyObject;
  listSteps: boolean;
  part?: Part;
  heights: HeightRule;
  run?: string;
  queue?: string;
  lock: number;
  waitForWorkers?: number;
}

/** `hidamari build`: makes a dataset of published files. */
export function define(command: Command): void {
  command
    .description(
      'Builds a dataset from published files and puts it into a data folder, whole or not at all. ' +
        'A PATH is a folder (searched), a file, or a published zip (read as it is).',
    )
    .requiredOption('--out <dir>', 'data folder; the dataset becomes a folder in it')
    .option('--inputs <dir>', 'folder of hidamari fetch: takes everything that lies in it')
    .option('--citygml <path...>', 'PLATEAU city models: gives the sunlight half', [])
    .option('--towns <path...>', 'census small areas (shapefiles): which town a building stands in', [])
    .option('--readings <file>', 'postal town names with kana: the readings and postal codes of the towns')
    .option('--addresses <path...>', 'blocks of the address base registry: addresses down to the block in search', [])
    .option(
      '--landmarks <path...>',
      'railways, rivers, parks (国土数値情報) and roads, water (CityGML) for the map',
      [],
    )
    .option('--normals <path...>', 'hours of sunshine in a normal year: expected hours of floors', [])
    .option('--terrain <path...>', 'elevation: PLATEAU dem, tiles or XML of 国土地理院, GeoTIFF; hills shade', [])
    .option('--offices <path...>', "the ministry's office lists: gives the care half", [])
    .option('--merge-lists', 'older lists of a service count too, where the newest has no row', false)
    .option('--data-through <date>', 'day the office lists reach, where their names do not say', dayFlag)
    .option('--details <file...>', 'tables of users, staff, rooms, opening dates and fees', [])
    .option('--registers <file...>', 'registers of homes with rent and fees', [])
    .option('--filings <file...>', 'lists of filed additions (届出)', [])
    .option('--hazards <path...>', 'flood and landslide zones (国土数値情報 A31, A33) at care facilities', [])
    .option(...FEES_OPTION)
    .option(...AS_OF_OPTION)
    .option(...WORKERS_OPTION)
    .option('--resume', 'go on with a build that was broken off', false)
    .option(
      '--base <dir>',
      'take over the results of grid squares that have not changed since this dataset; of a data folder, its newest',
    )
    .option('--plan', 'print what would be computed, as JSON, and stop', false)
    .option('--keep-going', 'leave out files that cannot be read, and report them', false)
    .option(...SIGN_KEY_OPTION)
    .option('--json', 'progress as JSON lines on standard error, the outcome as JSON on standard output', false)
    .addOption(
      new Option(
        '--part <codes>',
        'compute and serve these grid squares only (4, 6 or 8 digits, with commas)',
      ).argParser(asArgument((text) => new Part(text.split(',')))),
    )
    .addOption(
      new Option('--heights <rule>', 'height of measured buildings: that of the published solid or the measured one')
        .choices(HEIGHT_RULES)
        .default('solid'),
    )
    .option('--parts <dataset...>', 'join datasets that were built with --part; in place of --citygml')
    .addOption(storeOption())
    .addOption(storeKeyOption())
    .option('--list-steps', 'with --store: list the steps that are missing for hidamari work --stage, and stop', false)
    .addOption(runOption())
    .addOption(queueOption())
    .addOption(lockOption())
    .addOption(waitOption())
    .action(run);
}

/** Builds a dataset, or does what the flags name instead: prints the plan, or lists the missing steps. */
async function run(options: Flags, command: Command): Promise<void> {
  const flags = options.inputs === undefined ? options : await withInputs(options, options.inputs, options.json);
  checkUsage(flags, command);
  const generatedAt = timeOfBuild(command);
  checkDataThrough(flags, dayInJapan(new Date(generatedAt)), command);
  const { store, storeKey } = flags;
  const note = (message: string): void => progressListener(flags.json)({ event: 'remark', message });
  const steps = store === undefined ? null : openSteps(store, storeKey, command, note);
  const queue = await openQueue(flags, steps, command);
  await using resources = new AsyncDisposableStack();
  resources.defer(() => queue?.redis.disconnect());
  const makeRunner = await runnerThroughStore(flags, steps, queue, resources);
  const buildOptions: BuildOptions = {
    ...flags,
    readings: flags.readings ?? null,
    fees: flags.fees ?? null,
    asOf: flags.asOf ?? dayInJapan(new Date(generatedAt)),
    // Looked for now, so that a command without it fails before the work begins.
    base: flags.base === undefined ? null : (await newestDataset(flags.base)).folder,
    generatedAt,
    listener: progressListener(flags.json),
    makeRunner,
  };
  if (flags.plan) return sayJson(await planOnly(buildOptions));
  const start = performance.now();
  const outcome = await buildOrList(buildOptions, flags);
  if (outcome === null) return;
  if (flags.json) sayJson(outcome);
  else {
    for (const line of reportLines(outcome)) say(line);
    say(`Built ${outcome.dataset} in ${durationText(performance.now() - start)}`);
  }
  await noteNewer(outcome, note);
}

/** The outcome of a build; null when missing steps were listed instead of done. */
async function buildOrList(options: BuildOptions, flags: Flags): Promise<BuildOutcome | null> {
  try {
    return await build(options);
  } catch (error) {
    if (!(error instanceof StepsListed)) throw error;
    const { step, count } = error;
    if (flags.json) sayJson({ stage: step, steps: count, run: flags.run ?? RUN });
    else
      say(
        `${countText(count)} ${count === 1 ? 'step' : 'steps'}: hidamari work --store … --run ${flags.run ?? RUN} --stage ${step} --shard I/N`,
      );
    process.exitCode = STEPS_LISTED;
    return null;
  }
}

/** Exit code: steps were listed that must be done first. */
const STEPS_LISTED = 3;

/** Each of the flags in `names` needs at least one of the flags in `needed`. */
const NEEDED_FLAGS: readonly { names: readonly (keyof Flags)[]; needed: readonly (keyof Flags)[] }[] = [
  { names: ['terrain', 'base', 'plan'], needed: ['citygml'] },
  { names: ['addresses', 'normals', 'landmarks'], needed: ['citygml', 'parts'] },
  { names: ['readings'], needed: ['towns'] },
  {
    names: ['details', 'registers', 'filings', 'hazards', 'fees', 'mergeLists', 'dataThrough'],
    needed: ['offices'],
  },
  { names: ['storeKey', 'listSteps'], needed: ['store'] },
];

/** True for a flag on the command line, by its value. */
const isGiven = (value: Flags[keyof Flags]): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** The spelling of a flag on the command line: `--merge-lists` for `mergeLists`. */
const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Ends the command as wrong usage when flags do not fit together. */
function checkUsage(flags: Flags, command: Command): void {
  if (flags.parts !== undefined && flags.citygml.length > 0)
    command.error('error: --parts takes the place of --citygml');
  if (flags.citygml.length === 0 && flags.offices.length === 0 && flags.parts === undefined) {
    if (flags.inputs !== undefined)
      command.error(`error: --inputs ${flags.inputs}: holds neither citygml nor offices; hidamari fetch makes it`);
    command.error(
      'error: nothing to build: give --citygml for the sunlight half, --offices for the care half, or both',
    );
  }
  for (const { names, needed } of NEEDED_FLAGS) {
    const isUsed = (flag: keyof Flags): boolean => isGiven(flags[flag]);
    const name = names.find(isUsed);
    if (name !== undefined && !needed.some(isUsed))
      command.error(`error: ${flagOf(name)} needs ${needed.map(flagOf).join(' or ')}`);
  }
  if (flags.listSteps && flags.queue !== undefined)
    command.error('error: --list-steps is for machines without a queue: leave --queue out');
  if (existsSync(flags.out) && !statSync(flags.out).isDirectory())
    command.error(`error: --out ${flags.out}: is a file, not a folder`);
}

/** Ends the command when `--data-through` lies after the day of the build. */
function checkDataThrough({ dataThrough }: Flags, today: string, command: Command): void {
  if (dataThrough === undefined || dataThrough <= today) return;
  command.error(`error: --data-through ${dataThrough}: is after ${today}, the day of the build`);
}

/** The runner of a build whose steps go through a store; undefined without a store. `resources` closes it. */
async function runnerThroughStore(
  { listSteps, run, workers }: Flags,
  store: StepStore | null,
  queue: QueueOptions | null,
  resources: AsyncDisposableStack,
): Promise<BuildOptions['makeRunner']> {
  if (store === null) return undefined;
  if (queue === null) return byStore(store, listSteps ? byListing(store, run ?? RUN) : byThisMachine(store, workers));
  const { byQueue } = await import('../work/queue.ts');
  // Without a name, the build gets one that follows from its program and inputs.
  const steps = byQueue(queue, run ?? null, (build) => resources.defer(() => build.close()));
  return byStore(store, steps);
}

/** Notes that servers will open another dataset of the folder, because that one is newer than this outcome. */
async function noteNewer({ dataset, dataset_id }: BuildOutcome, note: (message: string) => void): Promise<void> {
  const folder = dirname(dataset);
  const [newest] = (await listDatasets(folder)).datasets;
  if (newest === undefined || newest.manifest.dataset_id === dataset_id) return;
  const { dataset_id: other, generated_at } = newest.manifest;
  note(
    `${dataset} was built before. Servers open ${other}, whose date ${generated_at} is later; to serve ${dataset_id}: hidamari withdraw ${other} --data ${folder}`,
  );
}
