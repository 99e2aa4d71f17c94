import { type Command, InvalidArgumentError, Option } from 'commander';
import { AIDS, type Aid, INCOMES, type Income, type Level, ROOMS, type Room } from '../contract/kaigo-cost.ts';
import { NOTHING_KNOWN } from '../kaigo/bill.ts';
import type { Rounding } from '../kaigo/care-cost.ts';
import { caseFault, roomFault, type Scenario } from '../kaigo/case.ts';
import { estimateInSteps, type SteppedBill, type SteppedEstimate } from '../kaigo/estimate-steps.ts';
import { GRADES, type Grade, gradeOf } from '../kaigo/municipalities.ts';
import { dayInJapan, type PriceList, priceListOn, unitPriceOf } from '../kaigo/price-list.ts';
import { officialServiceName, serviceOf } from '../kaigo/services.ts';
import { BILL_KINDS } from '../kaigo/tariff.ts';
import { readFees } from '../pipeline/kaigo-inputs.ts';
import { countText, say, sayJson, table } from './output.ts';
import { AS_OF_OPTION, FEES_OPTION, oneOf, wholeNumber } from './setting.ts';

/** Limit of the number in a flag: yen, units, days or visits. */
const MOST = 999_999;
/** Parsers of flags that are numbers: of anything, of a 要介護度, of a 要支援. */
const count = wholeNumber(0, MOST);
const careLevel = wholeNumber(1, 5);
const supportLevel = wholeNumber(1, 2);

interface Flags {
  service: string;
  careLevel: number;
  supportLevel?: number;
  aid?: Aid;
  partnerCareLevel?: number;
  partnerSupportLevel?: number;
  grade?: Grade;
  municipality?: string;
  days: number;
  visits?: number;
  room?: Room;
  variant?: string[];
  copayment: number;
  income: Income;
  food?: number;
  roomFee?: number;
  rent?: number;
  management?: number;
  dailyUnits?: number;
  monthlyUnits?: number;
  treatment: string;
  rounding: Rounding;
  asOf?: string;
  fees?: string;
  json: boolean;
}

/** `hidamari fees`: one estimate with all its steps. This function is long, because each option is one call. */
export function define(command: Command): void {
  command
    .description(
      'Prints what a resident pays for a service: the cheapest bill from base units alone, a typical one and the ' +
        'dearest, with every step, and what is left after the limits of the income stage and the monthly cap.',
    )
    .requiredOption('--service <code>', 'service number, such as 510', service)
    .option('--care-level <n>', '要介護度, 1 to 5', careLevel, 3)
    .option('--support-level <n>', '要支援, 1 or 2, in place of --care-level', supportLevel)
    .addOption(
      new Option(
        '--aid <who>',
        'social_welfare: relief of the corporation; public_assistance: care assistance',
      ).choices(AIDS),
    )
    .option('--partner-care-level <n>', '要介護度 of a partner in the same home', careLevel)
    .addOption(
      new Option('--partner-support-level <n>', '要支援 of a partner in the same home')
        .conflicts('partnerCareLevel')
        .argParser(supportLevel),
    )
    .addOption(new Option('--grade <grade>', 'area grade (級地)').choices(GRADES as string[]).conflicts('municipality'))
    .option('--municipality <code>', 'take the grade of this municipality, 6 digits', municipality)
    .option('--days <n>', 'days', wholeNumber(1, MOST), 30)
    .option('--visits <n>', 'visits in those days, for services charged per visit', count)
    .addOption(new Option('--room <room>', 'kind of room; all kinds without it').choices(ROOMS))
    .option('--variant <id...>', 'tariff, such as basic_shared; those that fit without it')
    .option('--copayment <percent>', '自己負担: 10, 20 or 30', (text) => Number(oneOf(['10', '20', '30'])(text)), 10)
    .addOption(
      new Option('--income <stage>', 'income stage: 1 to 3-2 pay no residence tax; taxed_380 and taxed_690 much of it')
        .choices(INCOMES)
        .default('standard'),
    )
    .option('--food <yen>', "the facility's own fee for food, yen a day", count)
    .option('--room-fee <yen>', "the facility's own fee for the room, yen a day", count)
    .option('--daily-units <n>', 'additions, units a day or visit (without them those of most facilities)', count)
    .option('--monthly-units <n>', 'additions, units a month', count)
    .option('--treatment <rate>', 'none, highest, the name of a rate, or range: from none to the highest', 'range')
    .option('--rent <yen>', 'rent, yen a month', count)
    .option('--management <yen>', 'management fees, yen a month', count)
    .addOption(
      new Option('--rounding <how>', "of the resident's share: as billed, or as printed price lists floor it")
        .choices(['official', 'check-list'])
        .default('official'),
    )
    .option(...AS_OF_OPTION)
    .option(...FEES_OPTION)
    .option('--json', 'print JSON', false)
    .action(fees);
}

