// Saved flats and homes, in the storage of this device only: buttons that save one, and lists of saved ones. A private
// window may have no storage: then nothing of this is shown.
const KEY = 'hidamari-saved';
/** Limit of the things of one kind that are saved: the newest. */
const MOST = 20;
/** Limit of the things in a comparison. */
const MOST_COMPARED = 4;

/**
 * `latin`: the name on English pages. `height`: of the building of a flat, metres. `hours`: those of a flat on 15 December
 * when it was saved. `about`: the kind and the cost of a home then; `aboutLatin`: on English pages. `query`: the day or the
 * case of its page.
 * @typedef {{ id: string, name: string, latin?: string, height?: string, hours?: string, about?: string, aboutLatin?: string, query?: string }} SavedThing
 */
/** @typedef {Record<string, SavedThing[]>} Saved the lists of saved things, by kind: `flats`, `homes` */

/**
 * The saved things; none when the stored text is damaged; null when this browser has no storage.
 * @returns {Saved | null}
 */
function read() {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return value !== null && typeof value === 'object' ? value : {};
  } catch (error) {
    return error instanceof SyntaxError ? {} : null;
  }
}

/**
 * The saved things of a kind.
 * @param {Saved} saved
 * @param {string} kind
 * @returns {SavedThing[]}
 */
const listOf = (saved, kind) => (Array.isArray(saved[kind]) ? saved[kind] : []);

/**
 * The name of a saved thing in the language of the page.
 * @param {SavedThing} thing
 */
const nameOf = ({ id, name, latin }) => (document.documentElement.lang === 'en' ? latin || id : name);

/**
 * Stores a list in place of the saved one of its kind, and shows it.
 * @param {string} kind
 * @param {SavedThing[]} list
 */
function store(kind, list) {
  const saved = read() ?? {};
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...saved, [kind]: list.slice(-MOST) }));
  } catch {
    // The storage is full or switched off: the shown list stays as it was.
  }
  show();
}

/**
 * An element with a text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} text
 */
