// Asks the device for its position, only when the button is pressed, and shows the map there with a dot. The position
// goes into the fragment of the URL, which is never sent, and for the dot into the memory of this tab. Without WebGL
// there is no map: the position is sent in the query to get a list of buildings, and nobody stores that answer.
/** Key of the position in the memory of the tab, and name of the event that moves the dot on an open map. */
const HERE = 'hidamari-here';
const button = document.querySelector('#here');
const failureNote = document.querySelector('#here-failed');

if (button instanceof HTMLButtonElement && failureNote instanceof HTMLElement && 'geolocation' in navigator) {
  button.hidden = false;
  button.addEventListener('click', () => {
    failureNote.hidden = true;
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const [lat, lon] = [coords.latitude.toFixed(5), coords.longitude.toFixed(5)];
        const hasMap = document.createElement('canvas').getContext('webgl2') !== null;
        const mapPath = button.dataset.map ?? '';
        const isPhone = matchMedia('(max-width: 48rem)').matches;
        const zoom = isPhone ? 18 : 16.5;
        try {
          sessionStorage.setItem(HERE, `${lat} ${lon}`);
        } catch {
          // The browser blocks storage: the map has no dot.
        }
        if (!hasMap) location.assign(`${mapPath}?lat=${lat}&lon=${lon}`);
        else if (location.pathname !== mapPath) location.assign(`${mapPath}#${zoom}/${lat}/${lon}`);
        else {
          // This page is the map: only the fragment changes, so the choices in its query stay.
          location.hash = `${zoom}/${lat}/${lon}`;
          dispatchEvent(new Event(HERE));
        }
      },
      () => {
        failureNote.hidden = false;
      },
    );
  });
}

export {};
