// Bundles what pages of the package run, each one script: the player, the live page, and the solid
// drawing of space, which takes everything but three.js from the script that stands before it.
import { resolve } from "node:path";
import { defineConfig } from "vite";

const SCRIPTS = {
  player: ["src/player/page.ts", "Kempe"],
  live: ["src/player/live_page.ts", "Kempe"],
  space: ["src/viewer/solid_stage.ts", "KempeSpace"],
};
const [entry, name] = SCRIPTS[process.env.KEMPE_SCRIPT];

export default defineConfig({
  publicDir: false,
  build: {
    outDir: resolve(import.meta.dirname, "../src/kempe/draw/formats/player/made"),
    emptyOutDir: false,
    chunkSizeWarningLimit: 1200,
    minify: process.env.KEMPE_SCRIPT === "space",
    lib: {
      entry: resolve(import.meta.dirname, entry),
      formats: ["iife"],
      name,
      fileName: () => `${process.env.KEMPE_SCRIPT}.js`,
    },
    rolldownOptions: {
      external: ["virtual:player"],
      output: { globals: { "virtual:player": "Kempe" } },
    },
  },
});
