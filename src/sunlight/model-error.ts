import { type ModelError, type Move, moveOf, touchingClusters } from './moves.ts';
import type { Scene } from './scene.ts';

/**
 * The classes of errors, as standard deviations in metres. Datasets store the number of a class: new classes come last.
 * The first class is used where no map level is published.
 *
 * A map level has the limits of article 106 of the rules for public surveys (作業規程の準則). PLATEAU's product specification
 * uses those of 2500, 1000 and 500 for all objects (3D都市モデル標準製品仕様書, 6.3.3). See docs/sun.md.
 */
const CLASSES = [
  { mapLevel: '1', name: 'map level 2500', positionM: 1.75, heightM: 0.66 },
  { mapLevel: '2', name: 'map level 1000', positionM: 0.7, heightM: 0.33 },
  { mapLevel: '3', name: 'map level 500', positionM: 0.25, heightM: 0.25 },
  // Solids that end at the median of the roof (docs/method.md).
  { mapLevel: null, name: 'median roofs, measured against LOD2 roofs', positionM: 0, heightM: 1 },
  { mapLevel: '0', name: 'map level 5000', positionM: 3.5, heightM: 1.66 },
];

/** The class of solids that end at the median of the heights of their roof. */
const MEDIAN_HEIGHT = CLASSES.findIndex(({ mapLevel }) => mapLevel === null);
/** The code of `height_method` for these solids. */
const MEDIAN = '2';

/** The error of city models of PLATEAU, by class. */
export const MODEL_ERROR: ModelError = {
  positionsM: CLASSES.map(({ positionM }) => positionM),
  heightsM: CLASSES.map(({ heightM }) => heightM),
};

/** The published facts that determine the possible error of a building; absent: not published. */
export interface ErrorSource {
  mapLevel?: string | null;
  heightMethod?: string | null;
  /** True when it shades with roof surfaces. */
  hasRoof?: boolean;
}

/**
 * How each building of a scene moves when the model is varied at random: its cluster and its two error classes, as one
 * number. Touching buildings are a cluster, which moves as its first building does.
 */
export function movesOf(scene: Scene, sourceOf: (building: number) => ErrorSource): Uint32Array {
  return touchingClusters(scene).map(
    (firstOfCluster, building): Move =>
      moveOf(firstOfCluster, positionClassOf(sourceOf(firstOfCluster)), heightClassOf(sourceOf(building))),
  );
}

/** The class (index of CLASSES) of a building by its map level; 0 for an unknown level. */
const positionClassOf = ({ mapLevel }: ErrorSource): number =>
  Math.max(
    0,
    CLASSES.findIndex((candidate) => candidate.mapLevel === (mapLevel ?? '')),
  );

/**
 * The class of a building's error of height: that of the map level (地図情報レベル) of its source. A building without roof
 * surfaces whose solid ends at the median of its roof has the class MEDIAN_HEIGHT if the error of that class is larger.
 */
function heightClassOf(source: ErrorSource): number {
  const positionClass = positionClassOf(source);
  const endsAtMedian = source.heightMethod === MEDIAN && !source.hasRoof;
  return endsAtMedian && CLASSES[MEDIAN_HEIGHT].heightM > CLASSES[positionClass].heightM
    ? MEDIAN_HEIGHT
    : positionClass;
}

/** The source of the errors of two classes, for answers. */
export const errorSourceText = (positionClass: number, heightClass: number): string =>
  `Position: ${CLASSES[positionClass].name}; height: ${CLASSES[heightClass].name}. Errors of map levels are the limits of ` +
  '作業規程の準則 (rules for public surveys), article 106, taken as standard deviations; without a published level that of 2500.';
