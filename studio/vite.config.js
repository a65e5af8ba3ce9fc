// Bundles the studio into the Python package: one page, one script, one style sheet, nothing
// fetched from elsewhere. The drawing of the plane is the player's own: its parts are joined into
// one module here, so that a page, a notebook and the studio draw with the same lines of code.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vite";

const PLAYER = resolve(import.meta.dirname, "../src/kempe/draw/formats/player");
const PARTS = [
  "motion", "pen", "camera", "solids", "picture", "joining", "loads", "paper", "element", "stage",
];
const GIVEN = "Motion, Stage, Camera, carry, everything, planarTurn, spatialTurn, niceStep, multiples, shown, tone, arrowNow, arrowScales, arrowsWanted, forceScale, keptApart, LONGEST_ARROW, MOST_VALUED";

/** The parts of the player that draw, as one module. */
function player() {
  const name = "virtual:player";
  return {
    name: "kempe-player",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const files = PARTS.map((part) => resolve(PLAYER, `${part}.js`));
      for (const file of files) this.addWatchFile(file);
      return `${files.map((file) => readFileSync(file, "utf-8")).join("\n")}\nexport { ${GIVEN} };\n`;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [player()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(import.meta.dirname, "../src/kempe/studio/page"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: "assets/studio.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
});