/** Prints the cost of a service for the case that the flags describe. */
async function fees(flags: Flags, command: Command): Promise<void> {
  const feeTable = await readFees(flags.fees ?? null, []);
  const asOf = flags.asOf ?? dayInJapan(new Date());
  const list = priceListOn(feeTable, asOf);
  const tariff = list.services.get(flags.service);
  checkChoices(flags, list, command);
  const grade = flags.grade ?? gradeOf(flags.municipality ?? '');
  if (grade === null && tariff !== undefined && !tariff.user_pays_nothing) {
    command.error('error: --grade or --municipality is needed: what a unit costs depends on the area');
  }
  const facts = {
    ...NOTHING_KNOWN,
    serviceCode: flags.service,
    grade,
    rooms: flags.room === undefined ? null : [flags.room],
    food: flags.food === undefined ? null : { yen: flags.food, per: 'day' as const },
    roomFees: roomFeesOf(flags),
    rentPerMonth: flags.rent ?? null,
    managementPerMonth: flags.management ?? null,
    rentFrom: flags.rent === undefined ? null : ('published' as const),
    // Only such homes grant the relief of --aid social_welfare. The flag decides whether it is taken off.
    isSocialWelfare: true,
  };
  const stepped = estimateInSteps(feeTable, facts, scenarioOf(flags), list);
  const about = {
    service_code: flags.service,
    service_name: officialServiceName(flags.service),
    grade,
    unit_price_yen: tariff === undefined || grade === null ? null : unitPriceOf(list, tariff, grade) / 100,
    as_of: asOf,
    rounding: flags.rounding,
  };
  if (flags.json) sayJson({ ...about, ...stepped });
  else for (const line of estimateLines(about, stepped)) say(line);
}

/** The fee for the named room; without a name, for any room. */
function roomFeesOf({ room, roomFee }: Flags): Partial<Record<Room, number>> {
  if (roomFee === undefined) return {};
  return Object.fromEntries((room === undefined ? ROOMS : [room]).map((kind) => [kind, roomFee]));
}

/** The level of a number in `--support-level`. */
const levelOfSupport = (level: number): Level => (level === 1 ? 'support_1' : 'support_2');

/** The case that the flags describe, with the days, visits and variants of an estimate. */
function scenarioOf(flags: Flags): Scenario {
  const { partnerCareLevel, partnerSupportLevel } = flags;
  return {
    careLevel: flags.supportLevel === undefined ? flags.careLevel : levelOfSupport(flags.supportLevel),
    aid: flags.aid ?? null,
    partnerLevel: partnerSupportLevel === undefined ? (partnerCareLevel ?? null) : levelOfSupport(partnerSupportLevel),
    copaymentPercent: flags.copayment,
    income: flags.income,
    days: flags.days,
    room: null,
    visits: flags.visits ?? null,
    variants: flags.variant ?? null,
    dailyUnits: flags.dailyUnits ?? null,
    monthlyUnits: flags.monthlyUnits ?? null,
    treatment: flags.treatment,
    rounding: flags.rounding,
  };
}

