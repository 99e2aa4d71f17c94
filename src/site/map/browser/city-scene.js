/** @import { SceneBuilding, SceneGround, Sun } from './types.js' */

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshLambertMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Sprite,
  SpriteMaterial,
  Vector2,
  WebGLRenderer,
} from 'three';
import { groundMesh, pointsOf, solidsOf } from './scene-solids.js';

const RADIANS = Math.PI / 180;
/** Metres: as far as buildings stand, and their shadows are drawn. */
const REACH_M = 260;
const SHADOW_PIXELS = 2048;
const TURN = 15 * RADIANS;
const FIRST = { azimuth: 205 * RADIANS, tilt: 38 * RADIANS, distance: 260 };

/** Buildings with their roofs on the ground, with the shadows of the sun; x is east, y north, z up. */
export class CityScene {
  #scene = new Scene();
  #camera = new PerspectiveCamera(42, 1, 1, 2500);
  #renderer = new WebGLRenderer({ antialias: true, alpha: true });
  #sun = new DirectionalLight('#fff3d6', 3.2);
  #place = { ...FIRST };
  #aim;
  #isAsked = false;

  /**
   * @param {HTMLElement} place
   * @param {readonly SceneBuilding[]} buildings
   * @param {string} chosen
   * @param {string} label
   * @param {SceneGround | null} ground
   */
  constructor(place, buildings, chosen, label, ground) {
    const colours = getComputedStyle(document.documentElement);
    /** @param {string} name */
    const colour = (name) => new Color(colours.getPropertyValue(name).trim());
    const own = buildings.filter(({ id }) => id === chosen);
    this.#aim = Math.min(60, (own[0]?.heightM ?? 20) / 2);
    this.#place.distance = Math.max(150, (own[0]?.heightM ?? 20) * 3.2);
    this.#scene.add(new AmbientLight('#ffffff', 0.55), new HemisphereLight('#dcebf7', '#8d8577', 0.9));
    this.#scene.add(groundMesh(ground, 2 * REACH_M), this.#sun, this.#sun.target);
    this.#scene.add(blocks(own, colour('--sun'), ground !== null));
    this.#scene.add(
      blocks(
        buildings.filter(({ id }) => id !== chosen),
        new Color('#ddd6c9'),
        ground !== null,
      ),
    );
    for (const building of buildings) if (building.letter !== null) this.#scene.add(badge(building, building.letter));
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
    canvas.setAttribute('aria-label', label);
    place.append(canvas);
    new ResizeObserver(() => this.#fit(place)).observe(place);
    this.#fit(place);
    this.#listen(canvas);
  }

  /**
   * Puts the sun where it stands; null: it is down.
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
   * @param {string} does
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
    else Object.assign(place, { azimuth: FIRST.azimuth, tilt: FIRST.tilt });
    this.#draw();
  }

  /** @param {HTMLCanvasElement} canvas */
  #listen(canvas) {
    const keys = new Map(
      [
        ...[
          ['ArrowLeft', 'left'],
          ['ArrowRight', 'right'],
          ['ArrowUp', 'up'],
          ['ArrowDown', 'down'],
        ],
        ...[
          ['+', 'nearer'],
          ['=', 'nearer'],
          ['-', 'farther'],
          ['Home', 'reset'],
        ],
      ].map(([key, does]) => [key, does]),
    );
    canvas.addEventListener('keydown', (event) => {
      const does = keys.get(event.key);
      if (does === undefined) return;
      event.preventDefault();
      this.turn(does);
    });
    canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons === 0) return;
      this.#place.azimuth += event.movementX * 0.006;
      this.#place.tilt += event.movementY * 0.005;
      this.#draw();
    });
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

  /** @param {HTMLElement} place */
  #fit({ clientWidth, clientHeight }) {
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.#camera.aspect = clientWidth / Math.max(1, clientHeight);
    this.#camera.updateProjectionMatrix();
    this.#draw();
  }

  /** Draws in the next frame, once however much has changed. */
  #draw() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      const place = this.#place;
      place.tilt = Math.min(89 * RADIANS, Math.max(6 * RADIANS, place.tilt));
      place.distance = Math.min(900, Math.max(60, place.distance));
      const flat = Math.cos(place.tilt) * place.distance;
      const height = this.#aim + Math.sin(place.tilt) * place.distance;
      this.#camera.position.set(Math.sin(place.azimuth) * flat, Math.cos(place.azimuth) * flat, height);
      this.#camera.lookAt(0, 0, this.#aim);
      this.#renderer.render(this.#scene, this.#camera);
    });
  }
}

/**
 * Buildings as one mesh: a few hundred single ones would be slow to draw.
 * @param {readonly SceneBuilding[]} buildings
 * @param {Color} color
 * @param {boolean} isOnGround
 */
function blocks(buildings, color, isOnGround) {
  const parts = buildings.flatMap((building) => solidsOf(building, isOnGround));
  const geometry = new BufferGeometry();
  for (const name of ['position', 'normal']) {
    const values = parts.flatMap((part) => Array.from(part.getAttribute(name).array));
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), 3));
  }
  const made = new Mesh(geometry, new MeshLambertMaterial({ color }));
  made.castShadow = true;
  made.receiveShadow = true;
  return made;
}

/** Of the height of the view. */
const BADGE_SIZE = 0.055;
const BADGE_PIXELS = 64;
/** Metres over the roof. */
const BADGE_ABOVE_M = 6;

/**
 * A letter over a building, as large from afar as from nearby, and never hidden.
 * @param {SceneBuilding} building
 * @param {string} letter
 */
function badge({ heightM, baseM, polygons }, letter) {
  const points = pointsOf(polygons[0]?.[0] ?? [], 2);
  const middle = points.reduce((sum, point) => sum.add(point), new Vector2()).divideScalar(Math.max(1, points.length));
  const map = new CanvasTexture(drawnBadge(letter));
  const made = new Sprite(new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false }));
  made.position.set(middle.x, middle.y, baseM + heightM + BADGE_ABOVE_M);
  made.scale.setScalar(BADGE_SIZE);
  return made;
}

/** @param {string} letter */
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
