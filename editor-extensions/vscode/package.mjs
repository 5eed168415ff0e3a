// Builds the .vsix: the bundled extension together with the server's wheel, so that the version that
// “Install” puts in place is the one this extension was made for.
//
//   npm run package            PYTHON=python3 chooses the interpreter that builds the wheel
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";

const python = process.env.PYTHON ?? "python3";
const run = (command, ...args) => execFileSync(command, args, { stdio: "inherit" });

rmSync("server", { recursive: true, force: true });
run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "server", "../..");
cpSync("../../LICENSE", "LICENSE");
run(process.execPath, "esbuild.mjs");
const vsce = ["package", "--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
run(process.execPath, "node_modules/@vscode/vsce/vsce", ...vsce, "-o", "pythia-epidoc.vsix");
