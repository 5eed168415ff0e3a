// Bundles the extension (for Node) and the panel's script (for the webview) into out/, with the sample.
import { build } from "esbuild";
import { cpSync, rmSync } from "node:fs";

rmSync("out", { recursive: true, force: true });
const shared = { bundle: true, minify: true, sourcemap: false, logLevel: "info" };
await build({
  ...shared,
  entryPoints: ["src/extension.ts"],
  outfile: "out/extension.js",
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
});
await build({
  ...shared,
  entryPoints: ["src/webview/panel.ts"],
  outfile: "out/panel.js",
  platform: "browser",
  target: "es2022",
  format: "iife",
});
cpSync("../../samples/decree.xml", "out/sample.xml");
