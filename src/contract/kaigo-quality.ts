import type { Static } from 'typebox';
import { count, orNull, Quantity, Type } from './schema.ts';

/** A figure about the operation of a home, from its public record. */
interface QualityFigureRow {
  description: string;
  example: number;
  /** The sort order of a table: which end comes first. It is not a judgement; what is good depends on the home. */
  first: 'lowest' | 'highest';
}

/** All quality figures, in the order of the answers. A row of the store has a value for each. */
export const QUALITY = {
  users_per_care_staff: {
    description: 'Users for each of the care staff, where staff are counted by heads; not from an estimated capacity.',
    example: 1.71,
    first: 'lowest',
  },
  users_per_care_staff_fte: {
    description: 'The same where staff are counted in full-time equivalents.',
    example: 2.1,
    first: 'lowest',
  },
  nurses_at_night: { description: 'Nurses on duty at night.', example: 1, first: 'highest' },
  turnover_percent: {
    description: 'Staff who left in the last year, per cent of all staff.',
    example: 12.5,
    first: 'lowest',
  },
  experience_years: { description: 'Years of experience of the staff, mean.', example: 8.4, first: 'highest' },
  experienced_percent: {
    description: 'Staff with ten years of experience or more, per cent.',
    example: 42.5,
    first: 'highest',
  },
  qualified_percent: {
    description: 'Certified care workers (介護福祉士), per cent of the care staff.',
    example: 61.3,
    first: 'highest',
  },
  occupancy_percent: { description: 'Users, per cent of the places.', example: 96.7, first: 'lowest' },
  waiting_per_place: { description: 'People on the waiting list for each place.', example: 2.23, first: 'lowest' },
} as const satisfies Record<string, QualityFigureRow>;

export type QualityName = keyof typeof QUALITY;
export const QUALITY_NAMES = Object.keys(QUALITY) as QualityName[];

const Peers = (where: string) =>
  Type.Object(
    {
      percentile: orNull(
        Quantity('Per cent of the other known values that are below it; equal ones count half.', 31.8, 0, 100),
        'fewer than five values are known',
      ),
      known: count('Facilities of the service whose value is known, this one included.', 84),
      of: count('Facilities of the service.', 205),
    },
    { title: 'QualityPeers', description: where },
  );

const QualityFigure = Type.Object(
  {
    value: Quantity('The value.', 12.5, 0),
    prefecture: Peers('Among the facilities of the service in the prefecture.'),
    japan: Peers('Among those of the whole data.'),
  },
  { title: 'QualityFigure', description: 'A value, and where it stands among those that are known.' },
);
export type QualityFigure = Static<typeof QualityFigure>;

const figure = (name: QualityName) => orNull(QualityFigure, 'not known', QUALITY[name].description);

export const Quality = Type.Object(
  {
    users_per_care_staff: figure('users_per_care_staff'),
    users_per_care_staff_fte: figure('users_per_care_staff_fte'),
    nurses_at_night: figure('nurses_at_night'),
    turnover_percent: figure('turnover_percent'),
    experience_years: figure('experience_years'),
    experienced_percent: figure('experienced_percent'),
    qualified_percent: figure('qualified_percent'),
    occupancy_percent: figure('occupancy_percent'),
    waiting_per_place: figure('waiting_per_place'),
  } satisfies Record<QualityName, unknown>,
  {
    title: 'CareQuality',
    description: 'Figures of how the service is run, each with where it stands and of how many homes it is known.',
  },
);
export type Quality = Static<typeof Quality>;
