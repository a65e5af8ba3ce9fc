// Bundles the studio into the Python package: one page, one script, one style sheet, nothing
// fetched from elsewhere. The drawing of the plane is the player's own (src/player), so that a page,
// a notebook and the studio draw with the same lines of code.
import { resolve } from "node:path";
import { defineConfig } from "vite";

const CORE = resolve(import.meta.dirname, "src/player/core.ts");

export default defineConfig({
  base: "./",
  resolve: { alias: { "virtual:player": CORE } },
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
