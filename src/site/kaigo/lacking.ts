import { type PageAsk, textsOf } from '../view.ts';
import { COMMON_HOMES, serviceName } from './services.ts';

/**
 * Says of which services the data lacks the list; null when it lacks none. A list is lacking when no facility in the
 * data has the service. It is also lacking when none of the prefecture has it, and it is a home of a kind that every
 * prefecture has.
 * @param code of the prefecture or of a municipality in it
 */
export function lackingText(ask: PageAsk, code: string, services: readonly string[]): string | null {
  const { care, frame } = textsOf(ask);
  const places = ask.dataset.kaigo?.municipalities() ?? [];
  const here = places.filter(({ prefecture_code: prefecture }) => prefecture === code.slice(0, 2));
  const isIn = (some: typeof places, service: string): boolean =>
    some.some((place) => place.services.some(({ service_code }) => service_code === service));
  const nowhere = services.filter((service) => !isIn(places, service));
  const elsewhere = services.filter((service) => COMMON_HOMES.includes(service) && !nowhere.includes(service));
  const notHere = elsewhere.filter((service) => !isIn(here, service));
  const names = (some: readonly string[]): string =>
    frame.list(some.map((service) => serviceName(service, ask.language)));
  const sentences = [
    ...(notHere.length === 0 ? [] : [care.lackedHere(names(notHere))]),
    ...(nowhere.length === 0 ? [] : [care.lacked(names(nowhere))]),
  ];
  return sentences.length === 0 ? null : frame.sentences(...sentences);
}
