// @ts-check
// The point cloud of a run's page: turned by dragging, zoomed by the wheel, coloured by height, intensity or class. It
// is put into the page as it is, so it has no imports. The page holds the cloud as text: cloudData.ts of the host.

/**
 * @typedef {object} Head
 * @property {number} count
 * @property {[number, number, number]} minM
 * @property {[number, number, number]} stepM
 * @property {[number, number]} heights
 * @property {[number, number] | null} intensities
 * @property {{ id: number, name: string, colour: string }[]} classes
 * @property {string[]} heightColours
 * @property {string[]} intensityColours
 * @property {number[]} pathM
 */

/** @typedef {[number, number, number]} Vector */

const fovRad = 0.8;
const steps = 65535;
/** Orange of Okabe and Ito. */
const pathColour = [0.9, 0.62, 0];

const vertexShader = `
attribute vec3 place;
attribute vec3 colour;
uniform vec3 minM;
uniform vec3 spanM;
uniform mat4 screenFromScene;
uniform float size;
varying vec3 shade;
void main() {
  gl_Position = screenFromScene * vec4(minM + place * spanM, 1.0);
  gl_PointSize = clamp(size / gl_Position.w, 1.0, 24.0);
  shade = colour;
}`;

const fragmentShader = `
precision mediump float;
varying vec3 shade;
void main() {
  gl_FragColor = vec4(shade, 1.0);
}`;

start();

/** Shows the cloud, or says why it is not shown. */
function start() {
  const message = element('cloud-message', HTMLElement);
  const canvas = element('cloud-view', HTMLCanvasElement);
  const gl = canvas.getContext('webgl', { antialias: true, alpha: false });
  if (gl === null) {
    message.textContent = 'This browser shows no WebGL, so the point cloud is left out.';
    return;
  }
  try {
    show(canvas, gl, readHead(), readBytes());
    message.hidden = true;
    element('cloud-controls', HTMLElement).hidden = false;
  } catch (error) {
    message.textContent = `The point cloud cannot be shown: ${String(error)}`;
  }
}

/** @returns {Head} */
function readHead() {
  return JSON.parse(element('cloud-head', HTMLElement).textContent ?? '');
}

