import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convergenceDeg, planeOf, toPlane } from '../../src/geo/plane.ts';
import { dayPaths } from '../../src/solar/day-path.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import { computePoint } from '../../src/sunlight/point.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { buildTree, treeInMemory } from '../../src/sunlight/tree.ts';
import { viewOf, whereInView } from '../../src/sunlight/view.ts';
import { sceneOf, type TestBuilding, TOKYO } from '../support/scenes.ts';

/** Houses that a whole ring around the origin would have, side by side; they stand where the sun passes. */
const HOUSES = 1800;
const SUN = { from: 60, to: 300 };
const RINGS = 48;
/** The sector that all rings but the outermost leave open, degrees from north. */
const OPEN = { from: 150, to: 215 };

/** A ring of houses one metre thick whose walls rise so steeply as seen from the origin. */
function ringOf(radius: number, slope: number, hasGap: boolean): TestBuilding[] {
  const corner = (house: number, r: number): [number, number] => {
    const angle = (2 * Math.PI * house) / HOUSES;
    return [r * Math.sin(angle), r * Math.cos(angle)];
  };
  return Array.from({ length: HOUSES }, (_, house) => house)
    .filter((house) => {
      const degrees = (360 * (house + 0.5)) / HOUSES;
      if (degrees < SUN.from || degrees > SUN.to) return false;
      return !(hasGap && degrees > OPEN.from && degrees < OPEN.to);
    })
    .map((house) => ({
      rings: [
        [corner(house, radius), corner(house, radius + 1), corner(house + 1, radius + 1), corner(house + 1, radius)],
      ],
      base: 0,
      top: radius * slope,
    }));
}

test('more walls than the table of edges holds: those that are covered make room, and the rest stay what they are', () => {
  // The nearer a ring the steeper; each is a tree around the eye, so that the widest is drawn first and covered last.
  const rings = Array.from({ length: RINGS }, (_, i) => ringOf(900 * 0.94 ** i, 0.7 + 0.03 * i, i > 0));
  const curves = sunCurves(dayPaths(TOKYO.lat, TOKYO.lon), convergenceDeg(planeOf(9), TOKYO.lat, TOKYO.lon));
  const place: [number, number] = [0, 0];
  toPlane(planeOf(9), TOKYO.lat, TOKYO.lon, place);
  const sunOver = (shown: readonly TestBuilding[][]) => {
    const scenes = shown.map((ring) => sceneOf(ring));
    const parts = scenes.map((scene) => ({ tree: treeInMemory(buildTree(scene)), above: -Infinity }));
    const view = viewOf(scenes[0]!.originX, scenes[0]!.originY, parts);
    const engine = new Engine();
    const at = [place[0] - view.originX, place[1] - view.originY, 0] as const;
    const sun = computePoint(engine, view, curves, at, curves.convergenceDeg);
    const blocked: [ring: string, house: number, minutes: number][] = [];
    engine.takeBlocked((building, minutes) => {
      const { part, index } = whereInView(view, building);
      blocked.push([part === 0 ? 'outermost' : part === shown.length - 1 ? 'innermost' : `${part}`, index, minutes]);
    });
    return { ...sun, blocked: blocked.sort() };
  };
  const all = sunOver(rings);
  // Only the innermost ring is seen, and through its gap the outermost.
  const seen = sunOver([rings[0]!, rings.at(-1)!]);
  assert.deepEqual(all, seen);
  const minutes = all.sunMinutes[4]!;
  assert.ok(minutes > 0 && minutes < all.unshadedMinutes[4]! - 300, `${minutes} minutes of sun in May`);
});