/** Ends the command when a choice is not valid for the service. The message lists the valid ones. */
function checkChoices(flags: Flags, list: PriceList, command: Command): void {
  const { service: code, variant, treatment, room } = flags;
  const fault = caseFault(scenarioOf(flags));
  if (fault !== null) command.error(`error: ${fault.message}`);
  const tariff = list.services.get(code);
  // Without prices of the service there is no estimate, which the command says later.
  if (tariff === undefined) return;
  const wrongRoom = room === undefined ? null : roomFault(list, code, room);
  if (wrongRoom !== null) command.error(`error: ${wrongRoom.message}`);
  const ids = tariff.variants.map(({ id }) => id);
  const unknownId = variant?.find((id) => !ids.includes(id));
  if (unknownId !== undefined)
    command.error(`error: service ${code} has no variant ${unknownId}; it has ${ids.join(', ')}`);
  // Three words for several rates, none or the highest, and the rates of the service by name.
  const rateNames = Object.keys(list.treatment.get(tariff.treatment_group)?.permille ?? {});
  const treatments = ['range', 'none', 'highest', ...rateNames];
  if (!treatments.includes(treatment)) {
    command.error(`error: --treatment ${treatment} is none of ${treatments.join(', ')}`);
  }
}

/** The estimate as text: the case, the bills step by step, the result and the remarks. */
function estimateLines(
  about: { service_code: string; service_name: string; grade: Grade | null },
  stepped: SteppedEstimate,
): string[] {
  const { estimate, remarks } = stepped;
  const { scenario, monthly_yen: yen, after_refund: after } = estimate;
  const visits = scenario.visits === undefined ? '' : `, ${scenario.visits} visits (${scenario.visit})`;
  const { support_level, care_level, days, copayment_percent, income } = scenario;
  const level = support_level === undefined ? `care level ${care_level}` : `support level ${support_level}`;
  const head = [
    `${about.service_code} ${about.service_name}`,
    `${level}, area grade ${about.grade ?? 'any'}, ${days} days${visits}, copayment ${copayment_percent} %, income ${income}`,
    `price list of ${estimate.price_list}`,
  ];
  if (yen === null || after === null) return [...head, '', `no estimate: ${estimate.reason}`];
  const range = ({ low, typical, high }: typeof yen) =>
    low === high ? countText(low) : `${countText(low)} to ${countText(high)}, typically ${countText(typical)}`;
  return [
    ...head,
    ...billsOf(stepped).flatMap(([title, bill]) => ['', ...billLines(title, bill)]),
    '',
    `a resident pays ${range(yen)} yen (${estimate.basis?.bill}, ${estimate.confidence})`,
    ...(range(after) === range(yen) ? [] : [`after limits and refunds ${range(after)} yen`]),
    ...(estimate.note === null ? [] : [estimate.note]),
    ...(estimate.excludes.length > 0 ? [`not in it: ${estimate.excludes.join(', ')}`] : []),
    ...remarks,
  ];
}

/** The known bills, each with its name. If all are equal, one without a name. */
function billsOf(stepped: SteppedEstimate): [string, SteppedBill][] {
  const titles = { low: 'lowest', typical: 'typical', high: 'highest' };
  const bills = BILL_KINDS.flatMap((kind): [string, SteppedBill][] => {
    const bill = stepped[kind];
    return bill === null ? [] : [[titles[kind], bill]];
  });
  const texts = new Set(bills.map(([, bill]) => JSON.stringify(bill)));
  return texts.size === 1 ? [['', bills[0][1]]] : bills;
}

/** A bill as text: its tariff, its additions, and its steps. */
function billLines(title: string, bill: SteppedBill): string[] {
  const room = bill.room === null ? '' : `, room ${bill.room}`;
  const treatment = bill.treatment === null ? 'no treatment improvement' : `treatment improvement ${bill.treatment}`;
  const rows = bill.steps.map(({ name, formula, value, unit }) => [`  ${name}`, formula, '=', countText(value), unit]);
  return [
    `${title === '' ? '' : `${title}: `}${bill.label} (${bill.variant})${room}, ${treatment}`,
    `  base units: ${bill.source} (${bill.confidence})`,
    ...bill.additions.map(
      ({ label, units, per, source, confidence }) => `  ${label}: ${units} units a ${per}: ${source} (${confidence})`,
    ),
    // The first row of a table is its heading; there is none here.
    ...table([['', '', '', '', ''], ...rows]).slice(1),
  ];
}

/** @throws InvalidArgumentError */
function service(text: string): string {
  if (serviceOf(text) === undefined) throw new InvalidArgumentError('There is no such service; 510 is one.');
  return text;
}

/** @throws InvalidArgumentError */
function municipality(text: string): string {
  if (gradeOf(text) === null) throw new InvalidArgumentError('There is no such municipality.');
  return text;
}