/** @returns {Uint8Array<ArrayBuffer>} */
function readBytes() {
  const text = atob(element('cloud-data', HTMLElement).textContent ?? '');
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {WebGLRenderingContext} gl
 * @param {Head} head
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function show(canvas, gl, head, bytes) {
  const places = interleaved(head.count, bytes);
  const first = firstView(head, places);
  const drawing = createDrawing(canvas, gl, head, places, first.distanceM);
  let view = { ...first };
  let pointSize = 2;
  let isDrawing = false;

  const colour = element('cloud-colour', HTMLSelectElement);
  if (head.intensities === null) colour.querySelector('[value=intensity]')?.remove();
  colour.addEventListener('change', recolour);
  element('cloud-size', HTMLInputElement).addEventListener('input', (event) => {
    pointSize = Number(/** @type {HTMLInputElement} */ (event.target).value);
    drawSoon();
  });
  element('cloud-reset', HTMLButtonElement).addEventListener('click', reset);
  canvas.addEventListener('dblclick', reset);
  followPointer(canvas, {
    turn: (right, down) => {
      view.azimuthRad -= 0.008 * right;
      view.elevationRad = clamp(view.elevationRad + 0.008 * down, -1.55, 1.55);
      drawSoon();
    },
    move,
    zoom,
  });
  canvas.addEventListener('keydown', onKey);
  // Why: a lost context shows nothing until all is made again, which a reload does.
  canvas.addEventListener('webglcontextlost', () => {
    const message = element('cloud-message', HTMLElement);
    message.textContent = 'The graphics memory was lost: load the page again.';
    message.hidden = false;
  });
  new ResizeObserver(drawSoon).observe(canvas);
  recolour();

  function recolour() {
    drawing.recolour(coloursOf(head, bytes, colour.value));
    showScale(head, colour.value);
    drawSoon();
  }

  function reset() {
    view = { ...first };
    drawSoon();
  }

  /**
   * @param {number} right
   * @param {number} down
   */
  function move(right, down) {
    const scale = (2 * view.distanceM * Math.tan(fovRad / 2)) / Math.max(canvas.clientHeight, 1);
    const { right: x, up: y } = axesOf(view);
    view.targetM = /** @type {Vector} */ (
      view.targetM.map((at, axis) => at - scale * (right * (x[axis] ?? 0) - down * (y[axis] ?? 0)))
    );
    drawSoon();
  }

  /** @param {number} factor */
  function zoom(factor) {
    view.distanceM = clamp(view.distanceM * factor, 0.5, 20 * first.distanceM);
    drawSoon();
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const turnRad = 0.08;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => (view.azimuthRad -= turnRad),
      ArrowRight: () => (view.azimuthRad += turnRad),
      ArrowUp: () => (view.elevationRad = clamp(view.elevationRad + turnRad, -1.55, 1.55)),
      ArrowDown: () => (view.elevationRad = clamp(view.elevationRad - turnRad, -1.55, 1.55)),
      '+': () => zoom(1 / 1.2),
      '-': () => zoom(1.2),
      0: reset,
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
    drawSoon();
  }

  function drawSoon() {
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(() => {
      isDrawing = false;
      drawing.draw(view, pointSize);
    });
  }
}

/**
 * The points and the path in the graphics memory.
 * @param {HTMLCanvasElement} canvas
 * @param {WebGLRenderingContext} gl
 * @param {Head} head
 * @param {Uint16Array<ArrayBuffer>} places
 * @param {number} distanceM from which points have the chosen size
 */
function createDrawing(canvas, gl, head, places, distanceM) {
  const program = createProgram(gl);
  const placeBuffer = filled(gl, places);
  const colourBuffer = gl.createBuffer();
  const path = new Float32Array(head.pathM);
  const pathBuffer = filled(gl, path);
  return { recolour, draw };

  /** @param {Uint8Array<ArrayBuffer>} colours */
  function recolour(colours) {
    gl.bindBuffer(gl.ARRAY_BUFFER, colourBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, colours, gl.STATIC_DRAW);
  }

  /**
   * @param {View} view
   * @param {number} pointSize
   */
  function draw(view, pointSize) {
    const ratio = Math.min(devicePixelRatio, 2);
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    gl.viewport(0, 0, width, height);
    gl.clearColor(0.035, 0.05, 0.045, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniform('screenFromScene'), false, screenFromScene(view, width / height));
    gl.uniform1f(uniform('size'), pointSize * ratio * distanceM * 0.55);
    gl.uniform3fv(uniform('minM'), head.minM);
    gl.uniform3fv(
      uniform('spanM'),
      head.stepM.map((step) => step * steps),
    );
    attribute('place', placeBuffer, gl.UNSIGNED_SHORT, true, 8);
    attribute('colour', colourBuffer, gl.UNSIGNED_BYTE, true, 4);
    gl.drawArrays(gl.POINTS, 0, head.count);
    if (path.length >= 6) drawPath();
  }

  function drawPath() {
    gl.uniform3fv(uniform('minM'), [0, 0, 0]);
    gl.uniform3fv(uniform('spanM'), [1, 1, 1]);
    gl.uniform1f(uniform('size'), 2.5 * distanceM);
    attribute('place', pathBuffer, gl.FLOAT, false, 12);
    const colours = gl.getAttribLocation(program, 'colour');
    gl.disableVertexAttribArray(colours);
    gl.vertexAttrib3f(colours, pathColour[0] ?? 1, pathColour[1] ?? 1, pathColour[2] ?? 1);
    gl.drawArrays(gl.LINE_STRIP, 0, path.length / 3);
    gl.drawArrays(gl.POINTS, 0, path.length / 3);
  }

  /** @param {string} name */
  function uniform(name) {
    return gl.getUniformLocation(program, name);
  }

  /**
   * @param {string} name
   * @param {WebGLBuffer | null} buffer
   * @param {number} type
   * @param {boolean} isShare
   * @param {number} stride
   */
  function attribute(name, buffer, type, isShare, stride) {
    const at = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 3, type, isShare, stride, 0);
  }
}

