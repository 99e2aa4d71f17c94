/** @import { SceneBuilding, SceneData, Sun } from './types.js' */

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DirectionalLight,
  EdgesGeometry,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Sprite,
  SpriteMaterial,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { groundMesh, pointsOf, solidsOf } from './scene-solids.js';

const RADIANS = Math.PI / 180;
/** Distance up to which buildings and their shadows are drawn, metres. */
const REACH_M = 260;
/** A side of the picture in which the shadows are computed. */
const SHADOW_PIXELS = 2048;
/** Turn of the view by a button or key. */
const TURN = 15 * RADIANS;
/** The place of the eye: its direction from the building, its angle above the horizon, and its distance in metres. */
const FIRST = { azimuth: 205 * RADIANS, tilt: 38 * RADIANS, distance: 260 };
/**
 * Views that are tried at the start, in degrees: angles aside from the wall's direction, and angles above the horizon.
 */
const ASIDES = [0, 20, -20, 40, -40, 60, -60];
const TILTS = [30, 38, 48, 60];
/** A press that moves no farther is not a drag, pixels. */
const STILL_PIXELS = 5;

/** Buildings with their roofs on the ground, with the shadows of the sun; x is east, y north, z up. */
export class CityScene {
  #scene = new Scene();
  #camera = new PerspectiveCamera(42, 1, 1, 2500);
  #renderer = new WebGLRenderer({ antialias: true, alpha: true });
  #sun = new DirectionalLight('#fff3d6', 3.2);
  /** The place of the eye now, and at the start. */
  #place = { ...FIRST };
  #first = { ...FIRST };
  /** Height of the point at which the eye looks, over the middle, metres. */
  #aim;
  /** True while the next frame is to be drawn. */
  #isDrawAsked = false;
  /** Fingers on the picture, by their number. @type {Map<number, { x: number, y: number }>} */
  #fingers = new Map();
  /**
   * Meshes that can be pressed, with the building of each triangle. @type {{ mesh: Mesh, ends: number[], buildings:
   * SceneBuilding[] }[]}
   */
  #pressable;
  #tell;
  /** The outline of the pressed building. */
  #mark = new Group();
  /** True when the ground is drawn. */
  #isOnGround;
  /** The letters over buildings. @type {Sprite[]} */
  #badges = [];

