/** Makes a Python environment of the extension's own and installs the server into it. */

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type ExtensionContext, type LogOutputChannel, ProgressLocation, window } from "vscode";

const PYTHONS = process.platform === "win32" ? ["py", "python"] : ["python3", "python"];
const NEWEST_FIRST = ["3.13", "3.12", "3.11", "3.10"].map((version) => `python${version}`);
const VERSION_CHECK = "import sys; sys.exit(sys.version_info < (3, 10))";

/** The managed environment's interpreter, or null when there is none yet. */
export function managedPython(context: ExtensionContext): string | null {
  const python = interpreterIn(environmentFolder(context));
  return existsSync(python) ? python : null;
}

function environmentFolder(context: ExtensionContext): string {
  return join(context.globalStorageUri.fsPath, "server");
}

function interpreterIn(folder: string): string {
  return process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}

/** What pip is to install: the wheel that came with this extension, else the published package. */
function serverPackage(context: ExtensionContext): string {
  const folder = join(context.extensionPath, "server");
  const wheel = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".whl")) : undefined;
  return wheel === undefined ? "pythia-epidoc" : join(folder, wheel);
}

/** Installs the server, with progress; true when it is there afterwards. */
export async function installServer(context: ExtensionContext, log: LogOutputChannel): Promise<boolean> {
  const options = { location: ProgressLocation.Notification, title: "Pythia EpiDoc", cancellable: true };
  return window.withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => {
      stop.abort();
    });
    try {
      progress.report({ message: "looking for Python 3.10 or newer…" });
      const python = await systemPython(stop.signal);
      const folder = environmentFolder(context);
      mkdirSync(context.globalStorageUri.fsPath, { recursive: true });
      progress.report({ message: "making a Python environment…" });
      await run(python, ["-m", "venv", folder], stop.signal, log);
      progress.report({ message: "installing the server; this may take some minutes…" });
      const args = ["-m", "pip", "install", "--upgrade", "--disable-pip-version-check", serverPackage(context)];
      await run(interpreterIn(folder), args, stop.signal, log);
      return true;
    } catch (error) {
      log.error(String(error));
      if (!token.isCancellationRequested) {
        void window.showErrorMessage(`The server could not be installed: ${message(error)}`);
      }
      return false;
    }
  });
}

async function systemPython(signal: AbortSignal): Promise<string> {
  for (const candidate of [...PYTHONS, ...NEWEST_FIRST]) {
    try {
      await run(candidate, ["-c", VERSION_CHECK], signal, null);
      return candidate;
    } catch {
      signal.throwIfAborted();
    }
  }
  throw new Error("no Python 3.10 or newer was found. Install one, or set pythia.interpreter.");
}

function run(command: string, args: string[], signal: AbortSignal, log: LogOutputChannel | null): Promise<void> {
  log?.info(`${command} ${args.join(" ")}`);
  return new Promise((resolve, reject) => {
    execFile(command, args, { signal, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      log?.debug(stdout);
      if (error === null) {
        resolve();
      } else {
        const said = `${stdout}\n${stderr}`.trim();
        log?.error(said);
        reject(new Error(cause(stdout, stderr) || error.message));
      }
    });
  });
}

/** The last line of the complaint; Python without venv, as Debian ships it, complains on standard output. */
function cause(stdout: string, stderr: string): string {
  return stderr.trim().split("\n").at(-1) || stdout.trim().replace(/\s+/g, " ").slice(0, 300);
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