/**
 * x, y, z and nothing of each point side by side, as graphics cards read them.
 * @param {number} count
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function interleaved(count, bytes) {
  const columns = new DataView(bytes.buffer);
  const places = new Uint16Array(4 * count);
  for (let axis = 0; axis < 3; axis += 1) {
    for (let at = 0; at < count; at += 1) {
      places[4 * at + axis] = columns.getUint16(2 * (axis * count + at), true);
    }
  }
  return places;
}

/**
 * @param {Head} head
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} by
 * @returns {Uint8Array<ArrayBuffer>}
 */
function coloursOf(head, bytes, by) {
  const { count, heights } = head;
  const columns = new DataView(bytes.buffer);
  const scale = (by === 'intensity' ? head.intensityColours : head.heightColours).map(parts);
  const classes = new Map(head.classes.map(({ id, colour }) => [id, parts(colour)]));
  const colours = new Uint8Array(4 * count);
  const span = Math.max(heights[1] - heights[0], 1);
  for (let at = 0; at < count; at += 1) {
    const height = columns.getUint16(2 * (2 * count + at), true);
    const share =
      by === 'intensity' ? (bytes[6 * count + at] ?? 0) / 255 : (height - heights[0]) / span;
    const colour =
      by === 'class'
        ? classes.get(bytes[7 * count + at] ?? 0)
        : scale[Math.round(clamp(share, 0, 1) * (scale.length - 1))];
    colours.set(colour ?? [255, 255, 255], 4 * at);
  }
  return colours;
}

/**
 * @param {Head} head
 * @param {string} by
 */
function showScale(head, by) {
  const { minM, stepM, heights, intensities, classes } = head;
  const heightText = (/** @type {number} */ n) =>
    `${(Math.round(10 * (minM[2] + n * stepM[2])) / 10 + 0).toFixed(1)} m`.replace('-', '−');
  const [low, high] =
    by === 'class'
      ? ['', '']
      : by === 'intensity'
        ? (intensities ?? [0, 1]).map(String)
        : heights.map(heightText);
  element('cloud-low', HTMLElement).textContent = low ?? '';
  element('cloud-high', HTMLElement).textContent = high ?? '';
  const bar = element('cloud-bar', HTMLCanvasElement);
  bar.hidden = by === 'class';
  const context = bar.getContext('2d');
  const colours = by === 'intensity' ? head.intensityColours : head.heightColours;
  for (const [at, colour] of colours.entries()) {
    if (context === null) break;
    context.fillStyle = colour;
    const width = bar.width / colours.length;
    context.fillRect(Math.floor(at * width), 0, Math.ceil(width) + 1, bar.height);
  }
  const legend = by === 'class' ? classes : [];
  element('cloud-classes', HTMLElement).replaceChildren(
    ...legend.map(({ name, colour }) => {
      const item = document.createElement('li');
      const box = document.createElement('i');
      box.style.background = colour;
      item.append(box, name);
      return item;
    }),
  );
}

/**
 * The camera: it looks at a place from a distance.
 * @typedef {{ targetM: Vector, azimuthRad: number, elevationRad: number, distanceM: number }} View
 */

/**
 * Over the middle of the points, from the south-west.
 * @param {Head} head
 * @param {Uint16Array} places
 * @returns {View}
 */
function firstView({ minM, stepM, count }, places) {
  const middle = [0, 1, 2].map((axis) => {
    const sorted = new Uint16Array(count);
    for (let at = 0; at < count; at += 1) sorted[at] = places[4 * at + axis] ?? 0;
    sorted.sort();
    const share = (/** @type {number} */ part) => sorted[Math.round(part * (count - 1))] ?? 0;
    const [from, to] = [share(0.02), share(0.98)];
    const step = stepM[axis] ?? 0;
    return { at: (minM[axis] ?? 0) + ((from + to) / 2) * step, span: (to - from) * step };
  });
  const radiusM = Math.max(2, Math.hypot(...middle.map(({ span }) => span)) / 2);
  return {
    targetM: /** @type {Vector} */ (middle.map(({ at }) => at)),
    azimuthRad: -2.1,
    elevationRad: 0.55,
    distanceM: radiusM / Math.tan(fovRad / 2) / 1.15,
  };
}