  /**
   * @param {HTMLElement} place the element that holds the picture
   * @param {Pick<SceneData, 'buildings' | 'chosen' | 'ground' | 'wallDeg' | 'words'>} data
   * @param {{ onTurn: (azimuthDeg: number) => void, onPick: (building: SceneBuilding | null) => void }} tell
   */
  constructor(place, { buildings, chosen, ground, wallDeg, words }, tell) {
    this.#tell = tell;
    const colours = getComputedStyle(document.documentElement);
    /** @param {string} name */
    const colour = (name) => new Color(colours.getPropertyValue(name).trim());
    const own = buildings.filter(({ id }) => id === chosen);
    const others = buildings.filter(({ id }) => id !== chosen);
    this.#scene.add(new AmbientLight('#ffffff', 0.55), new HemisphereLight('#dcebf7', '#8d8577', 0.9));
    this.#scene.add(groundMesh(ground, 2 * REACH_M), this.#sun, this.#sun.target);
    const around = blocks(others, new Color('#ddd6c9'), ground !== null);
    this.#pressable = [blocks(own, colour('--sun'), ground !== null), around];
    this.#isOnGround = ground !== null;
    this.#scene.add(...this.#pressable.map(({ mesh }) => mesh), this.#mark);
    const heightM = own[0]?.heightM ?? 20;
    this.#aim = Math.min(60, heightM / 2);
    const distance = Math.max(150, heightM * 3.2);
    const wanted = wallDeg === null ? FIRST.azimuth : wallDeg * RADIANS;
    this.#first = firstView({ azimuth: wanted, tilt: FIRST.tilt, distance }, own, around.mesh);
    this.#place = { ...this.#first };
    this.#sun.castShadow = true;
    const { shadow } = this.#sun;
    shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    Object.assign(shadow.camera, {
      left: -REACH_M,
      right: REACH_M,
      top: REACH_M,
      bottom: -REACH_M,
      near: 1,
      far: 1600,
    });
    shadow.normalBias = 0.4;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#camera.up.set(0, 0, 1);
    const canvas = this.#renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', words.view);
    place.append(canvas);
    new ResizeObserver(() => this.#fit(place)).observe(place);
    this.#fit(place);
    this.#listen(canvas);
    this.letter(buildings);
  }

  /**
   * Shows the letters of buildings in place of the present ones.
   * @param {readonly SceneBuilding[]} buildings
   */
  letter(buildings) {
    for (const one of this.#badges) this.#scene.remove(one);
    this.#badges = buildings.flatMap((one) => (one.letter === null ? [] : badge(one, one.letter)));
    for (const one of this.#badges) this.#scene.add(one);
    this.#draw();
  }

  /** Outlines the pressed building; null: none. @param {SceneBuilding | null} building */
  mark(building) {
    this.#mark.clear();
    const solids = building === null ? [] : solidsOf(building, this.#isOnGround);
    // Lines are a pixel wide, so that the outline is drawn over what stands before the building.
    const material = new LineBasicMaterial({ color: '#0b57d0', depthTest: false });
    for (const solid of solids) this.#mark.add(new LineSegments(new EdgesGeometry(solid), material));
    this.#draw();
  }

  /**
   * Places the sun; null: it is below the horizon.
   * @param {Sun | null} sun
   */
  shine(sun) {
    this.#sun.visible = sun !== null;
    if (sun !== null) {
      const [azimuth, altitude] = [sun.azimuthDeg * RADIANS, sun.altitudeDeg * RADIANS];
      const flat = Math.cos(altitude);
      this.#sun.position
        .set(Math.sin(azimuth) * flat, Math.cos(azimuth) * flat, Math.sin(altitude))
        .multiplyScalar(800);
    }
    this.#draw();
  }

  /**
   * Turns the view, or moves it nearer or farther.
   * @param {string} does what a button does; an unknown word returns to the first view
   */
  turn(does) {
    const place = this.#place;
    if (does === 'left') place.azimuth -= TURN;
    else if (does === 'right') place.azimuth += TURN;
    else if (does === 'up') place.tilt += TURN / 2;
    else if (does === 'down') place.tilt -= TURN / 2;
    else if (does === 'nearer') place.distance /= 1.25;
    else if (does === 'farther') place.distance *= 1.25;
    else if (does === 'above') place.tilt = 89 * RADIANS;
    // North is up when the eye is in the south.
    else if (does === 'north') place.azimuth = Math.PI;
    else Object.assign(place, this.#first);
    this.#draw();
  }

  /** Adds all event listeners. @param {HTMLCanvasElement} canvas */
  #listen(canvas) {
    canvas.addEventListener('keydown', (event) => {
      const does = KEYS[event.key];
      if (does === undefined) return;
      event.preventDefault();
      this.turn(does);
    });
    this.#listenToFingers(canvas);
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.#place.distance *= Math.exp(event.deltaY * 0.001);
        this.#draw();
      },
      { passive: false },
    );
  }

  /**
   * One finger or the mouse turns the view, two move it nearer; a press without a move names a building.
   * @param {HTMLCanvasElement} canvas
   */
  #listenToFingers(canvas) {
    const fingers = this.#fingers;
    let moved = 0;
    /** Pixels between the first two fingers; 0 for fewer. */
    const spread = () => {
      const [a, b] = [...fingers.values()];
      return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      if (fingers.size === 0) moved = 0;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener('pointermove', (event) => {
      const finger = fingers.get(event.pointerId);
      if (finger === undefined) return;
      const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
      const before = spread();
      Object.assign(finger, { x: event.clientX, y: event.clientY });
      moved += Math.hypot(dx, dy);
      if (fingers.size > 1) this.#place.distance *= before / Math.max(1, spread());
      else {
        this.#place.azimuth += dx * 0.006;
        this.#place.tilt += dy * 0.005;
      }
      this.#draw();
    });
    canvas.addEventListener('pointerup', (event) => {
      if (fingers.size === 1 && moved <= STILL_PIXELS) this.#tell.onPick(this.#buildingAt(canvas, event));
    });
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      canvas.addEventListener(end, ({ pointerId }) => fingers.delete(pointerId));
    }
  }

  /**
   * The visible building at a position of the screen.
   * @param {HTMLCanvasElement} canvas
   * @param {{ clientX: number, clientY: number }} press
   * @returns {SceneBuilding | null}
   */
  #buildingAt(canvas, { clientX, clientY }) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(
      new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height),
      this.#camera,
    );
    const meshes = this.#pressable.map(({ mesh }) => mesh);
    const [hit] = ray.intersectObjects(meshes);
    const drawn = this.#pressable.find(({ mesh }) => mesh === hit?.object);
    if (hit === undefined || drawn === undefined) return null;
    const face = hit.faceIndex ?? 0;
    return drawn.buildings[drawn.ends.findIndex((end) => face < end)] ?? null;
  }

  /** Gives the picture the size of its place. @param {HTMLElement} place */
  #fit({ clientWidth, clientHeight }) {
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.#camera.aspect = clientWidth / Math.max(1, clientHeight);
    this.#camera.updateProjectionMatrix();
    this.#draw();
  }

  /** Moves the letters in the picture away from its edge, which would cut them; hides those outside. */
  #placeBadges() {
    const camera = this.#camera;
    camera.updateMatrixWorld();
    const high = BADGE_SIZE / 2 / Math.tan((camera.fov / 2) * RADIANS);
    /** @type {(at: number, half: number) => number} */
    const within = (at, half) => Math.min(1 - half, Math.max(half - 1, at));
    for (const badge of this.#badges) {
      const { x, y, z } = /** @type {Vector3} */ (badge.userData.place).clone().project(camera);
      badge.visible = Math.abs(x) <= 1 && Math.abs(y) <= 1 && z <= 1;
      badge.position.set(within(x, high / camera.aspect), within(y, high), z).unproject(camera);
    }
  }

  /** Draws in the next frame, once for all changes. */
  #draw() {
    if (this.#isDrawAsked) return;
    this.#isDrawAsked = true;
    requestAnimationFrame(() => {
      this.#isDrawAsked = false;
      const place = this.#place;
      place.tilt = Math.min(89 * RADIANS, Math.max(6 * RADIANS, place.tilt));
      place.distance = Math.min(900, Math.max(60, place.distance));
      const flat = Math.cos(place.tilt) * place.distance;
      const height = this.#aim + Math.sin(place.tilt) * place.distance;
      this.#camera.position.set(Math.sin(place.azimuth) * flat, Math.cos(place.azimuth) * flat, height);
      this.#camera.lookAt(0, 0, this.#aim);
      this.#placeBadges();
      this.#tell.onTurn(place.azimuth / RADIANS);
      this.#renderer.render(this.#scene, this.#camera);
    });
  }
}