function make(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/**
 * What was removed last, and its position in the list, to bring it back. It is forgotten when another list is stored.
 * @type {{ kind: string, name: string, thing: SavedThing, position: number } | null}
 */
let removed = null;

/** Shows what is saved in all buttons, links and lists of the page. */
function show() {
  const saved = read();
  if (saved === null) return;
  for (const button of document.querySelectorAll('button[data-save]')) {
    if (!(button instanceof HTMLButtonElement)) continue;
    const { save: kind = '', id = '', kept: savedLabel = '' } = button.dataset;
    const isSaved = listOf(saved, kind).some((one) => one.id === id);
    // The label of the unpressed button, as the page was sent.
    button.dataset.label ??= button.textContent ?? '';
    button.textContent = isSaved ? savedLabel : button.dataset.label;
    button.setAttribute('aria-pressed', String(isSaved));
    button.hidden = false;
  }
  for (const link of document.querySelectorAll('a[data-compare]')) {
    if (!(link instanceof HTMLAnchorElement)) continue;
    const ids = listOf(saved, link.dataset.compare ?? '')
      .map(({ id }) => id)
      .slice(-MOST_COMPARED);
    link.dataset.path ??= link.getAttribute('href') ?? '';
    link.href = link.dataset.path + ids.map(encodeURIComponent).join(',');
    link.textContent = (link.dataset.count ?? '').replace('{}', String(ids.length));
    link.hidden = ids.length < 2;
  }
  const link = document.querySelector('header nav a[data-count]');
  if (link instanceof HTMLAnchorElement && link.parentElement !== null) {
    const count = listOf(saved, 'flats').length + listOf(saved, 'homes').length;
    link.textContent = (link.dataset.count ?? '').replace('{}', String(count));
    link.parentElement.hidden = count === 0;
  }
  for (const section of document.querySelectorAll('[data-saved]')) {
    if (section instanceof HTMLElement) showList(section, listOf(saved, section.dataset.saved ?? ''));
  }
}

/**
 * Fills the section of a kind: for each saved thing a box to compare it, a link to its page and a button to remove it.
 * @param {HTMLElement} section
 * @param {SavedThing[]} list
 */
function showList(section, list) {
  const { page = '', query: queryOfPage = '', remove = '', saved: kind = '' } = section.dataset;
  const form = section.querySelector('form');
  const wasRemoved = removed?.kind === kind;
  section.hidden = list.length === 0 && !wasRemoved;
  if (form !== null) form.hidden = list.length === 0;
  const status = section.querySelector('[role=status]');
  if (status instanceof HTMLElement) {
    status.hidden = !wasRemoved;
    const words = status.querySelector('span');
    if (words !== null) words.textContent = (section.dataset.removed ?? '').replace('{}', removed?.name ?? '');
  }
  fillQuery(form, queryOfPage, list.at(-1)?.query);
  section.querySelector('ul')?.replaceChildren(
    ...list.map((one, i) => {
      const { id, query: ownQuery } = one;
      const name = nameOf(one);
      const item = document.createElement('li');
      const box = Object.assign(document.createElement('input'), { type: 'checkbox', value: id, id: `${kind}-${i}` });
      box.name = form?.dataset.parameter ?? '';
      box.checked = i < MOST_COMPARED;
      // A flat is saved as `building:floor:face`, a home as its office number.
      const [thing = '', floor, face] = id.split(':');
      const link = document.createElement('a');
      link.append(make('bdi', name));
      // Flats of one town and floor have one name: their buildings tell them apart.
      const { hours: hoursText = '', height: heightText = '' } = section.dataset;
      const building = [
        one.hours ? hoursText.replace('{}', one.hours) : '',
        one.height ? heightText.replace('{}', one.height) : '',
        thing,
      ];
      const ownName = floor === undefined ? name : `${name} ${thing}`;
      box.setAttribute('aria-label', ownName);
      if (floor !== undefined) link.append(make('small', building.filter((text) => text !== '').join(' · ')));
      const about = document.documentElement.lang === 'en' ? one.aboutLatin : one.about;
      if (about) link.append(make('small', about));
      const query = new URLSearchParams({ ...valuesOf(ownQuery), ...valuesOf(queryOfPage) });
      if (floor !== undefined) query.set('floor', floor);
      if (face !== undefined) query.set('face', face);
      link.href = `${page}${encodeURIComponent(thing)}/${query.size === 0 ? '' : `?${query}`}`;
      const button = Object.assign(make('button', remove), { type: 'button', className: 'quiet-button' });
      button.setAttribute('aria-label', `${remove}: ${ownName}`);
      button.addEventListener('click', () => {
        removed = { kind, name, thing: one, position: i };
        const others = listOf(read() ?? {}, kind).filter((other) => other.id !== id);
        store(kind, others);
      });
      item.append(box, link, button);
      return item;
    }),
  );
}

/**
 * The values of a query by name.
 * @param {string} [query]
 * @returns {Record<string, string>}
 */
const valuesOf = (query = '') => Object.fromEntries(new URLSearchParams(query));

/**
 * Puts the day or the case of the newest saved thing into the form of the comparison, where the page has none.
 * @param {HTMLFormElement | null} form
 * @param {string} queryOfPage
 * @param {string} [newest]
 */
function fillQuery(form, queryOfPage, newest) {
  for (const old of form?.querySelectorAll('input[data-own]') ?? []) old.remove();
  if (queryOfPage !== '') return;
  for (const [name, value] of Object.entries(valuesOf(newest))) {
    const input = Object.assign(document.createElement('input'), { type: 'hidden', name, value });
    input.dataset.own = '';
    form?.prepend(input);
  }
}

for (const button of document.querySelectorAll('[data-saved] [role=status] button')) {
  button.addEventListener('click', () => {
    if (removed === null) return;
    const { kind, thing, position } = removed;
    removed = null;
    // Another tab may have stored things meanwhile.
    const others = listOf(read() ?? {}, kind).filter(({ id }) => id !== thing.id);
    store(kind, others.toSpliced(position, 0, thing));
  });
}
for (const button of document.querySelectorAll('button[data-save]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.addEventListener('click', () => {
    const { save: kind = '', id = '', name = '', latin = '', query = '' } = button.dataset;
    const { height = '', hours = '', about = '', aboutLatin = '' } = button.dataset;
    const list = listOf(read() ?? {}, kind);
    const isSaved = list.some((one) => one.id === id);
    removed = null;
    store(
      kind,
      isSaved
        ? list.filter((one) => one.id !== id)
        : [...list, { id, name, latin, height, hours, about, aboutLatin, query }],
    );
  });
}
// Another tab changed the list; or pages did to which this one was left, before the browser went back to it.
addEventListener('storage', ({ key }) => key === KEY && show());
addEventListener('pageshow', ({ persisted }) => persisted && show());
show();

export {};