/**
 * Unit vectors of the camera in the scene.
 * @param {View} view
 */
function axesOf({ azimuthRad, elevationRad }) {
  const [ca, sa] = [Math.cos(azimuthRad), Math.sin(azimuthRad)];
  const [ce, se] = [Math.cos(elevationRad), Math.sin(elevationRad)];
  return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce], back: [ce * ca, ce * sa, se] };
}

/**
 * A perspective, by columns.
 * @param {View} view
 * @param {number} aspect
 */
function screenFromScene(view, aspect) {
  const { right, up, back } = axesOf(view);
  const { targetM, distanceM } = view;
  const eyeM = targetM.map((at, axis) => at + distanceM * (back[axis] ?? 0));
  const f = 1 / Math.tan(fovRad / 2);
  const [near, far] = [distanceM / 100, distanceM * 30];
  const depth = (far + near) / (near - far);
  const rows = [
    right.map((part) => (part * f) / aspect),
    up.map((part) => part * f),
    back.map((part) => part * depth),
    back.map((part) => -part),
  ];
  const offset = rows.map(
    (row) => -row.reduce((sum, part, axis) => sum + part * (eyeM[axis] ?? 0), 0),
  );
  offset[2] = (offset[2] ?? 0) + (2 * far * near) / (near - far);
  return new Float32Array(
    [0, 1, 2].flatMap((axis) => rows.map((row) => row[axis] ?? 0)).concat(offset),
  );
}

/**
 * @param {HTMLElement} view
 * @param {{ turn: (right: number, down: number) => void, move: (right: number, down: number) => void, zoom: (factor: number) => void }} act
 */
function followPointer(view, act) {
  /** @type {Map<number, [number, number]>} */
  const pointers = new Map();
  view.addEventListener('pointerdown', (event) => {
    view.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  view.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const spread = spreadOf();
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const [right, down] = [event.clientX - before[0], event.clientY - before[1]];
    if (pointers.size > 1) {
      act.zoom(spread / Math.max(spreadOf(), 1));
      act.move(right / pointers.size, down / pointers.size);
    } else if (event.shiftKey || event.buttons > 1) {
      act.move(right, down);
    } else {
      act.turn(right, down);
    }
  });
  for (const end of ['pointerup', 'pointercancel']) {
    view.addEventListener(end, (event) => {
      pointers.delete(/** @type {PointerEvent} */ (event).pointerId);
    });
  }
  view.addEventListener('contextmenu', (event) => event.preventDefault());
  view.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      act.zoom(Math.exp(clamp(event.deltaY * lines, -200, 200) * 0.0015));
    },
    { passive: false },
  );

  /** Distance between two fingers. */
  function spreadOf() {
    const [a, b] = [...pointers.values()];
    return a === undefined || b === undefined ? 1 : Math.hypot(a[0] - b[0], a[1] - b[1]);
  }
}

/** @param {WebGLRenderingContext} gl */
function createProgram(gl) {
  const program = gl.createProgram();
  for (const [kind, source] of /** @type {const} */ ([
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ])) {
    const shader = gl.createShader(kind);
    if (shader === null) throw new Error('no shader can be made');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) ?? 'the shaders were refused');
  }
  return program;
}

/**
 * @param {WebGLRenderingContext} gl
 * @param {Uint16Array<ArrayBuffer> | Float32Array<ArrayBuffer>} values
 */
function filled(gl, values) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
  return buffer;
}

/** @param {string} hex */
function parts(hex) {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {{ new (): T }} kind
 * @returns {T}
 */
function element(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}
