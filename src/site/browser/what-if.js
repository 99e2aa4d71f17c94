// Lets the visitor draw the box of a planned building on the plan. The drawn box fills in the fields of the form, which
// can be filled in without this script too.
const plan = document.querySelector('#what-if-plan');
const form = document.querySelector('#what-if-form');
const button = document.querySelector('#what-if-draw');
const note = document.querySelector('#what-if-note');

/** Least side of a drawn box, metres. A smaller one is a press without a movement. */
const LEAST_M = 2;

if (
  plan instanceof HTMLElement &&
  form instanceof HTMLFormElement &&
  button instanceof HTMLButtonElement &&
  note instanceof HTMLElement
) {
  const svg = /** @type {SVGSVGElement} */ (plan.querySelector('svg'));
  /** Metres from the middle of the plan to its edge. */
  const reach = Number(plan.dataset.reach);
  const box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  box.setAttribute('class', 'planned');
  /**
   * The corner where the drawing of a box began, metres east and north of the middle; null: no box is being drawn.
   * @type {{ x: number, y: number } | null}
   */
  let start = null;

  /** The place of a pointer, metres east (`x`) and north (`y`) of the middle. @param {PointerEvent} event */
  const metres = (event) => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    return {
      x: ((event.clientX - left) / width - 0.5) * 2 * reach,
      y: (0.5 - (event.clientY - top) / height) * 2 * reach,
    };
  };
  /**
   * The box between two opposite corners: its middle and its sides, metres.
   * @param {{ x: number, y: number }} from
   * @param {{ x: number, y: number }} to
   */
  const boxOf = (from, to) => ({
    east: (from.x + to.x) / 2,
    north: (from.y + to.y) / 2,
    width: Math.abs(from.x - to.x),
    depth: Math.abs(from.y - to.y),
  });

  button.hidden = false;
  button.addEventListener('click', () => {
    const isDrawing = plan.classList.toggle('drawing');
    button.setAttribute('aria-pressed', String(isDrawing));
    note.hidden = !isDrawing;
    if (isDrawing) plan.scrollIntoView({ block: 'nearest' });
  });
  svg.addEventListener('pointerdown', (event) => {
    if (!plan.classList.contains('drawing')) return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    start = metres(event);
    for (const old of svg.querySelectorAll('path.planned')) old.remove();
    svg.append(box);
  });
  svg.addEventListener('pointermove', (event) => {
    if (start === null) return;
    const { east, north, width, depth } = boxOf(start, metres(event));
    const scale = svg.viewBox.baseVal.width / (2 * reach);
    box.setAttribute('x', String((east - width / 2 + reach) * scale));
    box.setAttribute('y', String((reach - north - depth / 2) * scale));
    box.setAttribute('width', String(width * scale));
    box.setAttribute('height', String(depth * scale));
  });
  // A second finger or a gesture of the system ends the drawing without a box.
  svg.addEventListener('pointercancel', () => {
    start = null;
    box.remove();
  });
  svg.addEventListener('pointerup', (event) => {
    if (start === null) return;
    const drawn = boxOf(start, metres(event));
    start = null;
    if (drawn.width < LEAST_M || drawn.depth < LEAST_M) return;
    for (const [name, value] of Object.entries({ ...drawn, turn: 0 })) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = String(Math.round(value * 10) / 10);
    }
    // A new building stands there: no existing one is changed, and without a height it is 30 m high.
    const pick = form.elements.namedItem('pick');
    if (pick instanceof HTMLSelectElement) pick.value = '';
    const up = form.elements.namedItem('up');
    if (up instanceof HTMLInputElement && up.value === '') up.value = '30';
    form.requestSubmit();
  });
}

export {};