/** What each key does, in the words of `turn`. @type {Partial<Record<string, string>>} */
const KEYS = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  '+': 'nearer',
  '=': 'nearer',
  '-': 'farther',
  Home: 'reset',
};

/**
 * The first view, of some views near the wanted one, in which the fewest points of a building are hidden by others.
 * @param {typeof FIRST} wanted
 * @param {readonly SceneBuilding[]} own the building
 * @param {Mesh} around the other buildings
 */
function firstView(wanted, own, around) {
  const targets = own.flatMap(({ heightM, baseM, polygons }) =>
    polygons.flatMap(([outer = []]) =>
      pointsOf(outer, 2).flatMap(({ x, y }) => [0.35, 0.95].map((share) => new Vector3(x, y, baseM + heightM * share))),
    ),
  );
  const step = Math.max(1, Math.floor(targets.length / MOST_TARGETS));
  const tested = targets.filter((_, i) => i % step === 0);
  const ray = new Raycaster();
  let [best, fewest] = [wanted, Number.POSITIVE_INFINITY];
  for (const tilt of TILTS) {
    for (const aside of ASIDES) {
      const view = { ...wanted, azimuth: wanted.azimuth + aside * RADIANS, tilt: tilt * RADIANS };
      const flat = Math.cos(view.tilt) * view.distance;
      const eye = new Vector3(
        Math.sin(view.azimuth) * flat,
        Math.cos(view.azimuth) * flat,
        Math.sin(view.tilt) * view.distance,
      );
      const hidden = tested.filter((target) => {
        ray.set(eye, target.clone().sub(eye).normalize());
        ray.far = eye.distanceTo(target) - 1;
        return ray.intersectObject(around).length > 0;
      }).length;
      if (hidden < fewest) [best, fewest] = [view, hidden];
      if (fewest === 0) return best;
    }
  }
  return best;
}

