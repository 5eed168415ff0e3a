/**
 * Finds the language server. The order is documented in the README and every step is logged:
 *
 *   1. `pythia.serverCommand`
 *   2. `pythia.interpreter`, else the environment chosen in the Python extension
 *   3. `pythia-epidoc` on the PATH
 *   4. the environment that this extension made itself
 *
 * What the user named explicitly (1, or the setting of 2) is never silently replaced by something else.
 */

import { execFile } from "node:child_process";
import { extensions, type LogOutputChannel } from "vscode";
import type { Settings } from "./settings";

export interface ServerCommand {
  origin: string;
  command: string;
  args: string[];
}

export interface Failure {
  origin: string;
  cause: string;
}

export type Lookup = { found: ServerCommand; version: string } | { failures: Failure[] };

const PREFLIGHT_MILLISECONDS = 30_000;
const MODULE = ["-m", "pythia_epidoc", "lsp"];

export async function findServer(settings: Settings, managedPython: string | null, log: LogOutputChannel): Promise<Lookup> {
  const failures: Failure[] = [];
  for (const candidate of await candidates(settings, managedPython, log)) {
    const outcome = await preflight(candidate);
    if ("version" in outcome) {
      log.info(`Server from ${candidate.origin}: ${outcome.version}`);
      return { found: candidate, version: outcome.version };
    }
    log.info(`No server from ${candidate.origin}: ${outcome.cause}`);
    failures.push({ origin: candidate.origin, cause: outcome.cause });
  }
  return { failures };
}

async function candidates(settings: Settings, managedPython: string | null, log: LogOutputChannel): Promise<ServerCommand[]> {
  const [command, ...args] = settings.serverCommand;
  if (command !== undefined) {
    return [{ origin: "the setting pythia.serverCommand", command, args }];
  }
  if (settings.interpreter !== "") {
    return [{ origin: "the setting pythia.interpreter", command: settings.interpreter, args: MODULE }];
  }
  const found: ServerCommand[] = [];
  const active = await activePython(log);
  if (active !== null) {
    found.push({ origin: "the active Python environment", command: active, args: MODULE });
  }
  found.push({ origin: "the PATH", command: "pythia-epidoc", args: ["lsp"] });
  if (managedPython !== null) {
    found.push({ origin: "the environment made by this extension", command: managedPython, args: MODULE });
  }
  return found;
}

/** The part of the Python extension's public interface that is used here. */
interface PythonExtension {
  environments?: {
    getActiveEnvironmentPath(): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable?: { uri?: { fsPath: string } } } | undefined>;
  };
}

async function activePython(log: LogOutputChannel): Promise<string | null> {
  const extension = extensions.getExtension<PythonExtension>("ms-python.python");
  if (extension === undefined) {
    log.info("The Python extension is not installed: no active environment to ask.");
    return null;
  }
  try {
    const python = await extension.activate();
    const environment = await python.environments?.resolveEnvironment(python.environments.getActiveEnvironmentPath());
    return environment?.executable?.uri?.fsPath ?? null;
  } catch (error) {
    log.warn(`The Python extension gave no environment: ${String(error)}`);
    return null;
  }
}

function preflight(candidate: ServerCommand): Promise<{ version: string } | { cause: string }> {
  return new Promise((resolve) => {
    const args = [...candidate.args, "--version"];
    execFile(candidate.command, args, { timeout: PREFLIGHT_MILLISECONDS }, (error, stdout, stderr) => {
      if (error === null) {
        resolve({ version: stdout.trim() });
      } else if (error.code === "ENOENT") {
        resolve({ cause: `there is no program “${candidate.command}”` });
      } else if (error.killed === true) {
        resolve({ cause: `“${candidate.command}” did not answer within ${PREFLIGHT_MILLISECONDS / 1000} s` });
      } else {
        const lastLine = stderr.trim().split("\n").at(-1) ?? "";
        resolve({ cause: lastLine === "" ? `“${candidate.command}” ended with an error` : lastLine });
      }
    });
  });
}
