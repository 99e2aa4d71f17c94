// Saved flats and homes, in the storage of this device only: buttons that save one, and lists of saved ones. A private
// window may have no storage: then nothing of this is shown.
const KEY = 'hidamari-saved';
const MOST = 20;
/** Limit of the things in a comparison. */
const MOST_COMPARED = 4;

/** @typedef {{ id: string, name: string }} Kept */
/** @typedef {Record<string, Kept[]>} Saved */

/**
 * The saved things; null when the device stores nothing.
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
 * @param {Saved} saved
 * @param {string} kind
 * @returns {Kept[]}
 */
const listOf = (saved, kind) => (Array.isArray(saved[kind]) ? saved[kind] : []);

/**
 * Replaces a list and shows it.
 * @param {string} kind
 * @param {Kept[]} list
 */
function keep(kind, list) {
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
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** Shows what is saved in all buttons, links and lists of the page. */
function show() {
  const saved = read();
  if (saved === null) return;
  for (const button of document.querySelectorAll('button[data-save]')) {
    if (!(button instanceof HTMLButtonElement)) continue;
    const { save = '', id = '', kept = '' } = button.dataset;
    const isKept = listOf(saved, save).some((one) => one.id === id);
    button.dataset.label ??= button.textContent ?? '';
    button.textContent = isKept ? kept : button.dataset.label;
    button.setAttribute('aria-pressed', String(isKept));
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
  for (const section of document.querySelectorAll('[data-saved]')) {
    if (section instanceof HTMLElement) showList(section, listOf(saved, section.dataset.saved ?? ''));
  }
}

/**
 * @param {HTMLElement} section
 * @param {Kept[]} list
 */
function showList(section, list) {
  const { page = '', query: same = '', remove = '', saved: kind = '' } = section.dataset;
  const form = section.querySelector('form');
  section.hidden = list.length === 0;
  section.querySelector('ul')?.replaceChildren(
    ...list.map(({ id, name }, i) => {
      const item = document.createElement('li');
      const box = Object.assign(document.createElement('input'), { type: 'checkbox', value: id, id: `${kind}-${i}` });
      box.name = form?.dataset.parameter ?? '';
      box.checked = i < MOST_COMPARED;
      box.setAttribute('aria-label', name);
      const [thing = '', floor, face] = id.split(':');
      const link = document.createElement('a');
      link.append(make('bdi', name));
      const query = new URLSearchParams(same);
      if (floor !== undefined) query.set('floor', floor);
      if (face !== undefined) query.set('face', face);
      link.href = `${page}${encodeURIComponent(thing)}/${query.size === 0 ? '' : `?${query}`}`;
      const button = Object.assign(make('button', remove), { type: 'button', className: 'quiet-button' });
      button.setAttribute('aria-label', `${remove}: ${name}`);
      button.addEventListener('click', () =>
        keep(
          kind,
          list.filter((one) => one.id !== id),
        ),
      );
      item.append(box, link, button);
      return item;
    }),
  );
}

for (const button of document.querySelectorAll('button[data-save]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.addEventListener('click', () => {
    const { save = '', id = '', name = '' } = button.dataset;
    const list = listOf(read() ?? {}, save);
    const others = list.filter((one) => one.id !== id);
    keep(save, others.length < list.length ? others : [...others, { id, name }]);
  });
}
addEventListener('storage', ({ key }) => key === KEY && show());
show();

export {};
