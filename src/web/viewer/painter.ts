import type { Framing } from "../../render/camera.ts";
import { type Bitmap, type Canvas, createCanvas } from "../../render/bitmap.ts";
import { cornersMax, cornerSize, type Mesh } from "./mesh.ts";
import { fragmentShader, vertexShader } from "./shaders.ts";

/** The sheets of a figure. Each has a texture unit of its own. */
export type SheetName = "skin" | "cape";
const units: Readonly<Record<SheetName, number>> = { skin: 0, cape: 1 };

/** What is drawn with: one context of WebGL 2, and what was made in it. */
export type Painter = {
  readonly gl: WebGL2RenderingContext;
  readonly uniforms: Readonly<Record<UniformName, WebGLUniformLocation | null>>;
  readonly textures: Readonly<Record<SheetName, WebGLTexture>>;
  readonly lastLevels: Record<SheetName, number>;
};

const uniformNames = ["zoom", "centre", "depths", "skin", "cape", "lastLevels"] as const;
type UniformName = (typeof uniformNames)[number];

/**
 * Rasterisers in software know the depth in the middle of a pixel alone. Where two faces meet in an edge, the
 * steeper one would be seen beyond it; so each face is put back by what its depth changes within so many
 * pixels.
 */
const edgeOffset = 1.5;

/** Sizes of the corners' numbers in the order of the shader's inputs. */
const inputSizes = [3, 2, 4, 3] as const;

/** Sets a context up. Fails with an Error when the browser cannot do what is asked. */
export function createPainter(gl: WebGL2RenderingContext): Painter {
  const program = linkProgram(gl);
  gl.useProgram(program);
  const uniforms = Object.fromEntries(
    uniformNames.map((name) => [name, gl.getUniformLocation(program, name)]),
  ) as Painter["uniforms"]; // Made from exactly these names.
  gl.uniform1i(uniforms.skin, units.skin);
  gl.uniform1i(uniforms.cape, units.cape);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, cornersMax * cornerSize * 4, gl.DYNAMIC_DRAW);
  let at = 0;
  for (const [input, size] of inputSizes.entries()) {
    gl.enableVertexAttribArray(input);
    gl.vertexAttribPointer(input, size, gl.FLOAT, false, cornerSize * 4, at);
    at += size * 4;
  }
  gl.enable(gl.DEPTH_TEST);
  gl.polygonOffset(edgeOffset, 0);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.clearColor(0, 0, 0, 0);
  const painter = {
    gl,
    uniforms,
    textures: { skin: gl.createTexture(), cape: gl.createTexture() },
    lastLevels: { skin: 0, cape: 0 },
  };
  for (const name of ["skin", "cape"] as const) setSheet(painter, name, createCanvas(64, 64));
  return painter;
}

/** Gives a sheet to the graphics processor, with smaller forms of it for figures that are seen from afar. */
export function setSheet({ gl, textures, lastLevels }: Painter, name: SheetName, sheet: Bitmap): void {
  gl.activeTexture(gl.TEXTURE0 + units[name]);
  gl.bindTexture(gl.TEXTURE_2D, textures[name]);
  setPlainPixels(gl);
  gl.texImage2D(
    gl.TEXTURE_2D,
    0,
    gl.RGBA8,
    sheet.width,
    sheet.height,
    0,
    gl.RGBA,
    gl.UNSIGNED_BYTE,
    premultiplied(sheet),
  );
  gl.generateMipmap(gl.TEXTURE_2D);
  // As long as a unit is whole texels, no texel of a smaller form lies in two faces.
  lastLevels[name] = 31 - Math.clz32((sheet.width / 64) & -(sheet.width / 64));
}

/** Paints a mesh all over the canvas. `reach`: how near and how far its points are at most. */
export function paint(
  painter: Painter,
  mesh: Mesh,
  framing: Framing,
  reach: readonly [near: number, far: number],
): void {
  const { gl, uniforms, lastLevels } = painter;
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  const [near, far] = reach;
  gl.viewport(0, 0, width, height);
  gl.uniform2f(uniforms.zoom, (2 * framing.zoom) / width, (-2 * framing.zoom) / height);
  gl.uniform2f(uniforms.centre, (2 * framing.centreX) / width - 1, 1 - (2 * framing.centreY) / height);
  gl.uniform2f(uniforms.depths, (far + near) / (far - near), (2 * far * near) / (far - near));
  gl.uniform2i(uniforms.lastLevels, lastLevels.skin, lastLevels.cape);
  gl.bufferSubData(gl.ARRAY_BUFFER, 0, mesh.numbers, 0, mesh.corners * cornerSize);
  // Clearing the depths needs them to be written.
  gl.depthMask(true);
  gl.enable(gl.POLYGON_OFFSET_FILL);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.drawArrays(gl.TRIANGLES, 0, mesh.opaqueCorners);
  gl.depthMask(false);
  gl.disable(gl.POLYGON_OFFSET_FILL);
  gl.drawArrays(gl.TRIANGLES, mesh.opaqueCorners, mesh.corners - mesh.opaqueCorners);
}

/**
 * The pixels of a picture exactly as its file has them, colour under alpha 0 included. A 2D canvas loses
 * colour under low alpha. Fails with an Error when the picture is larger than the graphics processor takes.
 */
export function readPixels({ gl }: Painter, picture: ImageBitmap): Bitmap {
  const { width, height } = picture;
  const texture = gl.createTexture();
  const framebuffer = gl.createFramebuffer();
  gl.activeTexture(gl.TEXTURE0 + Object.keys(units).length);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  setPlainPixels(gl);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, picture);
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  const canvas: Canvas = createCanvas(width, height);
  const isComplete = gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE;
  if (isComplete) gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, canvas.data);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.deleteFramebuffer(framebuffer);
  gl.deleteTexture(texture);
  if (!isComplete) throw new Error("The picture cannot be read by WebGL");
  return canvas;
}

/** Pixels go to the graphics processor as they are. */
function setPlainPixels(gl: WebGL2RenderingContext): void {
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
  gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
}

function premultiplied({ data }: Bitmap): Uint8Array {
  const copy = data.slice();
  for (let i = 0; i < copy.length; i += 4) {
    const alpha = copy[i + 3] ?? 0;
    if (alpha === 255) continue;
    for (let channel = i; channel < i + 3; channel++)
      copy[channel] = Math.round(((copy[channel] ?? 0) * alpha) / 255);
  }
  return copy;
}

function linkProgram(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) throw new Error("WebGL makes no shader");
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  // In a lost context nothing links; it is set up again once it is restored.
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(gl.getProgramInfoLog(program) ?? "The shaders cannot be linked");
  }
  return program;
}
