import { timeOfDay } from '../../solar/day-path.ts';
import type { ReceptorSunlight } from '../../sunlight/floor.ts';
import { litShare } from '../../sunlight/lit-share.ts';
import { meanMinutes, sunlitWindows } from '../../sunlight/windows.ts';
import { monthAnswer } from '../sunlight-answers.ts';

/** Mean minutes of direct sun and of sun without obstacles, of some receptors on one day. */
interface Minutes {
  sun: number;
  unshaded: number;
}

/** The sun of one day as an answer says it. */
type DayMembers = Omit<ReturnType<typeof monthAnswer>, 'month'>;

/** @param day 0–11. */
export function faceMinutes(receptors: readonly ReceptorSunlight[], day: number): Minutes {
  const unshaded = receptors.reduce((sum, { unshadedMinutes }) => sum + (unshadedMinutes[day] ?? 0), 0);
  return { sun: meanMinutes(litOf(receptors, day), receptors.length), unshaded: unshaded / receptors.length };
}

/** Windows [start, end, start, end …] in which at least half of the receptors are lit. */
export const faceWindows = (receptors: readonly ReceptorSunlight[], day: number): number[] =>
  sunlitWindows(litOf(receptors, day), receptors.length);

export const monthMembers = (day: number, { sun, unshaded }: Minutes, windows: readonly number[]) =>
  monthAnswer(day + 1, sun, unshaded, windows);

export function dayMembers(minutes: Minutes, windows: readonly number[]): DayMembers {
  const { month: _, ...members } = monthMembers(0, minutes, windows);
  return members;
}

/** The steps of the lit share with their times of day. */
export function shareSteps(receptors: readonly ReceptorSunlight[], day: number): [string, number][] {
  const steps = litShare(receptors, day);
  const named: [string, number][] = [];
  for (let i = 0; i < steps.length; i += 2) {
    named.push([timeOfDay(steps[i] ?? 0), Math.round((steps[i + 1] ?? 0) * 100) / 100]);
  }
  return named;
}

const litOf = (receptors: readonly ReceptorSunlight[], day: number): number[] =>
  receptors.flatMap(({ lit }) => lit[day] ?? []);