/** Approximate number of points of a building that are tested for visibility. */
const MOST_TARGETS = 12;

/**
 * Buildings as one mesh: hundreds of single ones would be slow to draw. `ends` has for each building the number of the
 * first triangle behind its own ones.
 * @param {readonly SceneBuilding[]} buildings
 * @param {Color} color
 * @param {boolean} isOnGround
 */
function blocks(buildings, color, isOnGround) {
  const parts = buildings.map((building) => solidsOf(building, isOnGround));
  const geometry = new BufferGeometry();
  for (const name of ['position', 'normal']) {
    const values = parts.flat().flatMap((part) => Array.from(part.getAttribute(name).array));
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), 3));
  }
  let end = 0;
  const ends = parts.map((own) => {
    for (const part of own) end += part.getAttribute('position').count / 3;
    return end;
  });
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ color }));
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return { mesh, ends, buildings: [...buildings] };
}

/** Size of a badge as a share of the view's height, a side of its picture, and its height above the roof in metres. */
const BADGE_SIZE = 0.055;
const BADGE_PIXELS = 64;
const BADGE_ABOVE_M = 6;

/**
 * A letter over a building. It has a constant size on the screen and is never hidden.
 * @param {SceneBuilding} building
 * @param {string} letter
 */
function badge({ heightM, baseM, polygons }, letter) {
  const points = pointsOf(polygons[0]?.[0] ?? [], 2);
  const middle = points.reduce((sum, point) => sum.add(point), new Vector2()).divideScalar(Math.max(1, points.length));
  const map = new CanvasTexture(drawnBadge(letter));
  const sprite = new Sprite(new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false }));
  sprite.userData.place = new Vector3(middle.x, middle.y, baseM + heightM + BADGE_ABOVE_M);
  sprite.scale.setScalar(BADGE_SIZE);
  return sprite;
}

/** The picture of a badge: a letter in a dark disc with a white edge. @param {string} letter */
function drawnBadge(letter) {
  const canvas = document.createElement('canvas');
  canvas.width = BADGE_PIXELS;
  canvas.height = BADGE_PIXELS;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  const middle = BADGE_PIXELS / 2;
  context.fillStyle = '#fff';
  context.beginPath();
  context.arc(middle, middle, middle, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = '#201d19';
  context.beginPath();
  context.arc(middle, middle, middle - 4, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = '#fff';
  context.font = `700 ${BADGE_PIXELS * 0.6}px sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(letter, middle, middle + 3);
  return canvas;
}
