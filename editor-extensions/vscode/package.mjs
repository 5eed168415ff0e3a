// Builds the .vsix: the bundled extension together with the server's wheel, so that the version that
// “Install” puts in place is the one this extension was made for.
//
//   npm run package            PYTHON=python3 chooses the interpreter that builds the wheel
//   node package.mjs --without-server TARGET
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: { "without-server": { type: "boolean", default: false } },
  allowPositionals: true,
});
const [target = "pythia-epidoc.vsix"] = positionals;
const run = (command, ...args) => execFileSync(command, args, { stdio: "inherit" });

rmSync("server", { recursive: true, force: true });
if (!values["without-server"]) {
  const python = process.env.PYTHON ?? "python3";
  run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "server", "../..");
}
cpSync("../../LICENSE", "LICENSE");
run(process.execPath, "esbuild.mjs");
const readme = readmeWithPictures();
const vsce = ["package", "--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
run(process.execPath, "node_modules/@vscode/vsce/vsce", ...vsce, "--readme-path", readme, "-o", target);

/** The README as it is shown inside VS Code: with its pictures beside it, not in the project's docs. */
function readmeWithPictures() {
  const text = readFileSync("README.md", "utf8").replaceAll(/\.\.\/\.\.\/docs\/images\/([\w-]+\.png)/g, (path, name) => {
    cpSync(path, `out/images/${name}`);
    return `out/images/${name}`;
  });
  writeFileSync("out/README.md", text);
  return "out/README.md";
}
