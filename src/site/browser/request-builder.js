// The request builder of the page about the API: shows the fields of an operation, calls it, shows the answer.
const form = document.querySelector('#request');
const select = document.querySelector('#request select');
const shownUrl = document.querySelector('#request-url');
const answer = document.querySelector('#request-answer');

if (
  form instanceof HTMLFormElement &&
  select instanceof HTMLSelectElement &&
  shownUrl instanceof HTMLElement &&
  answer instanceof HTMLElement
) {
  const fieldsets = [...form.querySelectorAll('fieldset')];

  const target = () => {
    let path = select.selectedOptions[0]?.dataset.path ?? '';
    const query = new URLSearchParams();
    const chosen = fieldsets.find((fields) => fields.dataset.operation === select.value);
    for (const input of chosen?.querySelectorAll('input') ?? []) {
      if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
      else if (input.value !== '') query.set(input.name, input.value);
    }
    return (form.dataset.base ?? '') + path + (query.size > 0 ? `?${query}` : '');
  };

  const show = () => {
    for (const fields of fieldsets) fields.hidden = fields.dataset.operation !== select.value;
    shownUrl.textContent = target();
  };

  form.addEventListener('input', show);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const response = await fetch(target());
    const text = await response.text();
    answer.hidden = false;
    answer.textContent = `${response.status} ${response.headers.get('content-type')}\n\n${pretty(text)}`;
  });
  show();
}

/**
 * JSON with indents; anything else as it is.
 * @param {string} text
 */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export {};
