// Bundles the solid drawing of space for the player's pages: one script that draws with three.js
// and takes everything else from the player, which stands in the page before it.
import { resolve } from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    outDir: resolve(import.meta.dirname, "../src/kempe/draw/formats/player/made"),
    emptyOutDir: true,
    chunkSizeWarningLimit: 1200,
    lib: {
      entry: resolve(import.meta.dirname, "src/viewer/solid_stage.ts"),
      formats: ["iife"],
      name: "KempeSpace",
      fileName: () => "space.js",
    },
    rolldownOptions: {
      external: ["virtual:player"],
      output: { globals: { "virtual:player": "Kempe" } },
    },
  },
});
